"""Events of Yikerz!: what the physics did, and rounds and matches that end.

Their sentences are in locales/.
"""

from __future__ import annotations

from ludotheque.core import Event
from ludotheque.games.yikerz.outcome import Outcome
from ludotheque.games.yikerz.table import Table


def physical(outcome: Outcome, player: int) -> list[Event]:
    """What the physics did, as events; who takes pieces is told with it."""
    events: list[Event] = []
    for told in outcome.events:
        facts = {key: value for key, value in told.items() if key != "what"}
        if told["what"] == "taken":
            facts["player"] = player
        events.append(Event(str(told["what"]), facts))
    return events


def endings(before: Table, after: Table) -> list[Event]:
    """Rounds won, players out, sudden death, the end."""
    events: list[Event] = []
    for seat in range(before.settings.players):
        if after.rounds_won[seat] > before.rounds_won[seat]:
            events.append(Event("round", {"player": seat, "round": before.round}))
        if before.sudden and before.alive[seat] and not after.alive[seat]:
            events.append(Event("out", {"player": seat}))
    if after.sudden > before.sudden:
        events.append(Event("sudden" if after.sudden == 1 else "anew", {}))
    if after.phase == "over":
        if after.settings.players == 1:
            events.append(Event("alone" if after.winner == 0 else "alone-lost", {"count": after.turns[0]}))
        elif after.winner == "draw":
            events.append(Event("draw", {}))
        else:
            events.append(Event("wins", {"winner": after.winner}))
    return events
