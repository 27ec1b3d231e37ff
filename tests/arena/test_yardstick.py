"""The yardsticks: their values are checked through the rules alone, and players are marked by them."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludotheque.arena import yardstick
from ludotheque.arena.yardstick import Answer, Question, answer_some, mark, marks_by_turns_left, read_yardstick
from ludotheque.cli.app import app
from ludotheque.core import CHANCE, Position, Problem, find_game, write_json

GAMES = ("twisty", "wykersham", "yam-master")
MOST_BYTES = 200_000


def worth(position: Position, seat: int, known: dict[str, float]) -> float:
    """The exact chance to win of a seat, a draw counted half, by trying everything that the rules allow."""
    if position.over:
        return position.returns()[seat]
    view = dict(position.view())
    if view["phase"] == "roll":
        view.pop("dice", None)  # in the air: what was not kept of them no longer matters
    key = write_json(view)
    if key not in known:
        legal = position.legal()
        values = [worth(position.play(action).position, seat, known) for action in legal.actions]
        if position.to_move == CHANCE:
            known[key] = sum(odd * value for odd, value in zip(legal.odds, values, strict=True))
        else:
            known[key] = max(values) if position.to_move == seat else min(values)
    return known[key]


def check(question: Question) -> None:
    seat = question.position.to_move
    assert isinstance(seat, int)
    known: dict[str, float] = {}
    for action, loss in question.losses.items():
        value = worth(question.position.play(action).position, seat, known)
        assert question.value - loss == pytest.approx(value, abs=2e-6), (action, question.position.view())


def easiest(game: str, left: int, count: int) -> list[Question]:
    """The positions with the fewest actions, and of these the ones that are nearest to the end of their turn."""

    def effort(question: Question) -> tuple[int, int]:
        view: Any = question.position.view()
        return len(question.losses), 3 - int(view.get("rolls", 0))

    return sorted((one for one in read_yardstick(game) if one.left == left), key=effort)[:count]


@pytest.mark.parametrize("game", GAMES)
def test_a_yardstick_is_small_and_can_be_read(game: str) -> None:
    text = find_game(game).capabilities.yardstick
    assert text is not None
    assert len(text().encode()) < MOST_BYTES
    questions = read_yardstick(game)
    assert len(questions) >= 100
    assert len({write_json(one.position.view()) for one in questions}) == len(questions)
    for one in questions:
        assert min(one.losses.values()) == 0
        assert max(one.losses.values()) > 0
        assert max(one.losses.values()) <= one.value + 1e-6


@pytest.mark.parametrize("game", GAMES)
def test_values_of_the_last_turn_are_those_that_the_rules_give(game: str) -> None:
    for question in easiest(game, 1, 8):
        check(question)


def test_values_before_two_more_rolls_are_those_that_the_rules_give() -> None:
    """What to keep after the first roll, and whether to announce the challenge: every way of the dice is tried."""
    rolled_once = (one for one in read_yardstick("yam-master") if one.left == 1 and len(one.losses) > 30)
    check(next(rolled_once))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "left", "count"), [("twisty", 2, 4), ("wykersham", 2, 1), ("yam-master", 2, 1)])
def test_values_of_the_turn_before_it_are_those_that_the_rules_give(game: str, left: int, count: int) -> None:
    for question in easiest(game, left, count):
        check(question)


@pytest.mark.parametrize(("game", "exact"), [("wykersham", 2), ("yam-master", 3)])
def test_the_strongest_level_gives_nothing_away_where_it_plays_exactly(game: str, exact: int) -> None:
    lefts = [one.left for one in read_yardstick(game)]
    for left in range(1, exact + 1):
        first = lefts.index(left)
        assert [one.loss for _, one in answer_some(game, "bot:5", None, False, first, 5)] == [0.0] * 5


# Marks.


def test_marks_count_best_choices_and_losses_by_turns_left() -> None:
    given = [Answer(1, 0.0), Answer(1, 0.2), Answer(2, 0.1), Answer(2, 0.0, failed=True)]
    total = mark(given)
    assert (total.positions, total.best, total.failed, total.largest_loss) == (4, 0.25, 1, 0.2)
    assert total.mean_loss == pytest.approx(0.075)
    by_left = marks_by_turns_left(given)
    assert {left: one.positions for left, one in by_left.items()} == {1: 2, 2: 2}
    assert by_left[1].mean_loss == pytest.approx(0.1)


ORACLE = """
from ludotheque.arena.yardstick import read_yardstick
from ludotheque.core import write_json

class Best:
    def choose(self, position, *, seconds, seed):
        losses = read_yardstick("yam-master")[seed].losses
        assert list(losses) == list(position.legal().actions)
        return min(losses, key=losses.get)

class Worst(Best):
    def choose(self, position, *, seconds, seed):
        losses = read_yardstick("yam-master")[seed].losses
        return max(losses, key=losses.get)

class Broken(Best):
    def choose(self, position, *, seconds, seed):
        raise ValueError
"""


@pytest.fixture
def oracle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "yardstick_oracle.py").write_text(ORACLE, "utf-8")
    yield
    sys.modules.pop("yardstick_oracle", None)


@pytest.mark.usefixtures("oracle")
def test_the_command_marks_any_player() -> None:
    questions = read_yardstick("yam-master")
    told = {
        name: json.loads(
            CliRunner()
            .invoke(app, ["yardstick", "yam-master", f"py:yardstick_oracle:{name}", "--jobs", "1", "--json"])
            .stdout
        )
        for name in ("Best", "Worst", "Broken")
    }
    assert (told["Best"]["best"], told["Best"]["mean_loss"]) == (1.0, 0.0)
    assert told["Best"]["positions"] == len(questions)
    assert told["Best"]["versions"]["rules"] == 1
    worst = sum(max(one.losses.values()) for one in questions) / len(questions)
    assert told["Worst"]["best"] == 0
    assert told["Worst"]["mean_loss"] == pytest.approx(worst, abs=1e-6)
    assert told["Broken"]["failed"] == len(questions)
    assert told["Broken"]["best"] == 0
    assert [one["left"] for one in told["Best"]["by_turns_left"]] == sorted({one.left for one in questions})


def test_the_command_tells_people() -> None:
    say = partial(CliRunner().invoke, app)
    done = say(["--language", "en", "yardstick", "yam-master", "random", "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert "best choices" in done.stdout
    assert done.stdout.splitlines()[-1].split()[:2] == ["all", str(len(read_yardstick("yam-master")))]
    done = say(["--language", "en", "yardstick", "yikerz", "random"])
    assert done.exit_code == 2
    assert "Yikerz! has no yardstick" in done.stderr
    done = say(["--language", "en", "yardstick", "twisty", "bot:9"])
    assert 'no player "bot:9"' in done.stderr


def test_a_yardstick_of_other_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(find_game("twisty")), "rules_version", 99)
    read_yardstick.cache_clear()
    with pytest.raises(Problem, match="of other rules"):
        yardstick.read_yardstick("twisty")
