"""`ludotheque paths` and `ludotheque forget`: what the program keeps on this machine, and how to be rid of what can be made again."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import typer

from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.cli.warm import is_ours
from ludotheque.core import write_json
from ludotheque.paths import (
    CACHE_VARIABLE,
    DATA_VARIABLE,
    cache_root,
    compiler_lock,
    data_folder,
    database_file,
    matches_folder,
)

DATABASE_PARTS: Final = ("", "-wal", "-shm", ".key")
"""What lies beside a SQLite file: its journal while a server runs, and the key of the running games' seeds."""


def show_paths(
    ctx: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="help.paths.as-json")] = False,
    language: LanguageOption = None,
) -> None:
    """List what is kept on this machine, with sizes."""
    translator = translator_of(ctx, language)
    places = dict(_places())
    if as_json:
        found = {name: {"path": str(path), "bytes": size} for name, (path, size) in places.items()}
        typer.echo(write_json(found))
        return
    for name, (path, size) in places.items():
        told = translator.say("paths.nothing") if size is None else megabytes(size, translator)
        typer.echo(f"{translator.say(f'paths.{name}')}\n  {path}   {told}")
    typer.echo("\n" + translator.say("paths.moved", data=DATA_VARIABLE, cache=CACHE_VARIABLE))
    typer.echo(translator.say("paths.uninstall", folder=str(data_folder())))


def forget(ctx: typer.Context, language: LanguageOption = None) -> None:
    """Delete the cache. Tables and matches stay."""
    translator = translator_of(ctx, language)
    root = cache_root()
    ours = _cached()
    freed = sum(_size(folder) or 0 for folder in ours)
    for folder in ours:
        shutil.rmtree(folder, ignore_errors=True)  # what another process has just removed, or still holds on Windows
    compiler_lock().with_suffix(".lock").unlink(missing_ok=True)  # of a compiler that was killed
    for empty in (root, *([root.parent] if root.parent.name == "ludotheque" else [])):
        with suppress(OSError):  # there is something else in it, or it was never made
            empty.rmdir()
    left = [folder for folder in ours if folder.exists()]
    for folder in left:
        typer.echo(translator.say("forget.left", folder=str(folder)), err=True)
    typer.echo(translator.say("forget.done", size=megabytes(freed, translator), folder=str(root)))
    typer.echo(translator.say("forget.kept", folder=str(data_folder())))
    if left:
        raise typer.Exit(1)


def megabytes(size: int, translator: Translator) -> str:
    """A size as people read it."""
    return translator.say("paths.megabytes", size=translator.number(size / 1e6))


def _places() -> Iterator[tuple[str, tuple[Path, int | None]]]:
    """What is kept: its name in the catalogue, where it is, and its bytes; None where there is nothing."""
    database = database_file()
    yield "tables", (database, _total(database.with_name(database.name + part) for part in DATABASE_PARTS))
    key = data_folder() / "seeds.key"
    if key.exists():  # of a PostgreSQL, which has no file to lie beside
        yield "key", (key, _size(key))
    yield "matches", (matches_folder(), _size(matches_folder()))
    yield "cache", (cache_root(), _total(_cached()))


def _cached() -> list[Path]:
    """The folders of compiled rules: the cache may be among other things."""
    return [folder for folder in cache_root().glob("*-*") if is_ours(folder)]


def _total(paths: "Iterator[Path] | list[Path]") -> int | None:
    sizes = [size for size in map(_size, paths) if size is not None]
    return sum(sizes) if sizes else None


def _size(path: Path) -> int | None:
    """The bytes of a file, or of all files below a folder; None if there is none."""
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size if path.is_file() else None
