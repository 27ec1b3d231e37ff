"""What the page's worker loads: Pyodide, a zip of the Python modules that it needs, the games' kernels and their weights.

Also the answers that need no worker, as files. The page itself is built by `web/build_page.py`.
"""

import gzip
import hashlib
import importlib.util
import json
import shutil
import subprocess
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Final

from ludotheque import __version__, manual
from ludotheque.answers.games import game_card, rules_page, shown_examples, site_card
from ludotheque.browser.routes import FOR_EVER
from ludotheque.core import Game, Problem, languages
from ludotheque.kernels import DiscreteGame

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "src" / "ludotheque"
PYODIDE: Final = ROOT / "web" / "node_modules" / "pyodide"
PYTHON: Final = ("pyodide.asm.mjs", "pyodide.asm.wasm")
GROUP: Final = "ludotheque.games"
LOCK: Final = "pyodide-lock.json"
LIBRARY: Final = "python_stdlib.zip"
UNUSED: Final = """
_pydatetime _pyio _pyrepl bdb cProfile curses dbm doctest ensurepip ftplib html http idlelib imaplib lib2to3 mailbox mimetypes
modulefinder multiprocessing netrc optparse pdb pickletools plistlib poplib profile pstats pydoc smtplib sqlite3 tabnanny tarfile
timeit trace turtle unittest venv webbrowser wsgiref xml xmlrpc zipapp
"""
"""Parts of the standard library that neither Pyodide nor our modules import."""
ENCODINGS: Final = "__init__ aliases ascii cp437 idna latin_1 punycode raw_unicode_escape utf_8 utf_16"
"""The encodings that may be asked for; there are a hundred others."""
OURS: Final = ("core", "kernels", "bots", "table", "analysis", "answers", "browser")
"""The packages that the worker imports from; `games` besides."""
TEXTS: Final = (".py", ".json", ".md")
LEFT_OUT: Final = ("yardstick.jsonl", "training.json")
WEIGHTS: Final = "weights.npz"
WORTH_PACKING: Final = 50_000  # bytes
PACKS_WELL: Final = 0.8
NOTICE: Final = """Pyodide is subject to the terms of the Mozilla Public License, v. 2.0 (https://mozilla.org/MPL/2.0/).
Its source code: {home}

It contains CPython and modules of its standard library, copyright 2001 Python Software Foundation; all rights reserved.
They are under the PSF License Agreement (https://docs.python.org/3/license.html). The modules are compiled here, otherwise unchanged.
"""
EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the same bytes for the same files


@cache
def declared() -> dict[str, str]:
    """Our games and where their objects are, as pyproject.toml has them: where a wheel is built, nothing is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    points: dict[str, str] = project["entry-points"][GROUP]
    return points


@cache
def our_game(name: str) -> Game:
    """One of our games."""
    game = EntryPoint(name, declared()[name], GROUP).load()
    assert isinstance(game, Game)
    return game


def playable() -> list[str]:
    """The games that are played in a browser: ours whose rules are kernels."""
    return [name for name in sorted(declared()) if isinstance(our_game(name), DiscreteGame)]


def folder_of(game: str) -> str:
    """A game's folder in the package."""
    return f"games/{game.replace('-', '_')}"


def modules(games: list[str]) -> Iterator[Path]:
    """The files of the package that go into the zip."""
    yield from sorted(file for file in PACKAGE.glob("*.py") if file.name != "__main__.py")
    yield from sorted((PACKAGE / "locales").glob("*.json"))
    yield PACKAGE / "games" / "__init__.py"
    for place in (*OURS, *map(folder_of, games)):
        for file in sorted((PACKAGE / place).rglob("*")):
            if file.suffix in TEXTS and file.name not in LEFT_OUT and "__pycache__" not in file.parts:
                yield file


def write_code(target: Path, games: list[str]) -> None:
    """Write the zip: the modules, and what says that the package is installed and which games it has."""
    info = f"ludotheque-{__version__}.dist-info"
    points = "".join(f"{name} = {declared()[name]}\n" for name in games)
    extra = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: ludotheque\nVersion: {__version__}\n",
        f"{info}/entry_points.txt": f"[{GROUP}]\n{points}",
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in modules(games):
            name = f"ludotheque/{file.relative_to(PACKAGE).as_posix()}"
            archive.writestr(_entry(name), _slim(file), zipfile.ZIP_DEFLATED)
        for name, text in extra.items():
            archive.writestr(_entry(name), text, zipfile.ZIP_DEFLATED)


def compile_code(folder: Path, games: list[str]) -> None:
    """Write the zips with compiled modules, ours and Python's own: Pyodide's Python compiles them, in Node.

    Compiling at each start would take longer than everything else that the worker does until it is ready.
    """
    library = PYODIDE / LIBRARY
    with zipfile.ZipFile(library) as archive:
        encodings = {Path(name).stem for name in archive.namelist() if name.startswith("encodings/")}
    unused = [*UNUSED.split(), *(f"encodings/{name}" for name in sorted(encodings - set(ENCODINGS.split())))]
    with tempfile.TemporaryDirectory() as place:
        sources = Path(place) / "sources.zip"
        write_code(sources, games)
        _compile(sources, folder / "ludotheque.zip")
        _compile(library, folder / LIBRARY, *unused)


