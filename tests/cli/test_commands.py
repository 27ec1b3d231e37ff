"""The commands around playing: help, games, rules, records, warm, bench; quick, in both languages, and clear about bad input."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from ludotheque import __version__
from ludotheque.cli.app import app
from ludotheque.cli.typer_texts import TYPERS_OPTIONS
from ludotheque.cli.warm import remove_old_folders
from ludotheque.core import Catalogue, Dice, Match, find_game, game_names, languages, write_json, write_record
from ludotheque.core.examples import with_captions
from ludotheque.server.database import exclusive, open_database
from ludotheque.server.logging_setup import logging_config


def run(*arguments: str, typed: str = "", **environment: str) -> Result:
    """Run the command in this process, in English unless told otherwise."""
    speaking = {"LC_ALL": None, "LC_MESSAGES": None, "LANG": "C.UTF-8", "COLUMNS": "200", "NO_COLOR": None}
    return CliRunner().invoke(app, arguments, input=typed, env={**speaking, **environment})


def run_process(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run the command as a process of its own."""
    command = [sys.executable, "-m", "ludotheque", *arguments]
    settings = {**os.environ, "LC_ALL": "C.UTF-8", **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False, env=settings)


def refused(done: Result, words: str) -> None:
    """A problem is one sentence on standard error, and exit status 2."""
    assert done.exit_code == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_version_is_told() -> None:
    assert run("--version").stdout == f"ludotheque {__version__}\n"


@pytest.mark.parametrize("typed", [[], ["--language", "fr"]])
def test_without_a_word_the_table_opens_as_serve_opens_it(monkeypatch: pytest.MonkeyPatch, typed: list[str]) -> None:
    opened = []
    monkeypatch.setattr("ludotheque.server.run.serve", lambda settings, **how: opened.append((settings, how)))
    for command in ([], ["serve"]):
        assert run(*typed, *command).exit_code == 0
    (without, how), (with_word, how_with_word) = opened
    assert (without, how) == (with_word, how_with_word)
    assert (without.host, without.port, how["browser"]) == ("127.0.0.1", 8000, True)
    assert how["language"] == (typed or ["en"])[-1]


