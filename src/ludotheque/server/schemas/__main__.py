"""Writes the JSON Schema document to standard output: `python -m ludotheque.server.schemas`."""

import json
import sys

from ludotheque.server.schemas.document import schema

sys.stdout.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")
