"""An operator at the command line, for the tests of `ludotheque admin`."""

import json
import time
from collections.abc import Callable
from typing import Any

import httpx
from typer.testing import CliRunner

from ludotheque.cli.app import app
from server.guests import PATIENCE, Guest, House

BOT = [{"kind": "me"}, {"kind": "bot", "level": 1}]


class Admin:
    """An operator at the command line, for one database."""

    def __init__(self, database: str) -> None:
        self.database = database

    def run(self, *words: str) -> tuple[int, str]:
        answer = CliRunner().invoke(app, ["admin", *words, "--database", self.database, "--language", "en"])
        if answer.exception is not None and not isinstance(answer.exception, SystemExit):
            raise answer.exception
        return answer.exit_code, answer.output

    def does(self, *words: str) -> str:
        code, said = self.run(*words)
        assert code == 0, said
        return said

    def lists(self, *words: str) -> Any:
        return json.loads(self.does(*words, "--json"))

    def fails(self, *words: str) -> str:
        code, said = self.run(*words)
        assert code == 2, said
        return said

    def audited(self) -> list[tuple[str, str]]:
        """What was changed and to whom, the first change first."""
        return [(entry["what"], entry["subject"]) for entry in reversed(self.lists("audit"))]


def until(true: Callable[[], bool]) -> None:
    """Wait for something that happens by itself; how long it takes on a busy machine is not what is tested."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def elsewhere(guest: Guest, home: House) -> Guest:
    """The same person and device at another process."""
    return Guest.known(home, {"id": guest.id, "name": guest.name, "secret": guest.secret})


def refusal(answer: httpx.Response) -> tuple[int, str, str]:
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["sentence"]