def test_help_names_every_command() -> None:
    told = run("--help").stdout
    for command in ("games", "rules", "play", "engine", "record", "arena", "bench", "warm"):
        assert command in told
        assert run(command, "--help").exit_code == 0


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["games"], ["rules", "yam-master"], ["play", "--help"]]
)
def test_what_needs_no_rules_does_not_wait_for_the_compiler(arguments: list[str]) -> None:
    check = f"""
import sys
sys.argv = ["ludotheque", *{arguments!r}]
from ludotheque.cli import main
try:
    main()
except SystemExit:
    pass
loaded = [name for name in ("numba", "numpy") if name in sys.modules]
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_games_are_listed_in_both_languages_and_for_programs() -> None:
    english, french = run("games").stdout, run("games", LANG="fr_FR.UTF-8").stdout
    for name in game_names():
        assert name in english
        assert name in french
    assert "Dice and pawns in line, for two" in english
    assert "Des dés et des pions à aligner, à deux" in french
    assert [one["name"] for one in json.loads(run("games", "--json").stdout)] == game_names()


@pytest.mark.parametrize("before", [True, False])
def test_the_language_may_be_named_before_and_after_the_command(before: bool) -> None:
    arguments = ["--language", "fr", "games"] if before else ["games", "--language", "fr"]
    assert "Pour jouer" in run(*arguments).stdout


def test_an_unknown_language_is_refused() -> None:
    done = run("--language", "de", "games")
    assert done.exit_code == 2
    assert "fr" in done.stderr


def test_rules_are_shown_as_they_are_when_piped_with_the_captions_of_their_examples() -> None:
    game = find_game("yam-master")
    assert run("rules", "yam-master").stdout.strip() == with_captions(game.rules_page("en")).strip()
    assert run("rules", "yam-master", "--language", "fr").stdout.strip() == with_captions(game.rules_page("fr")).strip()


def keys_of(command: Any) -> set[str]:
    """Every text of `--help`, as code has it: of a command and all below it."""
    found = {part.help for part in (command, *command.params) if getattr(part, "help", None)}
    return found.union(*(keys_of(below) for below in getattr(command, "commands", {}).values()))


def test_every_text_of_help_is_in_the_catalogue() -> None:
    keys = keys_of(typer.main.get_command(app)) | set(TYPERS_OPTIONS.values())
    typers_own = {"Install completion for the current shell."}
    typers_own.add("Show completion for the current shell, to copy it or customize the installation.")
    known = {key for key in Catalogue("ludotheque").templates("en") if key.startswith("help.")}
    assert keys - typers_own == known


def test_help_speaks_the_readers_language() -> None:
    for done in (run("play", "--help", LANG="fr_FR.UTF-8"), run("--language", "fr", "play", "-h")):
        assert "Continuer ta dernière partie inachevée." in done.stdout
        assert "[par défaut : auto]" in done.stdout
        assert "Montrer cette aide." in done.stdout
    again = run("play", "--help").stdout
    assert "Go on with your last match" in again
    assert "[default: auto]" in again


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("pley", "La commande « pley » n’existe pas. Voulais-tu dire"),
        ("games --langage", "L’option --langage n’existe pas. Options proches : --language."),
        ("games twisty foo", "Il y a un mot de trop : foo."),
        ("rules", "Il manque l’argument « game »."),
        ("arena twisty", "Il manque l’option --seat."),
        ("play --seed", "L’option --seed demande une valeur."),
        ("arena twisty --seat random --games 0", "La valeur de --games ne va pas : il faut au moins 1."),
        ("arena twisty --seat random --games x", "il faut un nombre entier."),
        ("lab --seconds x", "il faut un nombre."),
        ("serve --port 99999", "il faut au plus 65535."),
        ("games --language de", "« de » n’est pas parmi 'en', 'fr'."),
        ("train twisty --start /none", "'/none' n’existe pas."),
        ("arena twisty --seat random --results /", "'/' est un dossier."),
    ],
)
def test_a_mistyped_command_is_told_in_french(typed: str, told: str) -> None:
    done = run(*typed.split(), LANG="fr_FR.UTF-8")
    assert done.exit_code == 2
    assert told in done.stderr


def test_an_unknown_game_suggests_the_nearest() -> None:
    refused(run("rules", "yam-mastr"), 'There is no game "yam-mastr". Did you mean "yam-master"?')
    refused(run("rules", "yam-mastr", "--language", "fr"), "Voulais-tu dire « yam-master » ?")
    refused(run("play", "chess"), "There are: ")
    refused(run("arena", "yam", "--seat", "random", "--seat", "random"), "There is no game")


def test_an_unknown_command_suggests_the_nearest() -> None:
    done = run("arenna")
    assert done.exit_code == 2
    assert "arena" in done.stderr


@pytest.mark.parametrize("game", game_names())
def test_every_option_of_a_game_is_explained_in_both_languages(game: str) -> None:
    for language in languages():
        told = run("games", game, "--language", language).stdout
        for option in find_game(game).declared_options:
            assert f"  {option.name}=" in told
            about = find_game(game).catalogue.say(f"option.{option.name}.about", language)
            assert about in " ".join(told.split())
    described = json.loads(run("games", game, "--json").stdout)
    assert [one["name"] for one in described["options"]] == [one.name for one in find_game(game).declared_options]


@pytest.mark.parametrize("arguments", [["games"], ["rules", "yam-master"], ["--help"]])
def test_a_pipe_gets_no_colours(arguments: list[str]) -> None:
    assert "\x1b" not in run(*arguments).stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"'{sys.executable}' -m ludotheque rules yam-master | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
    assert done.stderr == ""


def test_the_shell_completes_commands_and_games() -> None:
    asked = {"_LUDOTHEQUE_COMPLETE": "complete_bash", "COMP_CWORD": "1"}
    assert "play" in run(**asked, COMP_WORDS="ludotheque pl").stdout
    asked["COMP_CWORD"] = "2"
    assert "yam-master" in run(**asked, COMP_WORDS="ludotheque rules ya").stdout


# Records


def a_match(over: bool) -> Match:
    match = Match(find_game("yam-master"), options={"max_turns": 1}, dice=Dice("a seed"))
    match.draw()
    match.play("keep")
    match.draw()
    if over:
        match.play("pass")
        match.draw()
        match.play("pass")
    return match


def written(tmp_path: Path, record: Any) -> str:
    file = tmp_path / "a match.json"
    file.write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
    return str(file)


def good(over: bool = True) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(write_json(write_record(a_match(over))))
    return record


def test_a_record_is_told_in_words(tmp_path: Path) -> None:
    file = written(tmp_path, good())
    english, french = run("record", "show", file).stdout, run("record", "show", file, "--language", "fr").stdout
    assert "Yam Master: Red, Blue" in english or "Yam Master: Red" in english
    assert "passes" in english
    assert "A draw" in english
    assert "passe" in french
    assert "┌" in english


def test_a_record_comes_also_from_standard_input() -> None:
    done = run("record", "show", "-", typed=json.dumps(good(over=False)))
    assert done.exit_code == 0
    assert "The match is not over: 3 actions so far." in done.stdout


def test_fair_dice_are_proven(tmp_path: Path) -> None:
    done = run("record", "verify", written(tmp_path, good()))
    assert done.exit_code == 0
    assert "all 3 rolls follow from the seed" in done.stdout
    assert "découlent de la graine" in run("record", "verify", written(tmp_path, good()), "--language", "fr").stdout


def test_false_dice_are_refuted(tmp_path: Path) -> None:
    record = good()
    record["actions"][0] = "66666" if record["actions"][0] != "66666" else "55555"
    done = run("record", "verify", written(tmp_path, record))
    assert done.exit_code == 1
    assert "actions[0] is 66666" in done.stdout


def test_another_seed_than_the_one_promised_is_refuted(tmp_path: Path) -> None:
    record = good()
    record["dice"]["seed"] = "a better seed"
    assert run("record", "verify", written(tmp_path, record)).exit_code == 1


def test_a_match_that_is_not_over_cannot_be_judged_yet(tmp_path: Path) -> None:
    done = run("record", "verify", written(tmp_path, good(over=False)))
    assert done.exit_code == 3
    assert "not been told yet" in done.stdout


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not JSON"),
        ('{"ludotheque": 1,\n "game": }', "line 2, column 10"),
        ("[]", "expected an object"),
        ("{}", "no record of Ludoth"),
        ({**good(), "actions": ["11111", "fly"]}, 'actions[1]: "fly" is not possible now'),
        ({**good(), "game": "yam-mastr"}, 'Did you mean "yam-master"?'),
        ({**good(), "returns": [1, 0]}, "returns"),
        ({**good(), "players": 2}, "players: expected a list"),
    ],
)
@pytest.mark.parametrize("command", ["show", "verify"])
def test_a_damaged_record_is_refused_with_the_file_and_the_place(
    tmp_path: Path, command: str, content: Any, words: str
) -> None:
    file = written(tmp_path, content)
    done = run("record", command, file)
    refused(done, words)
    assert file in done.stderr


def test_a_file_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    refused(run("record", "show", str(tmp_path / "nothing.json")), "cannot be read: No such file")
    refused(run("record", "show", str(tmp_path)), "cannot be read: Is a directory")
    (tmp_path / "latin.json").write_bytes(b'{"ludotheque":"\xe9"}')
    refused(run("record", "show", str(tmp_path / "latin.json")), "not UTF-8")


# Warm


def test_a_file_that_cannot_be_used_is_said_so_in_french(tmp_path: Path) -> None:
    refused(run("record", "show", str(tmp_path), "--language", "fr"), "illisible : c’est un dossier.")
    missing = str(tmp_path / "none.json")
    refused(run("record", "show", missing, LANG="fr_FR.UTF-8"), "illisible : fichier ou dossier introuvable.")


@pytest.mark.parametrize(
    "command",
    [
        ["review", "RECORD", "--plot"],
        ["arena", "yam-master", "--seat", "random", "--seat", "random", "--games", "2", "--plot"],
        ["lab", "--magnet", "pebble:0,0", "--field"],
        ["lab", "--magnet", "pebble:0,0", "--film"],
    ],
    ids=" ".join,
)
def test_a_plot_that_could_not_be_written_is_refused_before_the_work(command: list[str], tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    record.write_text(write_json(write_record(Match(find_game("yam-master"), dice=Dice("seed")))))
    command = [str(record) if word == "RECORD" else word for word in command]
    refused(run(*command, str(tmp_path / "plot.txt")), "not plot.txt.")
    refused(run(*command, str(tmp_path / "none" / "plot.png")), "There is no folder")
    assert sorted(tmp_path.iterdir()) == [record]


def test_the_laboratory_wants_magnets_and_says_what_it_has_drawn(tmp_path: Path) -> None:
    record, drawn = tmp_path / "match.json", tmp_path / "field.svg"
    record.write_text(write_json(write_record(Match(find_game("yam-master"), dice=Dice("seed")))))
    refused(run("lab", "--record", str(record)), "a record of Yam Master")
    assert f"{drawn} is drawn." in run("lab", "--magnet", "egg:0,0", "--seconds", "0", "--field", str(drawn)).stderr
    assert drawn.exists()


@pytest.mark.parametrize(
    ("database", "words"),
    [
        ("nonsense://x", "kept in SQLite or PostgreSQL, not in nonsense"),
        ("tables.sqlite", "write sqlite:///FILE"),
        ("sqlite:///:memory:", "must be on disk"),
        ("sqlite:///{folder}/no-database", "cannot be opened: file is not a database"),
        ("postgresql://127.0.0.1:1/none", "cannot be opened"),
    ],
)
def test_a_server_without_a_good_database_says_so_and_does_not_start(database: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "no-database").write_text("This is a letter to my aunt. " * 100)
    refused(run("serve", "--no-browser", "--port", "0", "--database", database.format(folder=tmp_path)), words)


def test_two_servers_cannot_have_one_file(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/tables.sqlite"
    with exclusive(open_database(database)):
        refused(run("serve", "--no-browser", "--port", "0", "--database", database), "Another server is using")


def test_a_port_that_does_not_exist_is_refused() -> None:
    done = run("serve", "--no-browser", "--port", "99999")
    assert done.exit_code == 2
    assert "65535" in done.stderr


def test_a_backup_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/tables.sqlite"
    open_database(database).dispose()
    refused(run("backup", "--database", database, str(tmp_path / "none" / "copy")), "cannot be copied")
    refused(run("backup", "--database", "tables", str(tmp_path / "copy")), "not a database")
    (tmp_path / "letter").write_text("This is a letter to my aunt. " * 100)
    refused(run("backup", "--database", f"sqlite:///{tmp_path}/letter", str(tmp_path / "copy")), "not a database")
    assert not (tmp_path / "copy").exists()


def test_what_cannot_be_kept_is_not_trained(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    refused(
        run("train", "yam-master", "--folder", str(tmp_path / "file" / "course")),
        "file/course cannot be written: Not a directory.",
    )


@pytest.mark.parametrize("seats", ["0", "-1", "3"])
def test_a_wrong_number_of_players_is_refused(seats: str) -> None:
    refused(run("play", "yam-master", "--players", seats), f"for 2 players, not for {seats}.")


def test_a_second_warm_has_nothing_to_do(tmp_path: Path) -> None:
    """With the rules interpreted, warming is quick, so that the stamps alone are tested here."""
    environment = {"LUDOTHEQUE_CACHE": str(tmp_path / "cache"), "NUMBA_DISABLE_JIT": "1"}
    first = run_process("warm", **environment)
    assert first.returncode == 0, first.stderr
    assert "games are ready" in first.stdout
    stamps = sorted((tmp_path / "cache").glob("*/warm"))
    assert len(stamps) == len(game_names())
    before = [stamp.stat().st_mtime_ns for stamp in stamps]
    assert run_process("warm", **environment).returncode == 0
    assert [stamp.stat().st_mtime_ns for stamp in stamps] == before


def test_old_folders_are_removed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOTHEQUE_CACHE", str(tmp_path))
    names = ("yam_master-" + "0" * 20, "my-letters", "twisty-" + "1" * 20, "twisty-" + "2" * 20)
    ours, foreign, unmarked, needed = (tmp_path / name for name in names)
    for folder in (ours, foreign, unmarked, needed):
        folder.mkdir()
        (folder / "content").touch()
    (ours / "rules.ready").touch()
    (needed / "rules.ready").touch()
    assert remove_old_folders({needed}) == 0
    later = time.time() + 31 * 24 * 3600
    assert remove_old_folders({needed}, later) == 1
    assert needed.exists()
    assert not ours.exists()
    assert foreign.exists()
    assert unmarked.exists()


@pytest.mark.parametrize(("terminal", "shown"), [(True, "WARNING"), (False, "INFO")])
def test_whoever_plays_at_home_sees_no_lines_for_programs(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, shown: str
) -> None:
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: terminal))
    assert logging_config()["loggers"]["ludotheque"]["level"] == shown
