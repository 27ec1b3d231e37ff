"""How tests set up a position and say what they expect; a failure shows the board."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from pydantic import JsonValue, TypeAdapter

from ludotheque.bots import bot
from ludotheque.core import CHANCE, Dice, Event, Game, Json, JsonObject, Match, Position
from ludotheque.kernels import DiscretePosition

Shape = TypeVar("Shape")


def shaped(shape: type[Shape], found: object) -> Shape:
    """A piece of JSON as what it ought to be (`list[int]`, a TypedDict…), checked all the way down."""
    return TypeAdapter(shape).validate_python(found, strict=True)


def fields(found: object) -> dict[str, JsonValue]:
    """A JSON object by its keys."""
    return shaped(dict[str, JsonValue], found)


def discrete(position: Position) -> DiscretePosition:
    """The position of a game with kernels, as they see it."""
    assert isinstance(position, DiscretePosition)
    return position


def player_to_move(match: Match) -> int:
    """The seat whose turn it is; not chance's, and the match is not over."""
    assert isinstance(match.to_move, int), f"no player's turn\n{match.position.picture()}"
    return match.to_move


def decisions_of_bots(
    game: Game, levels: Sequence[int], seed: str, options: Mapping[str, Json] | None = None
) -> list[DiscretePosition]:
    """Every decision in a match between bots of these levels; what they choose is legal, and they say their chance to win."""
    match = Match(game, options=options, dice=Dice(seed))
    players = [bot(game, level) for level in levels]
    decisions = []
    while not match.over:
        if match.to_move == CHANCE:
            match.draw()
            continue
        decisions.append(discrete(match.position))
        decision = players[player_to_move(match)].choose(match.position)
        assert decision.action in match.position.legal().actions
        assert decision.value is not None
        assert 0 <= decision.value <= 1
        match.play(decision.action)
    return decisions


def changed(view: JsonObject, **changes: Json) -> dict[str, Json]:
    """A view with some keys changed."""
    return {**view, **changes}


def set_up(
    game: Game, view: JsonObject, players: int | None = None, options: Mapping[str, Json] | None = None
) -> Position:
    """The position of a view, as a player would lay it out."""
    return game.from_view(view, game.read_players(players), game.read_options(options))


def possible(position: Position, *actions: str) -> None:
    """Every one of these actions can be played."""
    legal = position.legal().actions
    missing = [action for action in actions if action not in legal]
    assert not missing, f"not possible: {missing}; possible: {list(legal)}\n{position.picture()}"


def impossible(position: Position, *actions: str) -> None:
    """None of these actions can be played."""
    legal = position.legal().actions
    wrong = [action for action in actions if action in legal]
    assert not wrong, f"possible, but should not be: {wrong}\n{position.picture()}"


def only(position: Position, *actions: str) -> None:
    """These actions and no others can be played."""
    legal = position.legal().actions
    assert sorted(legal) == sorted(actions), f"possible: {sorted(legal)}\n{position.picture()}"


def after(position: Position, *actions: str) -> Position:
    """The position after some actions, chance's included."""
    for action in actions:
        position = position.play(action).position
    return position


def events(position: Position, action: str) -> list[Event]:
    """What an action does."""
    return list(position.play(action).events)


def shows(position: Position, **expected: Json) -> None:
    """The view has these values."""
    view = position.view()
    different = {key: view[key] for key in expected if view[key] != expected[key]}
    assert not different, f"expected {expected}, found {different}\n{position.picture()}"
