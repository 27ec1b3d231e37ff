"""The databases of earlier versions: a folder a version, with gzipped SQL for each kind of database. They are never edited."""

import gzip
from pathlib import Path

FOLDER = Path(__file__).parent
KEY = "seeds.key"
"""The key that seals the seeds of a version's databases, since 0004."""


def read_dump(version: str, kind: str) -> str:
    """The SQL that makes the database of a version."""
    return gzip.decompress((FOLDER / version / f"{kind}.sql.gz").read_bytes()).decode()


def key_option(version: str) -> tuple[str, ...]:
    """How a server is told the key of a version's databases."""
    key = FOLDER / version / KEY
    return ("--seed-key", str(key)) if key.exists() else ()


def write_dump(folder: Path, kind: str, lines: list[str]) -> None:
    """Keep the SQL of a database; the same lines give the same file."""
    text = "".join(line + "\n" for line in lines)
    (folder / f"{kind}.sql.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
