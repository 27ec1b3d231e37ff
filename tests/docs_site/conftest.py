"""The site is built by `make docs`: what looks at it runs in `make test-docs`."""

import os

collect_ignore = [] if os.environ.get("LUDOTHEQUE_DOCS") else ["test_built.py"]
