"""Checks of games with live turns: a turn that is begun ends in an action that replays, and a malformed hand is refused in words."""

from typing import Final

from ludotheque.conformance.cases import Broken, each_game, must
from ludotheque.conformance.matches import positions, random_match
from ludotheque.core import Game, IllegalAction, JsonObject, Position, parse, write_json

LONGEST: Final = 20_000
"""Samples of one turn."""
MALFORMED: Final[tuple[JsonObject, ...]] = ({}, {"nonsense": True}, {"hand": None}, {"pose": "up"}, {"magnet": -1})


def is_live(game: Game) -> bool:
    """Whether a game has live turns."""
    return game.capabilities.live is not None


def live_position(game: Game) -> Position:
    """A position in which a live turn can begin."""
    live = game.capabilities.live
    assert live is not None
    for seed in range(17, 22):
        for position in positions(random_match(game, game.seats[0], seed, longest=60)):
            if isinstance(position.to_move, int) and position.legal().open and live.example(position):
                return position
    raise Broken("in five matches there was no turn with free actions (Legal.open) for which Live.example has hands")


@each_game(is_live)
def a_malformed_hand_is_refused(game: Game) -> None:
    """A hand that begins a turn with nonsense is refused with a sentence, or begins a turn."""
    live = game.capabilities.live
    assert live is not None
    must(live.rate > 0, "rate is the number of samples a second")
    position = live_position(game)
    view = position.view()
    for hand in MALFORMED:
        try:
            live.begin(position, hand)
        except IllegalAction as told:
            must(str(told), f"the refusal of the hand {hand} says nothing")
    must(position.view() == view, "a refused hand changed the position")


@each_game(is_live)
def a_live_turn_ends_in_an_action_that_replays(game: Game) -> None:
    """The hands of Live.example make a turn that ends; its action and outcome are played, logged as JSON and played again alike."""
    live = game.capabilities.live
    assert live is not None
    position = live_position(game)
    first, *hands = live.example(position)
    turn = live.begin(position, first)
    samples = 0
    while not turn.over:
        must(samples < LONGEST, f"the turn is not over after {LONGEST} samples; the last hand of Live.example lets go")
        hand = hands[min(samples, len(hands) - 1)] if hands else None
        write_json(turn.sample(hand))  # everybody sees it as JSON
        samples += 1
    action, outcome = turn.action()
    step = position.play(action, outcome)
    again = position.play(action, parse(write_json(step.outcome)))
    must(
        again.position.view() == step.position.view(), f"{action} with its outcome out of the log leads to another view"
    )
    must(step.position.view() != position.view(), "the turn changed nothing")
    must(step.events, "the turn has no event: nobody is told that it happened")
