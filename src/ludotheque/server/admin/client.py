"""The operator's side: gives orders to the running processes of a site through its database, and collects their answers.

What the processes do is in `operator`; how it is shown is in `ludotheque.cli.admin`.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

from sqlalchemy.engine import Connection, Engine

from ludotheque.core import BadRequest, JsonObject, Problem
from ludotheque.core.catalogue import per_language
from ludotheque.server import store
from ludotheque.server.database import open_current_database
from ludotheque.server.notifications import ORDERS, notify

ANSWER_SECONDS: Final = 15.0
LOOK_SECONDS: Final = 0.05

Result = TypeVar("Result")


class Site:
    """A site as its operator reaches it."""

    def __init__(self, engine: Engine, operator: str) -> None:
        self._engine = engine
        self._operator = operator

    def read(self, work: Callable[[Connection], Result]) -> Result:
        """Read something from the database."""
        with self._engine.connect() as connection:
            return work(connection)

    def running(self) -> Sequence[str]:
        """The processes that run; BadRequest if there are none."""
        found = self.read(store.living_processes)
        if not found:
            raise BadRequest("admin.no-server")
        return found

    def order(self, what: str, **body: object) -> Mapping[str, JsonObject]:
        """Give an order; returns what each process that carried it out has answered.

        A Problem says why it could not be carried out, or that a process did not answer in time.
        """
        running = self.running()
        with self._engine.begin() as connection:
            order = store.add_order(connection, self._operator, what, _json(body))
            notify(connection, ORDERS)
        try:
            answers = self._await_answers(order, running)
        finally:
            with self._engine.begin() as connection:
                store.remove_order(connection, order)
        done = {process: answer["done"] for process, answer in answers.items() if "done" in answer}
        problems = [answer["problem"] for answer in answers.values() if "problem" in answer]
        if problems and not done:
            raise Problem(per_language(lambda language: _said(problems[0], language)))
        if not done:
            raise BadRequest("admin.nobody")
        return {process: answer for process, answer in done.items() if isinstance(answer, dict)}

    def _await_answers(self, order: str, running: Sequence[str]) -> Mapping[str, JsonObject]:
        deadline = time.monotonic() + ANSWER_SECONDS
        while True:
            answers = self.read(lambda connection: store.read_answers(connection, order))
            missing = set(running) - set(answers)
            if not missing or not missing & set(self.read(store.living_processes)):  # whoever has ended does not answer
                return answers
            if time.monotonic() > deadline:
                names = ", ".join(sorted(missing))
                raise BadRequest("admin.no-answer", processes=names, seconds=int(ANSWER_SECONDS))
            time.sleep(LOOK_SECONDS)

    def await_end(self, process: str, within: float) -> bool:
        """Wait until a process has ended; returns False if it has not."""
        deadline = time.monotonic() + within
        while process in self.read(store.living_processes):
            if time.monotonic() > deadline:
                return False
            time.sleep(LOOK_SECONDS)
        return True


def _json(body: Mapping[str, object]) -> JsonObject:
    given: JsonObject = {key: value for key, value in body.items() if value is not None}  # type: ignore[misc] # JSON by contract
    return given


def _said(problem: object, language: str) -> str:
    told = problem if isinstance(problem, dict) else {}
    return str(told.get(language) or told.get("en"))


@contextmanager
def open_site(database: str, operator: str) -> Iterator[Site]:
    """The site of a database; it is neither made nor migrated."""
    engine = open_current_database(database)
    try:
        yield Site(engine, operator)
    finally:
        engine.dispose()
