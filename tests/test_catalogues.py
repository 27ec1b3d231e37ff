"""Catalogues: well-formed, the same in every language, each key used and each used key there; and a third language needs no code.

What is scanned are the sources themselves: Python by its syntax tree, the page by the strings in it.
"""

import ast
import json
import os
import re
import shutil
import string
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
SOURCES = PROJECT / "src" / "ludotheque"
WEB = PROJECT / "web" / "src"
GAMES = sorted(path.parent for path in (SOURCES / "games").glob("*/locales"))
PACKAGES = [SOURCES, *GAMES]
PLURAL = re.compile(r"_(zero|one|two|few|many|other)$")
KEY = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)+(_(zero|one|two|few|many|other))?")
SAYING = {"text", "say", "fail", "as_text"}  # functions whose first argument is a key
FRENCH = re.compile(r"[àâçéèêëîïôùûœ«»]|\b(est|les|une|des|n'|d'|l'|pas|ne|sont|cette|votre|vous)\b", re.IGNORECASE)


def title(package: Path) -> str:
    return package.name


def catalogue(package: Path, language: str) -> Mapping[str, str]:
    read: Mapping[str, str] = json.loads((package / "locales" / f"{language}.json").read_text("utf-8"))
    return read


def languages_of(package: Path) -> list[str]:
    return sorted(file.stem for file in (package / "locales").glob("*.json"))


def stem(key: str) -> str:
    """A key without the suffix of its plural form."""
    return PLURAL.sub("", key)


def whole(key: str) -> bool:
    """Not a form for one or a few: "one marble" may do without its number."""
    return PLURAL.search(key) is None or key.endswith("_other")


def stems(package: Path) -> set[str]:
    return {stem(key) for key in catalogue(package, "en")}


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


# The files


@pytest.mark.parametrize("package", PACKAGES, ids=title)
def test_every_catalogue_is_sorted_and_well_formed(package: Path) -> None:
    for language in languages_of(package):
        file = package / "locales" / f"{language}.json"
        sentences = catalogue(package, language)
        in_order = dict(sorted(sentences.items()))
        assert file.read_text("utf-8") == json.dumps(in_order, ensure_ascii=False, indent=2) + "\n", file
        assert all(isinstance(sentence, str) for sentence in sentences.values())
        for key, sentence in sentences.items():
            assert all(name.isidentifier() for name in placeholders(sentence)), key
            if PLURAL.search(key):
                assert f"{stem(key)}_other" in sentences, f"{file}: {key}"
                assert stem(key) not in sentences, f"{file}: {key}"


def test_keys_of_the_program_are_dotted_lower_case_words() -> None:
    assert [key for key in catalogue(SOURCES, "en") if not KEY.fullmatch(key)] == []


@pytest.mark.parametrize("package", PACKAGES, ids=title)
def test_every_language_has_the_same_keys_and_placeholders(package: Path) -> None:
    english = catalogue(package, "en")
    needed = {stem(key): placeholders(sentence) for key, sentence in english.items() if whole(key)}
    for language in languages_of(package):
        sentences = catalogue(package, language)
        assert {stem(key) for key in sentences} == set(needed), language
        for key, sentence in sentences.items():
            assert placeholders(sentence) <= needed[stem(key)], f"{language}: {key}"
            if whole(key):
                assert placeholders(sentence) == needed[stem(key)], f"{language}: {key}"


# Keys in code


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def python_files(*folders: Path) -> list[Path]:
    return sorted(file for folder in folders for file in folder.rglob("*.py"))


@cache
def problems() -> frozenset[str]:
    """The names of Problem and of all classes derived from it."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for file in python_files(SOURCES)
        for node in ast.walk(tree(file))
        if isinstance(node, ast.ClassDef)
    }
    found = {"Problem"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return frozenset(found)


def pattern(node: ast.AST) -> "re.Pattern[str]":
    """What a string in code may be: itself, or an f-string with anything in its gaps."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return re.compile("".join(re.escape(str(one.value)) if isinstance(one, ast.Constant) else ".+" for one in parts))


def scanned() -> list[Path]:
    return python_files(SOURCES, PROJECT / "bench", PROJECT / "tools")


