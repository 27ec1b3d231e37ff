"""The environment of a server process: without secrets, since workers, programs and third parties' games inherit it."""

from collections.abc import MutableMapping
from typing import Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from ludotheque.server.seed_key import VARIABLE

SETTINGS: Final = "LUDOTHEQUE_SETTINGS"
"""How a supervisor gives a server process its settings; they have the database's password."""
PASSWORD: Final = "PGPASSWORD"  # noqa: S105 - the name of a variable of libpq
KEPT: Final = frozenset(
    {
        *(
            "HOME",
            "HOSTNAME",
            "LANG",
            "LANGUAGE",
            "LD_LIBRARY_PATH",
            "LOGNAME",
            "PATH",
            "PWD",
            "SHELL",
            "TERM",
            "TMPDIR",
            "TZ",
        ),
        *("USER", "VIRTUAL_ENV"),
        *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "PATHEXT"),  # Windows
        *(
            "PROCESSOR_ARCHITECTURE",
            "PROGRAMDATA",
            "SYSTEMDRIVE",
            "SYSTEMROOT",
            "TEMP",
            "TMP",
            "USERNAME",
            "USERPROFILE",
        ),
        "WINDIR",
    }
)
KEPT_BEGINNINGS: Final = (
    "DYLD_", "LC_", "LUDOTHEQUE_", "MKL_", "MUJOCO_", "NUMBA_", "OMP_", "OPENBLAS_", "PG", "PYTHON", "XDG_",
)  # fmt: skip


def remove_secrets(environment: MutableMapping[str, str]) -> None:
    """Remove whatever is not known to be harmless."""
    for name in list(environment):
        upper = name.upper()
        known = upper in KEPT or upper.startswith(KEPT_BEGINNINGS)
        if not known or upper in (SETTINGS, PASSWORD, VARIABLE):
            del environment[name]


def with_password(database: str, environment: MutableMapping[str, str]) -> str:
    """A database's address with the password that libpq would read from the environment, if it has none itself."""
    password = environment.get(PASSWORD)
    try:
        url = make_url(database)
    except ArgumentError:
        return database  # whoever opens it says so
    if not password or url.password or url.get_backend_name() != "postgresql":
        return database
    return url.set(password=password).render_as_string(hide_password=False)
