"""The conformance suite finds what is wrong: games that are broken in one place each, and the check that says so."""

from collections.abc import Sequence
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest

from ludotheque.conformance import Broken, checks_of
from ludotheque.conformance.live import a_live_turn_ends_in_an_action_that_replays, a_malformed_hand_is_refused
from ludotheque.conformance.matches import play_match
from ludotheque.core import Event, Game, JsonObject, Legal, Options, Paint, SetupDice, find_game
from ludotheque.games.yam_master.game import YamMaster
from ludotheque.kernels import DiscreteGame, DiscretePosition, Fields, MutableState

NUMBERS = count()
LIVE_SAMPLE = Path(__file__).parents[1] / "server" / "live_sample"


@pytest.fixture(scope="module")
def tower() -> Game:
    """A third party's live game. Its folder is on the path for the import alone, since it declares a game to whoever looks there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(LIVE_SAMPLE))
        game = import_module("ludotheque_tower").GAME
    assert isinstance(game, Game)
    return game


class Forgetful(YamMaster):
    def state_from_view(self, view: JsonObject, players: int, options: Options) -> MutableState:
        state = super().state_from_view(view, players, options)
        state.player = 0
        return state


class Silent(YamMaster):
    def events_of(self, before: DiscretePosition, action: int, after: DiscretePosition) -> Sequence[Event]:
        return []


class Speechless(YamMaster):
    def events_of(self, before: DiscretePosition, action: int, after: DiscretePosition) -> Sequence[Event]:
        return [Event("unheard-of", {"player": 0})]


class Unfair(YamMaster):
    def first_state(self, players: int, options: Options, dice: SetupDice) -> MutableState:
        state = super().first_state(players, options, dice)
        state.player = next(NUMBERS) % 2
        return state


class Lenient(YamMaster):
    def read(self, fields: Fields, action: str) -> int | None:
        return super().read(fields, action.strip().lower())


class Sprawling(YamMaster):
    def picture_of(self, position: DiscretePosition, paint: Paint, language: str) -> str:
        return "." * 101


class Twice(YamMaster):
    def write_all(self, fields: Fields, actions: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.write(fields, actions[0]) for _ in actions)


NAMELESS: DiscreteGame = type("Nameless", (YamMaster,), {"seats": (2, 9)})()


@pytest.mark.parametrize(
    ("game", "check", "told"),
    [
        (Forgetful(), "views and pickles round trip", "read from its view"),
        (Silent(), "every legal action can be played", "has no event"),
        (Speechless(), "every event is told in every language", "event.unheard-of"),
        (Unfair(), "the same seed gives the same match", "the second time"),
        (Lenient(), "every other text is refused", "not among the legal actions"),
        (Sprawling(), "the board is drawn in every language", "more than 100 letters"),
        (NAMELESS, "seats and options have names", "no seat.2"),
        (Twice(), "every legal action can be played", "listed twice"),
        (Silent(), "the game says what it is", "leads to another game"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else None,
)
def test_a_broken_game_is_found_out(game: DiscreteGame, check: str, told: str) -> None:
    (found,) = [one for one in checks_of(game) if one.name == check]
    with pytest.raises(Broken, match=told):
        found.run(game, 2)


def test_a_live_game_is_checked_by_its_example(tower: Game) -> None:
    assert {one.name for one in checks_of(tower)} >= {
        "a malformed hand is refused",
        "a live turn ends in an action that replays",
    }
    a_malformed_hand_is_refused(tower)
    a_live_turn_ends_in_an_action_that_replays(tower)


def test_a_live_turn_that_never_ends_is_found_out(tower: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    live = tower.capabilities.live
    assert live is not None
    monkeypatch.setattr(type(live), "example", lambda *_: [{"hand": "right"}, {"height": 3}])
    with pytest.raises(Broken, match="not over after"):
        a_live_turn_ends_in_an_action_that_replays(tower)


def test_a_game_without_lists_and_without_a_bot_is_told_what_it_lacks(
    tower: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludotheque_tower.game.Tower.legal", lambda _self: Legal((), open=("lift",)))
    with pytest.raises(Broken, match="brings a bot"):
        play_match(tower, 2, 1)


@pytest.mark.parametrize("name", ["yam-master", "yikerz"])
def test_every_check_says_in_one_sentence_what_it_checks(name: str) -> None:
    checks = checks_of(find_game(name))
    assert len(checks) >= 19
    assert all(check.about.endswith(".") and len(check.about) < 135 for check in checks)
    assert len({check.name for check in checks}) == len(checks)