def is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def branches(node: ast.expr) -> Iterator[ast.expr]:
    """A key that is chosen by a condition is one of several."""
    if isinstance(node, ast.IfExp):
        yield from branches(node.body)
        yield from branches(node.orelse)
    else:
        yield node


def called(node: ast.Call) -> str:
    function = node.func
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def keys_asked_for(file: Path) -> Iterator[tuple[int, "re.Pattern[str]", bool]]:
    """The keys that stand where code asks for a sentence: their lines, and whether a game's catalogue is asked."""
    foreign = {
        alias.asname or alias.name
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Import)
        or (isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("ludotheque") and not node.level)
        for alias in node.names
    }
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call) and node.args and called(node) in SAYING | problems():
            function = ast.unparse(node.func)
            if function.split(".")[0] in foreign:
                continue
            of_game = function.lower().endswith(("catalogue.say", "catalogue.text"))
            yield from ((node.lineno, pattern(one), of_game) for one in branches(node.args[0]) if is_string(one))


@cache
def strings(*folders: Path) -> "tuple[set[str], list[re.Pattern[str]]]":
    """All strings of the Python sources in some folders, and the patterns of their f-strings that look like keys."""
    plain: set[str] = set()
    patterns: list[re.Pattern[str]] = []
    for file in python_files(*folders):
        for node in ast.walk(tree(file)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                plain.add(node.value)
            elif isinstance(node, ast.JoinedStr) and re.match(r"[a-z-]+\\\.", (found := pattern(node)).pattern):
                patterns.append(found)
    return plain, patterns


@cache
def page_strings() -> "tuple[set[str], list[re.Pattern[str]]]":
    """All short strings of the page's sources, and the patterns of its templates."""
    plain: set[str] = set()
    patterns: list[re.Pattern[str]] = []
    for file in (path for path in WEB.rglob("*") if path.suffix in (".ts", ".svelte")):
        text = file.read_text("utf-8")
        plain.update(re.findall(r"""["'`]([\w.+-]{1,80})["'`]""", text))
        plain.update(re.findall(r"([\w-]+):", text))  # names of objects' fields, by which some keys are made
        for template in re.findall(r"`([^`\n]*\$\{[^`\n]*)`", text):
            parts = re.split(r"\$\{[^}]*\}", template)
            if re.fullmatch(r"[\w.-]*", "".join(parts)) and any(parts):
                patterns.append(re.compile(".+".join(map(re.escape, parts))))
    return plain, patterns


def used_on_page(key: str) -> bool:
    """Whether the page can ask for a key; `page.` is its own part of a catalogue."""
    plain, templates = page_strings()
    names = {key, key.removeprefix("page.")}
    return bool(names & plain) or any(one.fullmatch(name) for one in templates for name in names)


def test_every_key_that_code_asks_for_is_there() -> None:
    known = stems(SOURCES)
    games = {game: stems(game) for game in GAMES}
    missing = []
    for file in scanned():
        own = next((games[game] for game in GAMES if game in file.parents), None)
        for line, key, of_game in keys_asked_for(file):
            asked = known | (own if own is not None else set().union(*games.values()) if of_game else set())
            if not any(key.fullmatch(one) for one in asked):
                missing.append(f"{file.relative_to(PROJECT)}:{line} {key.pattern}")
    assert missing == []


def test_no_key_of_the_program_is_unused() -> None:
    plain, patterns = strings(SOURCES, PROJECT / "bench")
    keys = [key for key in sorted(stems(SOURCES)) if not used_on_page(key)]
    assert [key for key in keys if key not in plain and not any(one.fullmatch(key) for one in patterns)] == []


@pytest.mark.parametrize("game", GAMES, ids=title)
def test_no_key_of_a_game_is_unused(game: Path) -> None:
    """The shared code asks for `event.…`, `study.…` and others by the names that the game's own code has."""
    own, patterns = strings(game)
    shared, _ = strings(SOURCES)
    made = ("action.", "board.", "cell.", "option.", "puzzle.", "seat.", "view.")
    keys = [key for key in sorted(stems(game)) if not used_on_page(key) and not key.startswith(made)]
    keys = [key for key in keys if key not in shared and not any(one.fullmatch(key) for one in patterns)]
    assert [key for key in keys if key.partition(".")[2] not in own] == []


# No pairs of languages in code


def pairs(file: Path) -> Iterator[int]:
    """Lines where a call or a list has a sentence beside its French one, or where code knows a language by name."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(isinstance(side, ast.Constant) and side.value == "fr" for side in sides):
                yield node.lineno
        elif isinstance(node, ast.Dict):
            names = {key.value for key in node.keys if isinstance(key, ast.Constant)}
            if {"en", "fr"} <= names:
                yield node.lineno
        elif isinstance(node, ast.Call | ast.Tuple):
            parts = node.args if isinstance(node, ast.Call) else node.elts
            said = [pattern(one).pattern for one in parts if is_string(one)]
            said = [one for one in said if re.search(r"\w\\? \w", one)]
            if len(said) > 1 and any(FRENCH.search(one) for one in said) and not all(map(FRENCH.search, said)):
                yield node.lineno


def test_code_has_no_sentences_in_pairs_of_languages() -> None:
    found = [f"{file.relative_to(PROJECT)}:{line}" for file in scanned() for line in pairs(file)]
    assert found == []


# A third language

GERMAN_PROGRAM = {
    "games.more": "Spielen: ludotheque play {game}   Regeln: ludotheque rules {game}",
    "game.unknown-near": "Das Spiel „{name}“ gibt es nicht. Meinten Sie „{near}“?",
    "help.games": "Die installierten Spiele auflisten.",
    "number.decimal": ",",
    "typer.no-such-command": "Den Befehl „{name}“ gibt es nicht.",
}
GERMAN_GAME = {"game.about": "Würfel und Reihen für zwei", "seat.0": "Rot"}
TELL = """
import json
from ludotheque.core import Event, find_game, languages, read_record, BadRecord, text
game = find_game("yam-master")
try:
    find_game("yam-mastr")
except ValueError as problem:
    said = problem.text.translations()
print(json.dumps([languages(), said["de"], game.tell(Event("roll", {"player": 0, "dice": "123"}), "de"), game.seat_name(0, "de")]))
"""


@pytest.fixture(scope="module")
def with_german(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a copy of the package with two more files and no change of code."""
    folder = tmp_path_factory.mktemp("german")
    shutil.copytree(SOURCES, folder / "ludotheque", ignore=shutil.ignore_patterns("__pycache__", "static"))
    game = {**GERMAN_GAME, "event.roll": "{player} würfelt {dice}"}
    for package, sentences in (("", GERMAN_PROGRAM), ("games/yam_master/", game)):
        (folder / f"ludotheque/{package}locales/de.json").write_text(json.dumps(sentences), "utf-8")
    return {**os.environ, "PYTHONPATH": str(folder), "LANG": "de_DE.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}


def run(environment: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


def test_the_command_line_speaks_a_language_that_was_added(with_german: dict[str, str]) -> None:
    listed = run(with_german, "-m", "ludotheque", "games")
    assert "Würfel und Reihen für zwei" in listed.stdout, listed.stderr
    assert "Spielen: ludotheque play" in listed.stdout
    assert "Marbles" in listed.stdout or "Wykersham" in listed.stdout  # a game without German reads English
    assert "Die installierten Spiele auflisten." in run(with_german, "-m", "ludotheque", "games", "--help").stdout
    assert "Den Befehl „pley“ gibt es nicht." in run(with_german, "-m", "ludotheque", "pley").stderr
    named = run({**with_german, "LANG": "C"}, "-m", "ludotheque", "--language", "de", "rules", "yam-mastr")
    assert named.stderr == "Das Spiel „yam-mastr“ gibt es nicht. Meinten Sie „yam-master“?\n"


def test_an_error_and_an_event_are_told_in_a_language_that_was_added(with_german: dict[str, str]) -> None:
    told = run(with_german, "-c", TELL)
    assert told.returncode == 0, told.stderr
    languages, error, event, seat = json.loads(told.stdout)
    assert languages == ["en", "de", "fr"]
    assert error == "Das Spiel „yam-mastr“ gibt es nicht. Meinten Sie „yam-master“?"
    assert (event, seat) == ("Rot würfelt 123", "Rot")
