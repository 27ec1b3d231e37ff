"""Copies the database while the server runs.

To restore a copy, stop the server and put the file in place (SQLite) or use pg_restore.
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
        raise BadRequest("server.backup.exists", file=str(target))
    try:
        url = make_url(database)
    except ArgumentError as error:
        raise BadRequest("server.backup.no-database", address=shortened(database)) from error
    if url.get_backend_name() == "sqlite":
        source = Path(url.database or "")
        if not source.is_file():
            raise BadRequest("server.backup.missing", file=str(source))
        try:
            with contextlib.closing(sqlite3.connect(source)) as old, contextlib.closing(sqlite3.connect(target)) as new:
                old.backup(new)
        except sqlite3.Error as error:
            target.unlink(missing_ok=True)
            raise BadRequest("server.backup.failed", file=str(source), target=str(target), error=str(error)) from error
    else:
        program = shutil.which("pg_dump")
        if program is None:
            raise BadRequest("server.backup.needs-pg-dump")
        plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
        done = subprocess.run(  # noqa: S603 - the operator's own command line
            [program, "--format=custom", f"--file={target}", plain], check=False, capture_output=True, text=True
        )
        if done.returncode:
            raise BadRequest("server.backup.pg-dump-failed", error=done.stderr.strip()[:300])
    return target.stat().st_size
