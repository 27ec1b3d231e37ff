"""Builds the documentation site into out/docs: `python -m tools.site`. mkdocs.yml has its looks and its table of contents.

Pages come from `docs`, from the games' rules, from docstrings and from the commands' help. They are gathered with their links mended,
since a link to a source file leads nowhere on a site.
"""

import logging
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer

from ludotheque.cli.app import app
from ludotheque.cli.typer_texts import translated
from ludotheque.core import Catalogue, find_game, game_names, languages
from tools.reference import described_modules

PROJECT: Final = Path(__file__).parents[1]
PAGES: Final = PROJECT / "out" / "docs-pages"
LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE: Final = re.compile(r"(^`{3,}.*?^`{3,}$)", re.MULTILINE | re.DOTALL)
REFERENCE: Final = {
    "core": {
        "ludotheque.core.game": ("Game", "Position", "Legal", "Event", "Step", "Call"),
        "ludotheque.core.match": ("Match", "Entry"),
        "ludotheque.core.capabilities": (
            "Capabilities",
            "Live",
            "LiveTurn",
            "Hints",
            "Calls",
            "Weights",
            "BenchmarkCase",
        ),
        "ludotheque.core.options": ("Option", "Switch", "Number", "Choice", "Counts", "First", "starting_seat"),
        "ludotheque.core.player": ("Player", "Decision", "Thought"),
        "ludotheque.core.record": ("Record", "Seated", "write_record", "read_record", "verify"),
        "ludotheque.core.catalogue": ("Catalogue", "Text", "text", "languages"),
        "ludotheque.core.jsons": ("Reader",),
    },
    "kernels": {
        "ludotheque.kernels.layout": ("Layout", "Field", "MutableState"),
        "ludotheque.kernels.discrete": ("DiscreteGame", "DiscretePosition"),
        "ludotheque.kernels.rules": ("Rules", "RulesFunctions"),
        "ludotheque.kernels.random": ("seeded", "below", "next_word"),
        "ludotheque.kernels.batch": ("Batch",),
    },
    "bots": {
        "ludotheque.bots.naming": ("bot", "player_named"),
        "ludotheque.bots.random_player": ("RandomPlayer",),
        "ludotheque.conformance.cases": ("Case", "Check", "Broken", "cases", "checks_of"),
    },
}
"""What the reference describes: pages, modules and names."""


def main() -> None:
    """Gather the pages and build the site."""
    gather(PAGES)
    from mkdocs.commands.build import build  # noqa: PLC0415 - only whoever builds needs it
    from mkdocs.config import load_config  # noqa: PLC0415

    logging.basicConfig(
        format="%(levelname)s: %(message)s", level=logging.WARNING
    )  # a warning fails the build: show it
    build(load_config(str(PROJECT / "mkdocs.yml")))
    sys.stdout.write(f"{PROJECT / 'out' / 'docs' / 'index.html'}\n")


def gather(folder: Path) -> None:
    """Write every page of the site into a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for file in (*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md")):
        _write(folder, str(file.relative_to(PROJECT)), mended(file))
    (folder / "README.md").rename(folder / "index.md")
    shutil.copytree(PROJECT / "docs" / "pictures", folder / "docs" / "pictures")
    for language in languages():
        _write(folder, f"commands.{language}.md", commands_page(language))
        for name in game_names():
            # A second word after the language is for our page, which draws the block; Markdown here has no such thing.
            rules = re.sub(r"^(```\w+) \w+$", r"\1", find_game(name).rules_text(language), flags=re.MULTILINE)
            _write(folder, f"play/{name}.{language}.md", rules)
    for name, modules in REFERENCE.items():
        head = f"# Reference: {name}\n\nMade from the sources' docstrings."
        _write(folder, f"reference/{name}.md", "\n\n".join([head, described_modules(modules)]))


def _write(folder: Path, name: str, page: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(page, "utf-8")


def mended(file: Path) -> str:
    """A page with links to pages of the site; what they name otherwise stands there in words."""
    parts = FENCE.split(file.read_text("utf-8"))  # code is left as it is
    return "".join(part if number % 2 else _relinked(part, file) for number, part in enumerate(parts))


def _relinked(text: str, file: Path) -> str:
    def relink(link: re.Match[str]) -> str:
        picture, told, target = link.groups()
        path, sign, anchor = target.partition("#")
        led = (file.parent / path).resolve() if path else file
        if not _is_page(led):
            return told
        if led == PROJECT / "README.md":
            path = f"{path.removesuffix('README.md')}index.md"
        return f"{picture}[{told}]({path}{sign}{_anchor(led, anchor)})"

    return LINK.sub(relink, text)


def _anchor(file: Path, anchor: str) -> str:
    """An anchor as the site writes it: the second of two equal headings is `chance_1` there, not `chance-1`."""
    second = re.fullmatch(r"(.+)-(\d+)", anchor)
    if second is None:
        return anchor
    headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
    named = [re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings]
    return f"{second[1]}_{second[2]}" if anchor not in named else anchor


def _is_page(file: Path) -> bool:
    """Whether the site has what a link leads to."""
    if not file.is_file():
        return False
    docs = PROJECT / "docs"
    return file.is_relative_to(docs / "pictures") or (
        file.suffix == ".md" and (file.parent == PROJECT or file.is_relative_to(docs))
    )


def commands_page(language: str) -> str:
    """Every command with its `--help`, in a language."""
    catalogue = Catalogue("ludotheque")
    command: Any = typer.main.get_command(app)
    with translated(command, language):
        parts = [f"# {catalogue.say('typer.commands', language)}", *_described(command, "ludotheque")]
    return "\n\n".join(parts) + "\n"


def _described(command: Any, path: str) -> Iterator[str]:
    """A command and those below it: what it does, its arguments and its options."""
    yield f"## {path}" if path.count(" ") < 2 else f"### {path}"
    yield str(command.help or "")
    context = typer.Context(command, info_name=path)
    rows = [f"- `{_named(one)}`: {_meaning(one)}" for one in command.params if not getattr(one, "hidden", False)]
    yield "```text\n" + " ".join([path, *command.collect_usage_pieces(context)]) + "\n```"
    if rows:
        yield "\n".join(rows)
    for name, below in getattr(command, "commands", {}).items():
        yield from _described(below, f"{path} {name}")


def _named(parameter: Any) -> str:
    """What is typed for an argument or an option."""
    if not any(option.startswith("-") for option in parameter.opts):
        return str(parameter.name).upper()
    return ", ".join([*parameter.opts, *parameter.secondary_opts])


def _meaning(parameter: Any) -> str:
    """What a parameter means, with its default, on one line."""
    default = parameter.default
    shown = f" (`{default}`)" if isinstance(default, str | int | float) and not isinstance(default, bool) else ""
    return " ".join(str(getattr(parameter, "help", "") or "").split()) + shown


if __name__ == "__main__":
    main()
