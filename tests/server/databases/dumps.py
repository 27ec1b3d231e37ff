"""The databases of earlier versions: a folder a version, with gzipped SQL for each kind of database. They are never edited."""

import gzip
from pathlib import Path

FOLDER = Path(__file__).parent


def read_dump(version: str, kind: str) -> str:
    """The SQL that makes the database of a version."""
    return gzip.decompress((FOLDER / version / f"{kind}.sql.gz").read_bytes()).decode()


def write_dump(folder: Path, kind: str, lines: list[str]) -> None:
    """Keep the SQL of a database; the same lines give the same file."""
    text = "".join(line + "\n" for line in lines)
    (folder / f"{kind}.sql.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
