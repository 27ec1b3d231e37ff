"""Playing in the terminal: by a script in a pipe and by a person at a (pseudo-)terminal, in both languages."""

import json
import os
import pty
import random
import re
import select
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ludotheque.bots import bot
from ludotheque.cli.app import app
from ludotheque.cli.saves import read_file, write_file
from ludotheque.cli.series import Series
from ludotheque.cli.table import WORDS
from ludotheque.core import (
    CHANCE,
    Catalogue,
    Dice,
    Match,
    Record,
    Seated,
    bare,
    find_game,
    game_names,
    languages,
    verify,
    write_json,
)
from ludotheque.paths import matches_folder
from wykersham.board import turn_view


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of our own, with a space in its name."""
    home = tmp_path / "my data"
    monkeypatch.setenv("LUDOTHEQUE_DATA", str(home))
    for name in ("LC_ALL", "LC_MESSAGES", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    return home / "matches"


def play(*arguments: str, typed: str = "", language: str = "en") -> Result:
    return CliRunner().invoke(app, ["--language", language, "play", *arguments], input=typed)


TWO_PEOPLE = ("yam-master", "--seat", "human:Anna", "--seat", "human:Ben", "--seed", "4", "--option", "max_turns=1")


def test_a_whole_match_of_two_people_is_told_in_words_and_kept_as_a_record(folder: Path) -> None:
    done = play(*TWO_PEOPLE, typed="keep\nkeep\npass\npass\n")
    assert done.exit_code == 0, done.output
    assert "Ben rolls" in done.stdout
    assert "Ben re-rolls" in done.stdout
    assert "Anna passes" in done.stdout
    assert "A draw at 0 points each" in done.stdout
    assert "┌" in done.stdout
    assert "\x1b" not in done.stdout
    (file,) = folder.glob("*.json")
    assert str(file) in done.stdout
    record = read_file(file)
    assert record.match.over
    assert [one.name for one in record.seated] == ["Anna", "Ben"]


def test_the_same_match_in_french() -> None:
    done = play(*TWO_PEOPLE, typed="keep\nkeep\npass\npass\n", language="fr")
    assert "Ben relance" in done.stdout
    assert "Anna passe" in done.stdout
    assert "La partie est finie" in done.stdout


def test_french_words_are_shown_and_understood_and_the_notation_is_recorded(folder: Path) -> None:
    done = play(*TWO_PEOPLE, typed="Défi 2\nannuler\ngarder 2\nvoler\ngarder\nPASSER\npass\n", language="fr")
    assert done.exit_code == 0, done.output
    assert re.search(r"Possible : .*garder 2, .*défi, .*passer", done.stdout)
    assert "Repris : défi 2, " in done.stdout
    assert re.search(r"« voler » n’est pas possible maintenant. Possible : .*garder.*passer", done.stdout)
    assert "keep" not in done.stdout
    (file,) = folder.glob("*.json")
    written = [entry.action for entry in read_file(file).match.log if isinstance(entry.by, int)]
    assert written == ["keep 2", "keep", "pass", "pass"]


@pytest.mark.parametrize(
    ("game", "french"),
    [
        ("yam-master", {"garder", "défi", "poser", "retirer", "passer"}),
        ("wykersham", {"gauche", "droite", "rester", "prendre", "laisser"}),
        ("twisty", {"coin", "bouclier", "rester"}),
    ],
)
def test_whatever_can_be_done_can_be_typed_in_both_languages(game: str, french: set[str]) -> None:
    chooser, shown = random.Random(game), set[str]()
    for seed in range(8):
        match = Match(find_game(game), dice=Dice(f"typed {seed}"))
        while not match.over and not (french <= shown):
            if match.to_move == CHANCE:
                match.draw()
                continue
            here = match.position
            actions = here.legal().actions
            for action in chooser.sample(actions, min(3, len(actions))):
                for language in ("en", "fr"):
                    assert here.understand(here.typed(action, language).upper()) == action
                assert here.typed(action) == action
            shown |= {here.typed(action, "fr").partition(" ")[0] for action in actions}
            match.play(chooser.choice(actions))
    assert french <= shown


def test_no_action_has_the_name_of_a_word_of_the_table() -> None:
    table = {
        bare(Catalogue("ludotheque").say(f"play.word.{name}", language)) for name in WORDS for language in languages()
    }
    for game in map(find_game, game_names()):
        for language in languages():
            words = game.catalogue.templates(language)
            assert not table & {bare(word) for name, word in words.items() if name.startswith("action.")}


def test_bots_play_among_themselves_to_the_end(folder: Path) -> None:
    done = play("yam-master", "--seat", "bot:1", "--seat", "random", "--option", "max_turns=2", "--seed", "1")
    assert done.exit_code == 0, done.output
    assert "The match is over" in done.stdout
    (file,) = folder.glob("*.json")
    assert [one.kind for one in read_file(file).seated] == ["bot:1", "random"]


def test_the_input_may_end_at_any_time_and_the_match_is_kept(folder: Path) -> None:
    done = play(*TWO_PEOPLE, typed="keep 2\n")
    assert done.exit_code == 0
    assert "The input has ended." in done.stdout
    assert "ludotheque play --resume" in done.stdout
    (file,) = folder.glob("*.json")
    assert len(read_file(file).match.log) == 3


def test_resume_goes_on_where_the_match_was_left_with_the_same_dice(folder: Path) -> None:
    whole = play(*TWO_PEOPLE, typed="keep 2\nkeep\npass\npass\n")
    for file in folder.glob("*.json"):
        file.unlink()
    play(*TWO_PEOPLE, typed="keep 2\n")
    rest = play("--resume", typed="keep\npass\npass\n")
    assert "Going on after 3 actions." in rest.stdout
    assert "Red: Anna" in rest.stdout
    told = re.findall(r"· .*", whole.stdout)
    assert re.findall(r"· .*", rest.stdout) == told[3:]
    assert "no match to go on with" in play("--resume").stderr


def test_illegal_actions_are_answered_with_what_is_legal_and_change_nothing(folder: Path) -> None:
    done = play(*TWO_PEOPLE, typed="fly\nplace r9c9\n\n   \nKEEP   2\n")
    assert '"fly" is not possible now. Possible: ' in done.stdout
    assert '"place r9c9" is not possible now' in done.stdout
    assert "Ben re-rolls" in done.stdout  # blanks and capitals are forgiven
    (file,) = folder.glob("*.json")
    assert [entry.action for entry in read_file(file).match.log][1] == "keep 2"


def test_undo_takes_back_my_last_action_with_what_followed_and_other_dice_fall(folder: Path) -> None:
    done = play(*TWO_PEOPLE, typed="undo\nkeep 2\nundo\nkeep 2\n")
    assert "nothing of yours to take back" in done.stdout
    assert "Taken back: keep 2, " in done.stdout
    rolls = re.findall(r"Ben rolls (\S+)", done.stdout)
    assert rolls[1] != rolls[2]
    (file,) = folder.glob("*.json")
    record = read_file(file)
    assert len(record.match.log) == 3
    assert [draw.place for draw in record.draws] == ["setup.0", "0", "2.1"]
    assert verify(record).fair is True


def matches(folder: Path) -> list[Record]:
    """What was played, in order."""
    return [read_file(file) for file in sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)]


@pytest.mark.clause("M24")
def test_whoever_wants_another_match_gets_one_and_the_start_goes_round(folder: Path) -> None:
    done = play(*TWO_PEOPLE, typed="pass\npass\ny\npass\npass\nYes\npass\npass\nn\n")
    assert done.exit_code == 0, done.output
    assert done.stdout.count("Another match?") == 3
    assert re.findall(r"Score: (.*)", done.stdout) == ["Anna 1, Ben 1", "Anna 1½, Ben 1½"]
    first, second, third = matches(folder)
    starters = [record.match.first.view()["player"] for record in (first, second, third)]
    assert starters == [1, 0, 1]
    assert [record.match.options["first"] for record in (first, second, third)] == ["lot", 0, 1]
    assert len({record.commitment for record in (first, second, third)}) == 3
    assert all(verify(record).fair for record in (first, second, third))


def test_without_an_answer_a_match_is_just_over(folder: Path) -> None:
    done = play(*TWO_PEOPLE, typed="pass\npass\n")
    assert done.exit_code == 0
    assert "The input has ended" not in done.stdout
    assert len(matches(folder)) == 1


@pytest.mark.clause("M24")
def test_a_series_goes_on_by_itself_and_tells_its_score(folder: Path) -> None:
    done = play(*TWO_PEOPLE, "--series", "2", typed="pass\n" * 4)
    assert done.exit_code == 0, done.output
    assert "After 1 of 2 matches: Anna ½, Ben ½" in done.stdout
    assert "The series is drawn: Anna 1, Ben 1" in done.stdout
    assert [record.match.options["first"] for record in matches(folder)] == ["lot", 0]
    french = play(*TWO_PEOPLE, "--series", "2", typed="pass\n" * 4, language="fr")
    assert "Après 1 partie sur 2 : Anna ½, Ben ½" in french.stdout
    assert "La série finit à égalité : Anna 1, Ben 1" in french.stdout


def test_a_series_of_bots_ends_when_nobody_can_catch_up(folder: Path) -> None:
    bots = ("twisty", "--seat", "bot:1", "--seat", "random", "--option", "max_rounds=30", "--seed", "1")
    done = play(*bots, "--series", "5")
    assert "Another match?" not in done.stdout
    returns = [record.match.position.returns() for record in matches(folder)]
    won = [sum(some) for some in zip(*returns, strict=True)]
    assert f"wins the series: Star {won[0]:g}, Square {won[1]:g}" in done.stdout
    left = 5 - len(returns)
    assert left > 0, "the last matches would change nothing"
    assert abs(won[0] - won[1]) > left
    assert abs(won[0] - won[1]) <= left + 2, "and the match before did not decide it"


def test_in_a_game_that_names_no_starter_everybody_moves_on_by_one_seat() -> None:
    series, match = Series(3), Match(find_game("wykersham"))
    series.add((1.0, 0.0))
    following, seated = series.following(match, ("Anna", "Ben"))
    assert seated == ("Ben", "Anna")
    assert series.score == [0.0, 1.0]
    assert following.options == match.options
    decided = [series.decided]
    series.add((0.0, 1.0))
    assert [*decided, series.decided] == [False, True]
    assert series.leaders == [1]


@pytest.mark.parametrize("series", ["0", "100", "three"])
def test_a_series_has_one_to_ninety_nine_matches(series: str) -> None:
    done = play(*TWO_PEOPLE, "--series", series)
    assert done.exit_code == 2
    assert "series" in done.stderr


def test_undo_against_a_bot_goes_back_over_the_bots_turn() -> None:
    done = play("yam-master", "--seat", "human", "--seat", "random", "--seed", "4", typed="pass\nundo\n")
    assert re.search(r"Taken back: pass, \d{5}, ", done.stdout)


@pytest.mark.parametrize(
    ("word", "french"), [("help", "aide"), ("hint", "conseil"), ("moves", "coups"), ("rules", "regles")]
)
def test_words_are_understood_in_both_languages(word: str, french: str) -> None:
    for typed in (word, word.upper()):
        assert "not possible" not in play(*TWO_PEOPLE, typed=f"{typed}\n").stdout
    for typed in (word, french):
        assert "pas possible" not in play(*TWO_PEOPLE, typed=f"{typed}\n", language="fr").stdout


def test_a_hint_is_a_legal_action_with_its_chance() -> None:
    told = play(*TWO_PEOPLE, typed="hint\n").stdout
    assert re.search(r"Hint: (keep|defi|place|pass).* \(\d+ % to win\)", told)


def test_a_hint_is_what_the_strongest_bot_finds_best_and_names_it_once() -> None:
    """Gentler levels err on purpose, which is no advice."""
    for seed in range(4):
        match = Match(find_game("yam-master"), dice=Dice(f"hint {seed}"))
        match.draw()
        best = bot(match.game, 5).choose(match.position).considered
        told = play("yam-master", "--seat", "human", "--seat", "human", "--seed", f"hint {seed}", typed="hint\n").stdout
        hints = re.findall(r"((?:keep|defi|place|take)[ \dcr]*|pass) \(\d+ %", told)
        assert hints == [one.action for one in best[:3]]
        tell_odds = match.game.capabilities.hints.odds
        assert tell_odds is not None
        odds = tell_odds(match.position)
        for name in ("1-1-1", "Yam", "Suite"):  # the board is empty: all can be had
            assert f"{name} {round(100 * odds[name])} %" in told


def test_a_hint_gives_reasons_where_the_next_best_is_clearly_worse(tmp_path: Path) -> None:
    """Late in a game of Wykersham one slide makes a goal of five marbles."""
    four_in_3 = ". . . . . . .\n" + ". . r . . . .\n" * 4
    match = Match(find_game("wykersham"), dice=Dice("why"), setup=turn_view(four_in_3, turns=13))
    for action in ("26", "6@3", "2@1"):
        match.play(action)
    file = tmp_path / "a goal.json"
    write_file(file, match, (Seated("Anna"), Seated("Ben")), reveal=True)
    told = play("--load", str(file), typed="hint\nquit\n").stdout
    assert re.search(r"Hint: right \(\d+ % to win\).*\n  Anna wins 5 marbles in this turn, otherwise 0\n", told)
    french = play("--load", str(file), typed="conseil\nquitter\n", language="fr").stdout
    assert "\n  Anna gagne 5 billes à ce tour, sinon 0\n" in french


def test_an_action_that_is_not_possible_is_answered_with_every_kind_that_is() -> None:
    told = play(*TWO_PEOPLE, typed="place r1c1\n").stdout
    assert re.search(
        r'"place r1c1" is not possible now. Possible: keep, keep \d, … \(\d+\), defi, defi \d, … \(\d+\), .*pass\.',
        told,
    )


def test_a_deal_of_many_is_told_in_one_sentence() -> None:
    told = play("yikerz", "--seat", "human", "--seat", "human", "--seed", "4", typed="pyramid\n").stdout
    assert "· 20 magnets are dealt\n" in told
    assert "is dealt" not in told


@pytest.mark.parametrize("word", ["none", "aucune", "None", "null"])
def test_no_limit_is_a_word_that_can_be_typed(word: str, folder: Path) -> None:
    seats = ("--seat", "human", "--seat", "human")
    assert play("yikerz", *seats, "--option", f"hand_seconds={word}", typed="quit\n").exit_code == 0
    (file,) = folder.glob("*.json")
    assert json.loads(file.read_text("utf-8"))["options"]["hand_seconds"] is None
    refused = play("yikerz", *seats, "--option", f"quiet_seconds={word}", typed="quit\n")
    assert "quiet_seconds" in refused.stderr


def test_moves_lists_everything() -> None:
    told = play(*TWO_PEOPLE, typed="moves\n").stdout
    assert "keep 2, " in told
    assert "pass" in told


def test_save_writes_a_copy_that_can_be_loaded_elsewhere(tmp_path: Path, folder: Path) -> None:
    copy = tmp_path / "copies" / "a copy.json"
    done = play(*TWO_PEOPLE, typed=f"keep 2\nsave {copy}\nsave\nquit\n")
    assert f"A copy is saved in {copy}" in done.stdout
    assert "seed" not in json.loads(copy.read_text("utf-8"))["dice"]  # a copy that is shown around keeps the secret
    again = play("--load", str(copy), typed="quit\n")
    assert "Going on after 3 actions." in again.stdout
    assert len(list(folder.glob("*.json"))) == 2  # it goes on in a file of its own


def test_a_copy_that_cannot_be_written_is_said_so_and_the_match_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = play(*TWO_PEOPLE, typed=f"save {tmp_path}/file/x.json\nkeep 2\nquit\n")
    assert f"{tmp_path}/file/x.json cannot be written: " in done.stdout
    assert "Ben re-rolls" in done.stdout


def test_resume_as_a_word_changes_to_another_match() -> None:
    play(*TWO_PEOPLE, typed="keep 2\n")
    done = play("yam-master", "--seat", "human:Carla", "--seat", "human:Dora", typed="resume\nresume\nquit\n")
    assert "Going on after 3 actions." in done.stdout
    assert done.stdout.count("Red: Carla") == 2
    assert (
        "nowhere.json cannot be read" in play("yam-master", "--seat", "human:Eve", typed="resume nowhere.json\n").stdout
    )


def test_a_match_that_is_over_is_not_gone_on_with(tmp_path: Path, folder: Path) -> None:
    play(*TWO_PEOPLE, typed="pass\npass\n")
    (file,) = folder.glob("*.json")
    assert "is over" in play("--load", str(file)).stderr


def test_a_module_named_in_somebodys_record_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sly_module.py").write_text("open('hacked', 'w').close()\nclass Bot: choose = None\n", "utf-8")
    for kind in ("py:sly_module:Bot", "bot:5@sly.npz", "cmd"):
        match = Match(find_game("yam-master"), dice=Dice("1"))
        write_file(tmp_path / "strange.json", match, [Seated("You"), Seated("rex", kind)], reveal=True)
        assert "Name the players again with --seat" in play("--load", str(tmp_path / "strange.json")).stderr
    assert not (tmp_path / "hacked").exists()


def test_a_program_named_in_somebodys_record_is_not_started(tmp_path: Path) -> None:
    match = Match(find_game("yam-master"), dice=Dice("1"))
    file = tmp_path / "from a stranger.json"
    seated = [Seated("You"), Seated("cmd:touch hacked", f"cmd:touch '{tmp_path}/hacked'")]
    write_file(file, match, seated, reveal=True)
    assert "Name the players again with --seat" in play("--load", str(file)).stderr
    assert not (tmp_path / "hacked").exists()


def test_a_match_whose_program_fails_goes_on_with_another_player_in_its_place(tmp_path: Path, folder: Path) -> None:
    program = tmp_path / "bad bot.py"
    program.write_text("import sys; sys.exit('out of ideas')", "utf-8")
    seats = ("--seat", "human:Anna", "--seat", f"cmd:'{sys.executable}' '{program}'")
    done = play("yam-master", *seats, "--seed", "4", "--option", "max_turns=2", typed="pass\n", language="fr")
    assert "Le programme de Bleu ne peut pas continuer : il s’est terminé avec le code 1 : out of ideas." in done.stdout
    (told,) = re.findall(r"à sa place : ludotheque play (.*)", done.stdout)
    arguments = shlex.split(told)
    assert arguments == ["--resume", "--seat", "human:Anna", "--seat", "bot:3"]
    (file,) = folder.glob("*.json")
    rest = play(*arguments, typed="pass\npass\n")
    assert "Going on after one action." in rest.stdout  # the roll for the program, which begins with this seed
    assert "The match is over." in rest.stdout, rest.output
    assert [one.kind for one in read_file(file).seated] == ["human", "bot:3"]


def test_where_nothing_can_be_saved_play_goes_on_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LUDOTHEQUE_DATA", str(tmp_path / "file"))
    done = play(*TWO_PEOPLE, typed="pass\npass\n")
    assert "cannot be saved" in done.stderr
    assert "A draw" in done.stdout


def test_damaged_files_in_the_folder_are_passed_over(folder: Path) -> None:
    play(*TWO_PEOPLE, typed="keep 2\n")
    (folder / "9999-broken.json").write_text("{", "utf-8")
    assert "Going on after 3 actions." in play("--resume", typed="quit\n").stdout


def test_real_dice_can_be_typed() -> None:
    done = play(*TWO_PEOPLE, "--roll", "enter", typed="11123\nkeep 111\n\n")
    assert "Ben rolls 1-1-1-2-3" in done.stdout
    assert done.stdout.count("Ben rolls") == 2


@pytest.mark.clause("M24")
@pytest.mark.parametrize("named", ["1", "blue", "Bleu", "BLUE"])
def test_who_starts_may_be_named_by_the_seat_or_its_colour(folder: Path, named: str) -> None:
    seats = ("--seat", "human:Anna", "--seat", "human:Ben")
    for seed in "123":
        done = play("yam-master", *seats, "--option", f"first={named}", "--seed", seed)
        assert "Ben rolls" in done.stdout
    assert {read_file(file).match.options["first"] for file in folder.glob("*.json")} == {1}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["yam-mastr"], 'Did you mean "yam-master"?'),
        (["yam-master", "--seat", "bot:7"], "no player"),
        (["yam-master", "--seat", "robot"], "no player"),
        (["yam-master", "--seat", "human", "--seat", "human", "--seat", "human"], "for 2 players"),
        (["yam-master", "--players", "3"], "for 2 players"),
        (["yam-master", "--option", "max_turns=0"], "from 1 to 1000"),
        (["yam-master", "--option", "max_turns=ten"], "from 1 to 1000"),
        (["yam-master", "--option", "turns=3"], "no option"),
        (["yam-master", "--option", "first=2"], "a seat from 0 to 1"),
        (["yam-master", "--option", "first=violet"], "a seat from 0 to 1"),
        (["twisty", "--players", "3", "--option", "first=3"], "a seat from 0 to 2"),
        (["yam-master", "--option", "max_turns"], "NAME=VALUE"),
        (["yam-master", "--seat", "human:" + "x" * 50], "cannot be a name"),
        (["yam-master", "--seat", "human:\x1b[2J"], "cannot be a name"),
        (["yam-master", "--resume"], "--resume or --load alone"),
        (["--load", "nothing.json"], "cannot be read"),
        (["--resume"], "no match to go on with"),
        ([], "Nobody answers"),
    ],
)
def test_bad_arguments_get_one_sentence(arguments: list[str], words: str) -> None:
    done = play(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert "Traceback" not in done.output
    french = play(*arguments, language="fr")
    assert french.exit_code == 2
    assert french.stderr


def test_without_a_game_the_player_is_asked_in_the_players_language() -> None:
    done = play(typed="yam-master\n2\nquitter\n", language="fr")
    assert "Quel jeu ?" in done.stdout
    assert "Contre qui ?" in done.stdout
    assert "Bleu : robot, niveau 2" in done.stdout
    assert play(typed="999\n").exit_code == 2


# At a terminal


class Terminal:
    """A pseudo-terminal with the command in it, and what it has shown so far."""

    def __init__(self, process: int, screen: int) -> None:
        self.process = process
        self.screen = screen
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def press_ctrl_c(self, until: str) -> None:
        """Readline is deaf to it in the instant between its prompt and its first look at the keys: a person presses again."""
        for _ in range(12):
            self.type("\x03")
            if self._appears(until, 5):
                return
        raise AssertionError(f"{until!r} did not appear in:\n{self.shown}")

    def wait_for(self, words: str, seconds: float = 60) -> None:
        assert self._appears(words, seconds), f"{words!r} did not appear in:\n{self.shown}"

    def _appears(self, words: str, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while words not in self.shown:
            left = end - time.monotonic()
            if left <= 0:
                return False
            if select.select([self.screen], [], [], left)[0]:
                try:
                    self.shown += os.read(self.screen, 65536).decode("utf-8", "replace")
                except OSError:  # the process has ended
                    return words in self.shown
        return True

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)

    def exit_code(self) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@contextmanager
def terminal(*arguments: str, **environment: str) -> Iterator[Terminal]:
    process, screen = pty.fork()
    if process == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as in any terminal, also where the tests run in the background
        settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "50", **environment}
        os.execve(sys.executable, [sys.executable, "-m", "ludotheque", *arguments], settings)
    try:
        yield Terminal(process, screen)
    finally:
        os.close(screen)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_a_killed_terminal_loses_nothing(folder: Path) -> None:
    with terminal("play", *TWO_PEOPLE) as first:
        first.wait_for("Ben> ")
        first.type("keep 2\n")
        first.wait_for("roll 2 of 3")
        first.kill()
    with terminal("play") as second:
        second.wait_for("Go on with it? [Y/n]")
        second.type("\n")
        second.wait_for("Going on after 3 actions.")
        second.wait_for("roll 2 of 3")
        second.wait_for("Ben> ")
        second.type("pass\n")
        second.wait_for("Anna> ")
        second.type("pass\n")
        second.wait_for("The match is over")
        second.wait_for("Another match? [y/N]")
        second.type("\n")
        assert second.exit_code() == 0
    (file,) = folder.glob("*.json")
    assert read_file(file).match.over


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_at_a_terminal_there_are_colours_tab_completes_and_ctrl_c_leaves_politely() -> None:
    with terminal("play", *TWO_PEOPLE, "--language", "fr") as shown:
        shown.wait_for("Ben> ")
        assert "\x1b[1m" in shown.shown
        shown.type("pas\t\n")
        shown.wait_for("Ben passe")
        shown.wait_for("Anna> ")
        shown.press_ctrl_c(until="Pour continuer plus tard")
        assert shown.exit_code() == 0


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_a_person_who_mistypes_is_asked_again() -> None:
    with terminal("play") as shown:
        shown.wait_for("Which game?")
        shown.type("yam-mastr\n")
        shown.wait_for('Did you mean "yam-master"?')
        shown.type("yam-master\n")
        shown.wait_for("Against whom?")
        shown.type("9\n")
        shown.wait_for("There is no player")
        shown.type("f\n")
        shown.wait_for("> ")
        shown.type("quit\n")
        shown.wait_for("play --resume")
        assert shown.exit_code() == 0


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
def test_no_color_is_respected_at_a_terminal() -> None:
    with terminal("play", *TWO_PEOPLE, NO_COLOR="1") as shown:
        shown.wait_for("Ben> ")
        shown.type("quit\n")
        shown.wait_for("play --resume")
        assert not re.search(r"\x1b\[[0-9;]*m", shown.shown)


def test_matches_are_kept_in_the_folder_that_the_environment_names(folder: Path) -> None:
    assert matches_folder() == folder


def nearly_done(folder: Path, *kinds: str) -> Path:
    """A match of Yikerz! in which the first player has two magnets left, and the board is far from full."""
    match = Match(find_game("yikerz"), len(kinds), {"magnets": 6}, dice=Dice("nearly done"))
    view = json.loads(write_json(match.first.view()))
    mats = [[0, -40.4145, 180], [-70, -80.829, 0], [70, -80.829, 0], [0, 40.4145, 0]]
    lying = {0: [-92, -96], 1: [92, -96]}
    magnets = [
        {"id": number, "where": "board", "owner": None, "pose": [*lying[number], 3.2, 1, 0, 0, 0]}
        if number in lying
        else {"id": number, "where": "stack", "owner": int(number > 3), "pose": None}
        for number in range(6)
    ]
    setup = {**view, "phase": "turn", "player": 0, "mats": mats, "magnets": magnets}
    match = Match(find_game("yikerz"), len(kinds), {"magnets": 6}, dice=Dice("nearly done"), setup=setup)
    file = folder / "nearly done.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, match, tuple(Seated("", kind) for kind in kinds), reveal=True)
    return file


@pytest.mark.clause("Y14")
@pytest.mark.parametrize(("said", "penalty"), [("call\n", False), ("", True)])
def test_at_one_keyboard_the_call_is_typed_before_the_next_takes_a_magnet(
    said: str, penalty: bool, folder: Path
) -> None:
    file = nearly_done(folder, "human", "human")
    told = play("--load", str(file), typed=f"2 0 -40\n{said}4 0 60\nquit\n").stdout
    assert ("forgot" in told) == penalty
    assert ("Red: Last Yiker!" in told) != penalty
    after_the_turn = told.partition("Red places")[2].partition("Blue> ")[0]
    assert "call" not in after_the_turn, "nobody is reminded"
    assert ("Blue places" in told) != penalty
    assert ("Red> " in told.partition("forgot")[2]) == penalty  # who forgot it picks


@pytest.mark.clause("Y14")
@pytest.mark.parametrize(("said", "penalty"), [("call\n\n", False), ("\n", True)])
def test_a_person_hands_over_to_a_bot_and_says_it_before(said: str, penalty: bool, folder: Path) -> None:
    file = nearly_done(folder, "human", "bot:1")
    told = play("--load", str(file), typed=f"2 0 -40\n{said}quit\n").stdout
    assert "Red, your turn is over. Enter hands over to Blue> " in told
    assert ("forgot" in told) == penalty
    assert ("Blue places" in told) != penalty


@pytest.mark.clause("Y14")
def test_a_call_at_the_wrong_time_is_answered_kindly(folder: Path) -> None:
    file = nearly_done(folder, "human", "human")
    done = play("--load", str(file), typed="call\nquit\n")
    assert "“Last Yiker!” means nothing just now." in done.stdout
    assert "help" in play("--load", str(file), typed="help\nquit\n").stdout
