"""Copies the database, and the key of its seeds, while the server runs.

To restore a copy, stop the server and put both files in place (SQLite) or use pg_restore.
"""

import contextlib
import os
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from ludotheque.core import BadRequest
from ludotheque.core.problems import shortened, unwritable
from ludotheque.server.seed_key import key_file_of, read_key, write_privately


@dataclass(frozen=True, slots=True)
class Copy:
    """What was written: the database's size in bytes, and the copy of its key if there was one."""

    size: int
    key_source: Path
    key: Path | None


def back_up(database: str, target: Path, seed_key: str | None = None) -> Copy:
    """Write the copies; nothing is overwritten. The key's has the name of the database's with `.key` after it."""
    key_target = target.with_name(f"{target.name}.key")
    for file in (target, key_target):
        if file.exists():
            raise BadRequest("server.backup.exists", file=str(file))
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
        plain = url.set(drivername="postgresql")._replace(password=None).render_as_string(hide_password=False)
        password = {} if url.password is None else {"PGPASSWORD": str(url.password)}  # others can read a command line
        done = subprocess.run(  # noqa: S603 - the operator's own command line
            [program, "--format=custom", f"--file={target}", plain],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, **password},
        )
        if done.returncode:
            raise BadRequest("server.backup.pg-dump-failed", error=done.stderr.strip()[:300])
    source = key_file_of(url, seed_key)
    if read_key(source) is None:
        return Copy(target.stat().st_size, source, None)
    try:
        write_privately(key_target, source.read_text("utf-8"))
    except OSError as error:
        target.unlink(missing_ok=True)
        raise unwritable(key_target, error) from error
    return Copy(target.stat().st_size, source, key_target)
