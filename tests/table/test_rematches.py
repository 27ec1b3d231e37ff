"""Who starts a rematch, in each of our games: the player after the last starter where the rules draw a lot, otherwise as they say."""

import pytest

from hosting.lists import ListHost, Person, opened, seat
from ludotheque.core import find_game, read_record, verify

STARTERS = [("yam-master", 2), ("twisty", 2), ("twisty", 4), ("yikerz", 2), ("yikerz", 3)]


def host_of(game: str, people: list[Person]) -> ListHost:
    found = find_game(game)
    entry = opened(
        game,
        *(seat(one.name) for one in people),
        rules=found.rules_version,
        options=found.read_options(None, len(people)),
    )
    host = ListHost([entry], {game: found})
    host.enter(*people)
    return host


def again(host: ListHost, people: list[Person]) -> None:
    """Everybody gives up, or a bot takes over; then all want another match."""
    while host.table.state.status == "playing":
        host.asks(next(one for one in people if host.table.state.seats_of(one.name.lower())), "resign")
    for one in people:
        host.asks(one, "rematch")


@pytest.mark.clause("M24", "T4", "Y5")
@pytest.mark.parametrize("game", ["yam-master", "twisty", "yikerz"])
def test_the_other_player_starts_the_rematch(game: str) -> None:
    people = [Person("Anna"), Person("Bruno")]
    host = host_of(game, people)
    started = []
    for _ in range(4):
        state = host.table.state
        assert state.match is not None
        acting = state.match.first.acting
        assert acting is not None
        started.append(state.seats[acting].person)
        record = read_record(state.record(reveal=True))
        assert verify(record).fair is True
        assert record.match.options["first"] == ("lot" if len(started) == 1 else acting)
        again(host, people)
    assert started[0] != started[1]
    assert started == started[:2] * 2


@pytest.mark.clause("T4", "Y5")
@pytest.mark.parametrize(("game", "players"), STARTERS)
def test_who_starts_next_is_the_player_after_the_last_starter(game: str, players: int) -> None:
    people = [Person(name) for name in ("Anna", "Bruno", "Chloé", "Daniel")[:players]]
    state = host_of(game, people).table.state
    assert state.match is not None
    acting = state.match.first.acting
    assert acting is not None
    assert state.starts_next == (acting + 1) % players
    assert state.next_starter() == (acting + 2) % players, "everybody moves on by one seat"


@pytest.mark.clause("W4")
def test_wykersham_rolls_for_the_start_of_every_match() -> None:
    people = [Person("Anna"), Person("Bruno")]
    host = host_of("wykersham", people)
    again(host, people)
    state = host.table.state
    assert state.match is not None
    assert state.matches == 2
    assert state.match.first.view()["phase"] == "start"
    assert "first" not in state.match.options
    assert state.starts_next is None
