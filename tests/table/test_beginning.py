"""How a match begins: the table commits, then every person's number comes, then the match. And whoever may come to a table."""

from dataclasses import replace
from typing import Any

import pytest

from hosting.lists import ListHost, Person, opened, seat
from hosting.pig import PIG
from ludotheque.core import BadRequest, Dice, Game, commitment, read_record, verify
from ludotheque.table import LogEntry, NotAllowed, Opened, Seat, read_request
from ludotheque.table import entries as log
from ludotheque.table.automatic import SILENCE

GAMES: dict[str, Game] = {"plain-pig": PIG}


@pytest.fixture(params=[False, True], ids=["here", "elsewhere"])
def elsewhere(request: pytest.FixtureRequest) -> bool:
    """Whether the rules run in the table or in its host."""
    return bool(request.param)


def bot() -> Seat:
    return Seat("bot", level=1)


def a_table(*seats: Seat, elsewhere: bool = False, **wanted: Any) -> ListHost:
    return ListHost([opened("plain-pig", *seats, **wanted)], GAMES, elsewhere=elsewhere)


def comes(host: ListHost, *people: Person) -> None:
    """Somebody connects, and sends no number."""
    for person in people:
        host.carry_out(host.table.enter(person, host.now))


def status(host: ListHost) -> str:
    return host.table.state.status


def awaits_somebody(host: ListHost) -> bool:
    """Whether the table will go on without somebody's number by itself."""
    return host.table.deadline is not None


def dice_of(host: ListHost) -> Any:
    """What the record says of the dice."""
    return host.table.state.record(reveal=True)["dice"]


def dice(person: Person, what: str = "table") -> Any:
    return person.last(what)["table"]["dice"]


def test_whoever_plays_alone_sees_the_commitment_before_their_number_is_known(elsewhere: bool) -> None:
    host, anna = a_table(seat("Anna"), bot(), elsewhere=elsewhere), Person("Anna")
    assert [one.kind for one in host.log] == ["opened"], "all seats are taken, and nothing begins"
    comes(host, anna)
    shown = dice(anna, "state")
    assert shown["commitment"] == commitment("seed")
    assert (shown["numbers"], shown["awaited"]) == ([None, None], [0])
    host.asks(anna, "contribute", number="Anna's number")
    assert [one.kind for one in host.log] == ["opened", "contributed", "began"]
    assert dice(anna)["commitment"] == shown["commitment"]
    assert (dice(anna)["numbers"], dice(anna)["awaited"]) == (["Anna's number", None], [])
    match = host.table.state.match
    assert match is not None
    assert match.dice == Dice("seed", ("Anna's number", "")), "a bot has no number, which the host could choose"


def test_the_match_waits_for_the_numbers_of_all_people_in_any_order(elsewhere: bool) -> None:
    host = a_table(seat("Anna"), Seat(), seat("Carla"), elsewhere=elsewhere)
    anna, bruno, carla = (Person(name) for name in ("Anna", "Bruno", "Carla"))
    comes(host, anna, bruno, carla)
    host.asks(carla, "contribute", number="c")
    host.asks(bruno, "sit", seat=1)
    assert status(host) == "waiting"
    assert dice(anna)["awaited"] == [0, 1]
    host.asks(anna, "contribute", number="a", seat=0)
    assert awaits_somebody(host)
    host.asks(bruno, "contribute", number="b")
    assert status(host) == "playing"
    assert not awaits_somebody(host)
    record = host.table.state.record(reveal=True)
    assert dice_of(host)["order"] == ["commitment", 2, 0, 1, "match"]
    assert dice_of(host)["numbers"] == ["a", "b", "c"]
    again = ListHost(host.log, GAMES, elsewhere=elsewhere)
    assert again.table.state.record(reveal=True) == record


