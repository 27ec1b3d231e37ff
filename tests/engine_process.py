"""The engine as a real process, for the tests that drive it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

ENGINE = [sys.executable, "-m", "ludotheque", "engine"]
ENVIRONMENT = dict(os.environ)
if os.environ.get("LUDOTHEQUE_TARGET") == "wasm":  # make test-wasm
    ENGINE = [sys.executable, "-m", "wasm.engine"]
    ENVIRONMENT["PYTHONPATH"] = os.pathsep.join(sys.path)


class Running:
    """A running engine, asked one line at a time."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def heard(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def ask(self, **request: Any) -> dict[str, Any]:
        self.send(json.dumps(request).encode())
        return self.heard()


@contextmanager
def running() -> Iterator[Running]:
    with subprocess.Popen(ENGINE, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Running(process)
        if process.stdin is not None and not process.stdin.closed:
            process.stdin.close()
        process.wait(20)
