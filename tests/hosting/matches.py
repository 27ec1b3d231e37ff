"""A match played at a table by requests alone, the same every time; what everybody heard of it."""

from collections.abc import Mapping

from hosting.lists import ListHost, Person, opened, seat
from ludotheque.core import Game, Json, JsonObject, Match

NAMES = ("Anna", "Bruno", "Chloé", "Daniel")
LONGEST = 120  # steps


def play_match(game: Game, players: int, options: Json = None) -> tuple[Match, list[JsonObject]]:
    """A match with rolls, decisions, a take-back now and then, and a resignation if it is long; and what was published."""
    people = [Person(name) for name in NAMES[:players]]
    entry = opened(
        game.name,
        *(seat(one.name) for one in people),
        rules=game.rules_version,
        options=game.read_options(options),
        takebacks=True,
    )
    games: Mapping[str, Game] = {game.name: game}
    host = ListHost([entry], games)
    host.enter(*people)
    state = host.table.state
    for step in range(LONGEST):
        position = state.position
        assert position is not None
        if state.status != "playing":
            break
        acting = position.acting
        actor = people[acting if acting is not None else 0]
        if step % 25 == 24 and position.to_move != "chance":
            _take_back(host, actor, people)
        elif position.to_move == "chance":
            host.asks(actor, "roll")
        else:
            actions = position.legal().actions
            host.asks(actor, "act", action=actions[step * 7 % len(actions)])
    if state.status == "playing":
        host.asks(people[0], "resign")
    again = ListHost(host.log, games)
    assert again.table.state.inside(()) == state.inside(()), "and the log alone gives the same table"
    assert state.match is not None
    return state.match, [_lasting(message.content) for message in host.published if message.number is not None]


def _take_back(host: ListHost, actor: Person, people: list[Person]) -> None:
    host.asks(actor, "takeback")
    for other in people:
        if host.table.state.takeback is not None and other is not actor:
            host.asks(other, "answer", yes=True)


def _lasting(content: JsonObject) -> JsonObject:
    """A message without what is random: the record's id and the next seed."""
    return {key: value for key, value in content.items() if key not in ("table", "request")}
