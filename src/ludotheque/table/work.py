"""Work on the rules done on the spot, by a host or by the table itself. Bots and live turns are the host's own."""

from collections.abc import Sequence
from typing import TypeAlias

from ludotheque.core import Match, Position, Step
from ludotheque.table.effects import Play, PlayAll, Played, ReplayTo, Start

RulesWork: TypeAlias = Start | Play | PlayAll | ReplayTo


def play_all(position: Position, actions: Sequence[Played]) -> list[Step]:
    """Actions one after the other."""
    steps: list[Step] = []
    for action, outcome in actions:
        step = position.play(action, outcome)
        steps.append(step)
        position = step.position
    return steps


def start(work: Start) -> Match:
    """A match from its set-up, with some actions played."""
    match = Match(work.game, work.players, dict(work.options), dice=work.dice, setup=work.setup)
    for action, outcome in work.actions:
        match.play(action, outcome)
    return match


def do_here(work: RulesWork) -> Match | Step | list[Step] | Position:
    """The result of a piece of work; a Problem if the rules do not allow it."""
    if isinstance(work, Play):
        return work.position.play(work.action, work.outcome)
    if isinstance(work, PlayAll):
        return play_all(work.position, work.actions)
    if isinstance(work, Start):
        return start(work)
    steps = play_all(work.position, work.actions)
    return steps[-1].position if steps else work.position
