"""A copy of the database while the server goes on.

Putting a copy back means: stop the server, move the file to its place (SQLite) or pg_restore it.
"""

import contextlib
import shutil
import sqlite3
import subprocess
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from ludotheque.core import BadRequest
from ludotheque.core.problems import shortened


def back_up(database: str, target: Path) -> int:
    """Write the copy and return its size; nothing is overwritten."""
    if target.exists():
        raise BadRequest(
            f"{target} exists already; name a new file.", f"{target} existe déjà ; nommez un nouveau fichier."
        )
    try:
        url = make_url(database)
    except ArgumentError as error:
        raise BadRequest(
            f'"{shortened(database)}" is no database; name it as for serve.',
            f"« {shortened(database)} » n'est pas une base de données ; nommez-la comme pour serve.",
        ) from error
    if url.get_backend_name() == "sqlite":
        source = Path(url.database or "")
        if not source.is_file():
            raise BadRequest(f"There is no database at {source}.", f"Il n'y a pas de base de données à {source}.")
        try:
            with contextlib.closing(sqlite3.connect(source)) as old, contextlib.closing(sqlite3.connect(target)) as new:
                old.backup(new)
        except sqlite3.Error as error:
            target.unlink(missing_ok=True)
            raise BadRequest(
                f"{source} cannot be copied to {target}: {error}.",
                f"{source} ne peut pas être copié vers {target} : {error}.",
            ) from error
    else:
        program = shutil.which("pg_dump")
        if program is None:
            raise BadRequest(
                "pg_dump is needed to copy a PostgreSQL; it comes with PostgreSQL's client programs.",
                "Il faut pg_dump pour copier un PostgreSQL ; il vient avec ses programmes clients.",
            )
        plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
        done = subprocess.run(  # noqa: S603 - the operator's own command line
            [program, "--format=custom", f"--file={target}", plain], check=False, capture_output=True, text=True
        )
        if done.returncode:
            raise BadRequest(f"pg_dump says: {done.stderr.strip()[:300]}", f"pg_dump dit : {done.stderr.strip()[:300]}")
    return target.stat().st_size