def _compile(source: Path, target: Path, *without: str) -> None:
    environment, _ = _builder().node_tools()
    node = shutil.which("node", path=environment["PATH"]) or "node"
    command = [node, "scripts/compile.mjs", str(source), str(target), *without]
    subprocess.run(command, cwd=ROOT / "web", env=environment, check=True)


def _builder() -> Any:
    """web/build_page.py, which is no part of a package: it knows where Node is."""
    spec = importlib.util.spec_from_file_location("build_page", ROOT / "web" / "build_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _entry(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(name, EPOCH)


def _slim(file: Path) -> str:
    """A file's text; catalogues without what only the page says, since it has that already."""
    text = file.read_text("utf-8")
    if file.parent.name != "locales":
        return text
    kept = {key: value for key, value in json.loads(text).items() if not key.startswith("page.")}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def write_answers(target: Path, here: list[str]) -> None:
    """Write the answers that need no worker. Games that are not played here are shown all the same."""
    target.mkdir()
    shown = [our_game(name) for name in sorted(declared())]
    cards = [{**game_card(game), "playable": game.name in here} for game in shown]
    _write(target / "games.json", {"games": cards})
    _write(target / "site.json", site_card((), FOR_EVER, None, read_only=False))
    topics = [
        {"name": one.name, "hosts": one.hosts, "words": {tag: manual.title(one.name, tag) for tag in languages()}}
        for one in manual.TOPICS
    ]
    _write(target / "help.json", {"topics": topics})
    for topic in manual.TOPICS:
        for language in languages():
            page = manual.page(topic.name, language, lambda name: f"/help/{name}")
            (target / f"help-{topic.name}-{language}.md").write_text(page, "utf-8")
    for game in shown:
        _write(target / f"examples-{game.name}.json", shown_examples(game))
        for language in languages():
            _write_rules(target, game, language)


def _write_rules(target: Path, game: Game, language: str) -> None:
    try:
        text = rules_page(game, language)
    except Problem:  # a game without a rules page
        return
    (target / f"rules-{game.name}-{language}.md").write_text(text, "utf-8")


def _write(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")), "utf-8")


def assemble(target: Path, kernels: Path, server: str | None = None) -> Path:
    """Put everything into a folder that is named by its content, inside `target/assets`; `target/host.json` names it.

    `kernels` is the folder with a WASM module for each game, `server` a server that a static site leads to. Returns the
    folder.
    """
    games = playable()
    folder = target / "assets" / "host"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in PYTHON:
        shutil.copyfile(PYODIDE / name, folder / name)
    lock = json.loads((PYODIDE / LOCK).read_text("utf-8"))
    _write(folder / LOCK, {**lock, "packages": {}})  # none of them is loaded
    weights: dict[str, str] = {}
    for game in games:
        shutil.copyfile(kernels / f"{game}.wasm", folder / f"{game}.wasm")
        learned = PACKAGE / folder_of(game) / WEIGHTS
        if learned.is_file():
            shutil.copyfile(learned, folder / f"{game}.npz")
            weights[game] = f"ludotheque/{folder_of(game)}/{WEIGHTS}"
    compile_code(folder, games)
    write_answers(folder / "answers", games)
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.relative_to(folder).as_posix()}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    named = folder.with_name(f"host-{digest.hexdigest()[:12]}")
    shutil.rmtree(named, ignore_errors=True)
    folder.rename(named)
    loaded = [named / name for name in (*PYTHON, LOCK, LIBRARY, "ludotheque.zip", *(f"{game}.wasm" for game in games))]
    _write(
        target / "host.json",
        {
            "folder": f"assets/{named.name}/",
            "games": games,
            "weights": weights,
            "bytes": sum(file.stat().st_size for file in loaded),
            "compressed": sum(len(gzip.compress(file.read_bytes(), 6, mtime=0)) for file in loaded),
            **({"server": server} if server else {}),
        },
    )
    return named


def add_notice(target: Path) -> None:
    """Name Pyodide and its Python among the licences of what the page has; nothing to do if they are there."""
    file, facts = target / "notices.txt", json.loads((PYODIDE / "package.json").read_text("utf-8"))
    heading = f"## pyodide {facts['version']} ({facts['license']})"
    told = file.read_text("utf-8")
    if heading not in told:
        file.write_text(f"{told.rstrip()}\n\n{heading}\n\n{NOTICE.format(home=facts['homepage'])}", "utf-8")


def pack(folder: Path) -> None:
    """Keep files that compress well as `.gz` alone: a server sends them as they are. Static hosts compress by themselves."""
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.stat().st_size >= WORTH_PACKING:
            packed = gzip.compress(file.read_bytes(), 9, mtime=0)
            if len(packed) < PACKS_WELL * file.stat().st_size:
                file.with_name(f"{file.name}.gz").write_bytes(packed)
                file.unlink()
