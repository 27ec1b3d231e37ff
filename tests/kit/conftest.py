"""Tests that install packages of games compile their rules, which takes minutes: they run in `make test-docs`."""

import os

collect_ignore = [] if os.environ.get("LUDOTHEQUE_DOCS") else ["test_new_game.py", "test_tutorial.py"]
