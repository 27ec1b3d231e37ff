"""What an operator may do to a table: freeze it, so that it can only be looked at, and close it for good."""

import pytest

from hosting.lists import ListHost, Person, opened, seat
from hosting.pig import PIG
from ludotheque.core import BadRequest, Game
from ludotheque.table import Choose, Seat, Table
from ludotheque.table import entries as log
from ludotheque.table.effects import RulesTask
from ludotheque.table.work import do_here

GAMES: dict[str, Game] = {"plain-pig": PIG}
BOTS = (Seat("bot", level=1), Seat("bot", level=1))


@pytest.fixture(params=[False, True], ids=["here", "elsewhere"])
def elsewhere(request: pytest.FixtureRequest) -> bool:
    """Whether the rules run in the table or in its host."""
    return bool(request.param)


def a_table(*seats: Seat, elsewhere: bool = False) -> ListHost:
    return ListHost([opened("plain-pig", *seats)], GAMES, elsewhere=elsewhere)


def restored(host: ListHost, *, frozen: bool) -> tuple[Table, list[object]]:
    """The same table read from its log, and what it asks of its host when it wakes."""
    table = Table.restore("t1", host.reread(), host.now, games=GAMES, runs_here=lambda _game: not host.elsewhere)
    effects = table.wake(host.now, frozen=frozen)
    asked: list[object] = [*effects.entries, *effects.work]
    while isinstance(effects.awaited, RulesTask):
        effects = table.resume(effects.awaited.id, do_here(effects.awaited), host.now)
        asked += [*effects.entries, *effects.work]
    return table, [one for one in asked if not isinstance(one, RulesTask)]


def test_at_a_frozen_table_no_bot_thinks_and_nothing_is_due(elsewhere: bool) -> None:
    host = a_table(*BOTS, elsewhere=elsewhere)
    awake, asked = restored(host, frozen=False)
    assert awake.deadline is not None or any(isinstance(one, Choose) for one in asked), "otherwise it goes on"
    frozen, asked = restored(host, frozen=True)
    assert (asked, frozen.deadline) == ([], None)
    assert awake.state.position is not None
    assert frozen.state.position is not None
    assert frozen.state.position.view() == awake.state.position.view(), "it can be looked at"


def test_a_frozen_table_does_not_begin_its_match(elsewhere: bool) -> None:
    host = ListHost([opened("plain-pig", *BOTS)], GAMES, elsewhere=elsewhere)
    del host.log[1:]  # as it was before anything began
    frozen, asked = restored(host, frozen=True)
    assert (asked, frozen.state.status) == ([], "waiting")


def test_a_table_that_is_closed_in_play_ends_without_a_winner_and_stays_closed(elsewhere: bool) -> None:
    host, anna = a_table(*BOTS, elsewhere=elsewhere), Person("Anna")
    host.enter(anna)
    host.carry_out(host.table.close("Too late.", host.now))
    assert [line.kind for line in host.log[-2:]] == ["ended", "closed"]
    ended = anna.last("table")["table"]
    assert (ended["status"], ended["ended"]["how"], ended["ended"]["returns"]) == ("over", "closed", [])
    assert ended["closed"]["en"].startswith("The operator of this site has closed this table: Too late.")
    with pytest.raises(BadRequest, match="has closed this table"):
        host.asks(anna, "rematch")
    with pytest.raises(BadRequest, match="has closed this table"):
        host.table.close(None, host.now)
    again, asked = restored(host, frozen=False)
    assert asked == [], "no bot goes on"
    assert again.state.closed is not None


def test_a_table_that_is_closed_while_it_waits_lets_nobody_sit_down(elsewhere: bool) -> None:
    host, anna = a_table(seat("Bruno"), Seat(), elsewhere=elsewhere), Person("Anna")
    host.enter(anna)
    host.carry_out(host.table.close(None, host.now))
    assert host.log[-1].entry == log.Closed("operator", None)
    with pytest.raises(BadRequest, match=r"The operator of this site has closed this table\."):
        host.asks(anna, "sit", seat=1)
