"""A player that is a program: it always takes the first legal action."""

import json
import sys

for line in sys.stdin:
    print(json.dumps({"action": json.loads(line)["legal"][0]}), flush=True)
