"""`ludotheque doctor`: looks at everything that a table needs on this machine, and says what to mend.

It changes nothing: no folder is made, no database is migrated. Each look is a function that yields findings.
"""

import os
import platform
import shutil
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from ludotheque import extras
from ludotheque.cli.translator import LanguageOption, translator_of
from ludotheque.core import Game, Problem, Text, find_game, game_names, text, write_json
from ludotheque.core.problems import reason
from ludotheque.paths import cache_root, data_folder

State = Literal["well", "note", "ill"]
"""Ready; works, but slower or not everything; has to be mended."""
SIGNS: Final = {"well": "✓", "note": "·", "ill": "✗"}
STARTS: Final[dict[str, State]] = {"games": "well", "cold-module": "note", "cold": "note"}
"""How games start, by the name of the sentence: with compiled rules, with their modules, interpreted."""
LEAST_FREE: Final = 200_000_000  # bytes on the disk of the tables


@dataclass(frozen=True)
class Finding:
    """What one look has found: what it looked at, how that is, and a sentence that says what to do if it is not well."""

    subject: str
    state: State
    told: Text


def doctor(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="help.serve.host")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="help.serve.port")] = 8000,
    database: Annotated[str | None, typer.Option(help="help.serve.database")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="help.doctor.as-json")] = False,
    language: LanguageOption = None,
) -> None:
    """Look at ports, folders, the database, the page, compiled rules and extras; says what to mend."""
    translator = translator_of(ctx, language)
    found: list[Finding] = []
    for finding in _examine(host, port, database):
        found.append(finding)
        if not as_json:
            typer.echo(f"{SIGNS[finding.state]} {finding.told.sentence(translator.language)}")
    ill = sum(finding.state == "ill" for finding in found)
    if as_json:
        rows = [
            {"subject": one.subject, "state": one.state, "sentence": one.told.sentence(translator.language)}
            for one in found
        ]
        typer.echo(write_json({"well": not ill, "findings": rows}))
    else:
        typer.echo("\n" + translator.say("doctor.ill" if ill else "doctor.well", count=ill))
    if ill:
        raise typer.Exit(1)


def _examine(host: str, port: int, database: str | None) -> Iterator[Finding]:
    yield from look_at_python()
    yield from look_at_folder("data", data_folder())
    yield from look_at_folder("cache", cache_root())
    yield from look_at_port(host, port)
    yield from look_at_database(database)
    yield from look_at_page()
    yield from look_at_games()
    yield from look_at_internals()
    yield from look_at_extras()


def look_at_python() -> Iterator[Finding]:
    """Python and the machine."""
    told = {"version": platform.python_version(), "system": platform.system(), "machine": platform.machine()}
    if sys.platform == "darwin" and platform.machine() == "x86_64":
        yield Finding("python", "note", text("doctor.intel-mac", **told))
    else:
        yield Finding("python", "well", text("doctor.python", **told))


def look_at_folder(name: str, folder: Path) -> Iterator[Finding]:
    """Whether a folder can be written, or made; and for the tables, whether the disk has room."""
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    facts = {"folder": str(folder)}
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        yield Finding(name, "ill" if name == "data" else "note", text(f"doctor.{name}-unwritable", **facts))
        return
    free = shutil.disk_usage(nearest).free
    if name == "data" and free < LEAST_FREE:
        yield Finding(name, "ill", text("doctor.disk-full", free=round(free / 1e6), **facts))
        return
    yield Finding(name, "well", text(f"doctor.{name}", **facts))


def look_at_port(host: str, port: int) -> Iterator[Finding]:
    """Whether a server could listen there."""
    address = f"{host}:{port}"
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as sock:
        if sys.platform != "win32":  # there it would allow two servers on one port
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, port))
        except OSError as error:
            yield Finding("port", "ill", text("doctor.port-taken", address=address, why=reason(error)))
            return
    yield Finding("port", "well", text("doctor.port", address=address))