def test_several_people_at_one_device_give_one_number_or_one_each(elsewhere: bool) -> None:
    seats = [seat("Anna"), replace(seat("Anna"), name="Zoé"), replace(seat("Anna"), name="Max")]
    host, anna = a_table(*seats, elsewhere=elsewhere), Person("Anna")
    comes(host, anna)
    host.asks(anna, "contribute", number="Zoé's", seat=1)
    assert host.table.state.awaited == [0, 2]
    host.asks(anna, "contribute", number="ours")
    assert dice(anna)["numbers"] == ["ours", "Zoé's", "ours"]
    assert status(host) == "playing"


def test_a_number_is_refused_twice_too_late_and_from_others() -> None:
    host = a_table(seat("Anna"), Seat())
    anna, bruno = Person("Anna"), Person("Bruno")
    comes(host, anna, bruno)
    with pytest.raises(NotAllowed):
        host.asks(bruno, "contribute", number="b")
    host.asks(anna, "contribute", number="a")
    with pytest.raises(BadRequest, match="already"):
        host.asks(anna, "contribute", number="another")
    host.asks(bruno, "sit", seat=1, number="b")
    with pytest.raises(BadRequest, match="fixed"):
        host.asks(bruno, "contribute", number="another")


def test_a_number_based_on_nothing_that_was_shown_is_not_taken() -> None:
    host, anna = a_table(seat("Anna"), bot()), Person("Anna")
    comes(host, anna)
    host.asks(anna, "contribute", number="a", at=0)
    assert anna.last("state")["why"] == "stale"
    assert status(host) == "waiting"


def test_a_seat_that_changes_hands_needs_another_number() -> None:
    host = a_table(seat("Anna"), Seat(), Seat())
    anna, bruno = Person("Anna"), Person("Bruno")
    comes(host, anna, bruno)
    host.asks(anna, "contribute", number="a")
    host.asks(bruno, "sit", seat=1, number="b")
    host.asks(bruno, "stand", seat=1)
    host.asks(bruno, "sit", seat=1)
    host.asks(anna, "bot", seat=2)
    assert host.table.state.awaited == [1]
    assert status(host) == "waiting"


def test_somebody_who_is_here_and_silent_does_not_stop_the_match(elsewhere: bool) -> None:
    host = a_table(seat("Anna"), seat("Bruno"), elsewhere=elsewhere)
    anna, bruno = Person("Anna"), Person("Bruno")
    comes(host, anna)
    host.asks(anna, "contribute", number="a")
    host.passes(10 * SILENCE)
    assert status(host) == "waiting", "Bruno has not seen the commitment"
    comes(host, bruno)
    host.passes(SILENCE - 1)
    assert status(host) == "waiting"
    host.carry_out(host.table.leave(bruno, host.now))
    assert host.table.deadline is None
    comes(host, bruno)
    host.passes(SILENCE - 1)
    assert status(host) == "waiting"
    host.passes(1)
    assert status(host) == "playing"
    assert dice(anna)["numbers"] == ["a", None], "and nobody makes one up for him"
    assert dice_of(host)["order"] == ["commitment", 0, "match"]


def finished(host: ListHost, *people: Person) -> Any:
    """The record of the match, resigned by the first."""
    host.asks(people[0], "resign")
    return host.table.state.record(reveal=True)


def test_in_a_rematch_the_order_is_by_the_new_seats_and_old_numbers_are_gone(elsewhere: bool) -> None:
    host = a_table(seat("Anna"), seat("Bruno"), elsewhere=elsewhere)
    anna, bruno = Person("Anna"), Person("Bruno")
    host.enter(anna, bruno)
    finished(host, anna)
    following = dice(anna)["next"]
    host.asks(bruno, "rematch", number="again")
    host.asks(anna, "rematch")
    assert dice(anna)["commitment"] == following
    assert host.table.state.seats[0].person == "bruno"
    assert dice(anna)["numbers"] == ["again", None]
    record = finished(host, anna)
    assert record["dice"]["order"] == ["commitment", 0, "match"]
    assert ListHost(host.log, GAMES, elsewhere=elsewhere).table.state.record(reveal=True) == record


def test_a_request_for_a_rematch_is_withdrawn_and_its_number_with_it(elsewhere: bool) -> None:
    host = a_table(seat("Anna"), seat("Bruno"), elsewhere=elsewhere)
    anna, bruno = Person("Anna"), Person("Bruno")
    host.enter(anna, bruno)
    finished(host, anna)
    with pytest.raises(BadRequest, match="nothing to withdraw"):
        host.asks(bruno, "rematch", on=False)
    host.asks(bruno, "rematch", number="first thought")
    assert anna.last("table")["table"]["rematch"] == [1]
    with pytest.raises(BadRequest, match="nothing to withdraw"):
        host.asks(anna, "rematch", on=False)
    host.asks(bruno, "rematch", on=False)
    told = anna.last("table")
    assert (told["why"], told["person"]["name"]) == ("rematch-withdrawn", "Bruno")
    assert told["table"]["rematch"] == []
    assert told["table"]["dice"]["numbers"][1] is None
    host.asks(anna, "rematch", number="of Anna")
    assert host.table.state.status == "over", "Bruno no longer wants to"
    host.asks(bruno, "rematch")
    assert anna.last("table")["why"] == "began"
    assert dice(anna)["numbers"] == [None, "of Anna"]
    record = finished(host, anna)
    assert record["dice"]["order"] == ["commitment", 1, "match"]
    assert ListHost(host.log, GAMES, elsewhere=elsewhere).table.state.record(reveal=True) == record


def test_the_record_shows_the_order_and_a_verdict_tells_it() -> None:
    host = a_table(seat("Anna"), seat("Bruno"))
    anna, bruno = Person("Anna"), Person("Bruno")
    host.enter(bruno, anna)
    record = finished(host, anna)
    verdict = verify(read_record(record, GAMES))
    assert verdict.fair is True
    assert verdict.order is not None
    assert "then the numbers of Bruno, Anna, then the match" in verdict.order.sentence("en")
    wrong: list[list[Any]] = [
        ["commitment", 1, "match"],
        [1, "commitment", 0, "match"],
        ["commitment", 0, 0, "match"],
        [],
    ]
    for order in wrong:
        verdict = verify(read_record({**record, "dice": {**record["dice"], "order": order}}, GAMES))
        assert verdict.fair is False, order
    nobody = {"commitment": record["dice"]["commitment"], "numbers": [], "order": ["commitment", "match"]}
    told = verify(read_record({**record, "dice": nobody}, GAMES)).order
    assert told is not None
    assert "no player added a number" in told.sentence("en")


def test_a_table_opened_with_numbers_before_awaits_new_ones() -> None:
    early = opened("plain-pig", replace(seat("Anna"), share="early"), replace(bot(), share="chosen"))
    host, anna = ListHost([early], GAMES), Person("Anna")
    comes(host, anna)
    assert dice(anna, "state")["awaited"] == [0]
    assert dice(anna, "state")["numbers"][0] is None
    host.asks(anna, "contribute", number="a")
    match = host.table.state.match
    assert match is not None
    assert match.dice.numbers == ("a", "")


def test_a_match_that_began_before_there_was_an_order_keeps_its_dice() -> None:
    early = opened("plain-pig", replace(seat("Anna"), share="early"), replace(bot(), share="chosen"))
    entries = [early, LogEntry(2, log.Began(None), 2)]
    host = ListHost(entries, GAMES)
    assert host.table.state.match is not None
    assert host.table.state.match.dice == Dice("seed", ("early", "chosen"))
    assert "order" not in dice_of(host)