def look_at_database(address: str | None) -> Iterator[Finding]:
    """Whether the database can be opened, has this version's tables, and is free."""
    from sqlalchemy.engine import make_url  # noqa: PLC0415 - not for `--help`
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415

    from ludotheque.server.database import exclusive, open_current_database  # noqa: PLC0415
    from ludotheque.server.settings import default_database  # noqa: PLC0415

    address = address or default_database()
    try:
        url = make_url(address)
        new = url.get_backend_name() == "sqlite" and bool(url.database) and not Path(str(url.database)).exists()
        if new:
            yield Finding("database", "well", text("doctor.database-new", file=str(url.database)))
            return
        engine = open_current_database(address)
    except ArgumentError:
        yield Finding("database", "ill", text("server.database.unreadable", address=address))
        return
    except Problem as problem:
        yield Finding("database", "ill", problem.text)
        return
    try:
        with exclusive(engine):
            yield Finding("database", "well", text("doctor.database", address=url.render_as_string()))
    except Problem as problem:
        yield Finding("database", "note", problem.text)
    finally:
        engine.dispose()


def look_at_page() -> Iterator[Finding]:
    """Whether the page was built."""
    from ludotheque.server.page import FOLDER  # noqa: PLC0415

    built = (FOLDER / "index.html").is_file()
    yield Finding("page", "well" if built else "ill", text("doctor.page" if built else "doctor.no-page"))


def look_at_games() -> Iterator[Finding]:
    """Whether every game loads, and whether its rules are compiled."""
    names = game_names()
    if not names:
        yield Finding("games", "ill", text("doctor.no-games"))
    found: dict[str, list[str]] = {}
    for name in names:
        try:
            found.setdefault(_start_of(find_game(name)), []).append(name)
        except Problem as problem:
            yield Finding("games", "ill", problem.text)
    for start, state in STARTS.items():
        if start in found:
            yield Finding("games", state, text(f"doctor.{start}", games=", ".join(found[start])))


def _start_of(game: Game) -> str:
    """How a game starts: compiled, by its module, or interpreted."""
    from ludotheque.cli.warm import is_warm  # noqa: PLC0415
    from ludotheque.kernels import DiscreteGame  # noqa: PLC0415
    from ludotheque.kernels.cache_keys import is_compiled  # noqa: PLC0415
    from ludotheque.kernels.cold_start import has_module  # noqa: PLC0415

    if is_warm(game.name):
        return "games"
    if not isinstance(game, DiscreteGame):
        return "cold"
    return "games" if is_compiled(game.folder) else "cold-module" if has_module(game) else "cold"


def look_at_internals() -> Iterator[Finding]:
    """What we use of other packages beyond their documented interfaces, and two MuJoCos over each other."""
    from ludotheque.kernels import jit  # noqa: PLC0415

    problems = {"numba": jit.CACHE_PROBLEM, "picows": _picows(), "mujoco": _mujoco()}
    for name, problem in problems.items():
        if problem is not None:
            yield Finding(name, "note", text(f"doctor.{name}", version=_version(name), why=problem))
    viewer, core = _version("mujoco"), _version("mujoco-core")
    if viewer and core and viewer.partition(".")[0] != core.partition(".")[0]:
        yield Finding("mujoco", "ill", text("doctor.two-mujocos", one=viewer, other=core))
    elif not any(problems.values()):
        yield Finding("internals", "well", text("doctor.internals"))


def _picows() -> str | None:
    try:
        from ludotheque.server.websocket import check_picows  # noqa: PLC0415 - may be missing
    except (ImportError, AttributeError) as error:
        return str(error)
    return check_picows()


def _mujoco() -> str | None:
    try:
        from ludotheque.games.yikerz.magnets.mujoco_library import MISSING  # noqa: PLC0415
    except Problem as problem:
        return str(problem)
    return ", ".join(MISSING) or None


def _version(name: str) -> str:
    try:
        return version("mujoco-core" if name == "mujoco" and not _is_there("mujoco") else name)
    except PackageNotFoundError:
        return ""


def _is_there(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def look_at_extras() -> Iterator[Finding]:
    """Which extras are here, and the lines that add the others."""
    for extra in extras.MODULES:
        if extras.is_installed(extra):
            yield Finding(extra, "well", text("doctor.extra", extra=extra))
        else:
            line = extras.line_that_adds(extra)
            what = text(f"doctor.extra-{extra}")
            yield Finding(extra, "note", text("doctor.no-extra", extra=extra, what=what, line=line))