def test_a_take_back_before_a_roll_does_not_show_the_roll_that_comes(elsewhere: bool) -> None:
    """Whatever is asked before the roll, and however often it is taken back, the dice drawn then are others."""
    host, anna = a_table(seat("Anna"), bot(), elsewhere=elsewhere, options={"goal": 50}), Person("Anna")
    host.enter(anna)
    state = host.table.state
    while state.acting != 0:
        host.resumes(next(one for one in host.pending if hasattr(one, "seat")), "roll")
    assert state.match is not None
    places = []
    for _ in range(20):
        host.asks(anna, "act", action="roll")
        told = len(anna.heard)
        host.asks(anna, "peek", actions=[])
        assert not [one for one in anna.heard[told:] if "draw" in str(one)], "a preview tells the odds, not the draw"
        places.append(state.match.next_draw()[1])
        host.asks(anna, "takeback")
        assert state.position is not None
        assert state.position.to_move == 0
    assert len({draw.place for draw in places}) == 20, "a draw after a take-back has another place"
    assert len({draw.number for draw in places}) > 1, "and so another outcome, now and then"


# Newcomers


def sits(host: ListHost, person: Person, place: int) -> None:
    host.asks(person, "sit", seat=place, number=person.name)


def test_a_closed_table_admits_nobody_else_and_keeps_those_who_are_there(elsewhere: bool) -> None:
    host = a_table(seat("Anna"), Seat(), Seat(), elsewhere=elsewhere)
    anna, bruno, carla, dora = (Person(name) for name in ("Anna", "Bruno", "Carla", "Dora"))
    host.enter(anna, bruno, carla)
    sits(host, bruno, 1)
    host.asks(anna, "newcomers", on=False)
    assert anna.last("table")["why"] == "newcomers"
    assert anna.last("table")["table"]["newcomers"] is False
    for one in (dora, Person()):
        with pytest.raises(NotAllowed, match="closed this table to newcomers"):
            host.enter(one)
    with pytest.raises(NotAllowed, match="closed this table to newcomers"):
        sits(host, carla, 2)
    host.carry_out(host.table.leave(carla, host.now))
    again = ListHost(host.log, GAMES, elsewhere=elsewhere)
    again.enter(carla, bruno, anna)
    with pytest.raises(NotAllowed):
        again.enter(dora)
    again.requests = 100
    again.asks(anna, "newcomers", on=True)
    again.enter(dora)
    sits(again, dora, 2)
    assert status(again) == "playing"
    with pytest.raises(NotAllowed):
        again.asks(bruno, "newcomers", on=False)
    again.asks(anna, "newcomers", on=False)
    with pytest.raises(NotAllowed):
        again.enter(Person("Emil"))


def test_whoever_was_removed_from_a_private_table_does_not_watch_it_without_a_name() -> None:
    entry = opened("plain-pig", seat("Anna"), seat("Bruno"))
    assert isinstance(entry.entry, Opened)
    for private in (True, False):
        host = ListHost([entry._replace(entry=replace(entry.entry, private=private))], GAMES)
        anna, bruno, nobody = Person("Anna"), Person("Bruno"), Person()
        host.enter(anna, bruno, nobody)
        request = {"do": "remove", "id": "out", "person": "bruno"}
        effects = host.table.handle(read_request(request), anna, host.now)
        assert list(effects.dismissed) == ([bruno, nobody] if private else [bruno])
        with pytest.raises(NotAllowed, match="shown you out"):
            host.enter(bruno)
        if private:
            with pytest.raises(NotAllowed, match="without a name"):
                host.enter(Person())
        else:
            host.enter(Person())
        host.enter(Person("Carla"))


def test_a_repeated_removal_is_noted_once() -> None:
    host = a_table(seat("Anna"), seat("Bruno"))
    anna, bruno = Person("Anna"), Person("Bruno")
    host.enter(anna, bruno)
    request = read_request({"do": "remove", "id": "out", "person": "bruno"})
    for _ in range(2):
        host.carry_out(host.table.handle(request, anna, host.now))
        assert anna.last("done")["id"] == "out"
    assert [one.kind for one in host.log].count("removed") == 1
