"""The last call of Yikerz! at a table (Y14): nobody is reminded, and the next player's taking up ends its time.

The host is made of plain lists, and what turns lead to is told rather than simulated.
"""

from typing import Any

import pytest

from hosting.lists import ListHost, Person, seat
from ludotheque.core import Decision, IllegalAction, Json, read_record
from ludotheque.core.jsons import write
from ludotheque.games.yikerz import GAME
from ludotheque.games.yikerz.position import YikerzPosition
from ludotheque.table import Advise, Cancel, Choose, Live, LogEntry, NotAllowed, Opened, Seat, Settings
from ludotheque.table.settings import GameClock, MoveClock
from yikerz.play import CALL, WAIT, nearly_done, outcome, put, with_magnets

pytestmark = pytest.mark.clause("Y14")
HIGH = [0, 0, 90, 1, 0, 0, 0]


@pytest.fixture(params=[False, True], ids=["here", "elsewhere"])
def elsewhere(request: pytest.FixtureRequest) -> bool:
    """Whether the rules run in the table or in its host."""
    return bool(request.param)


def a_table(*seats: Seat, elsewhere: bool = False, rules: int = 2, **settings: Any) -> ListHost:
    """A table in the middle of a match; Anna is its host."""
    options = dict(GAME.read_options()) if rules == 2 else {}
    table = (options, False, "anna", "Anna", Settings(**settings), seats, 1, "seed", nearly_done(len(seats)))
    return ListHost([LogEntry(1, Opened("yikerz", rules, *table), 1)], {"yikerz": GAME}, elsewhere=elsewhere)


def two_people(elsewhere: bool = False, **settings: Any) -> tuple[ListHost, Person, Person]:
    host, anna, bruno = (
        a_table(seat("Anna"), seat("Bruno"), elsewhere=elsewhere, **settings),
        Person("Anna"),
        Person("Bruno"),
    )
    host.enter(anna, bruno)
    return host, anna, bruno


def now(host: ListHost) -> YikerzPosition:
    position = host.table.state.position
    assert isinstance(position, YikerzPosition)
    return position


def takes_up(host: ListHost, who: Person, magnet: int, **more: Any) -> Live | None:
    """Take a magnet up; the live turn if one begins."""
    host.asks(who, "begin", hand={"magnet": magnet, "pose": HIGH}, **more)
    live = next((work for work in host.pending if isinstance(work, Live)), None)
    if live is not None:
        host.resumes(live, None)
    return live


def places(host: ListHost, who: Person, magnet: int) -> None:
    """A whole live turn; the magnet stays where it is put."""
    live = takes_up(host, who, magnet)
    assert live is not None
    end_live(host, live, magnet)


def end_live(host: ListHost, live: Live, magnet: int) -> None:
    poses = {str(one): list(pose) for one, pose in now(host).table.board.items()}
    led_to = {**outcome(()), "board": {**poses, str(magnet): [0, 10 * magnet - 70, 3.2, 1, 0, 0, 0]}}
    host.carry_out(host.table.live_ended(live.id, (put(magnet, 0, -40), led_to), host.now))


def picks(host: ListHost, who: Person, count: int = 2) -> None:
    for _ in range(count):
        host.asks(who, "act", action=now(host).legal().actions[0])


def steps(host: ListHost) -> list[tuple[Json, str]]:
    """Who did what, without the paths of hands."""
    played = host.table.state.match
    assert played is not None
    return [(entry.by, "place" if "path" in entry.action else entry.action) for entry in played.log]


def test_nobody_is_reminded_the_next_players_turn_is_shown(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    assert now(host).table.phase == "call"
    for heard in (anna.last("step")["position"], bruno.last("step")["position"]):
        assert (heard["to_move"], heard["acting"]) == (1, 1)
        assert heard["legal"] == {"actions": [], "odds": [], "open": ["magnet"]}
        assert (heard["state"]["phase"], heard["state"]["player"]) == ("turn", 1)
        assert heard["state"]["called"] == [False, False]
        assert '"call"' not in write(heard)
    late = Person("Carla")
    host.enter(late)
    assert late.last("state")["position"] == anna.last("step")["position"]


def test_it_is_said_in_time_and_the_next_player_begins(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    host.asks(anna, "act", action=CALL)
    assert steps(host)[-1] == (0, CALL)
    assert bruno.last("step")["position"]["state"]["called"] == [True, False]
    assert bruno.last("step")["position"]["legal"]["actions"] == [WAIT]
    assert takes_up(host, bruno, 6) is not None


def test_who_forgets_it_is_caught_by_the_next_players_taking_up(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    assert takes_up(host, bruno, 6, id="up") is None, "the magnet goes back"
    assert steps(host)[-1] == (0, WAIT)
    assert anna.last("step")["position"]["to_move"] == 0
    assert anna.last("step")["position"]["state"]["picks"] == 2
    assert "forgot" in anna.last("step")["events"][0]["words"]["en"]
    assert bruno.last("step")["request"] == "up"
    with pytest.raises(NotAllowed):
        host.asks(bruno, "begin", hand={"magnet": 6, "pose": HIGH})
    picks(host, anna)
    assert now(host).table.hands[0] == tuple(sorted({4, 0, 1}))
    assert takes_up(host, bruno, 6) is not None
    assert steps(host)[:2] == [(0, "place"), (0, WAIT)]


def test_a_whole_turn_in_one_action_takes_a_magnet_up_too(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    host.asks(bruno, "act", action=put(6, 0, 0))
    assert steps(host) == [(0, "place"), (0, WAIT)]


def test_nonsense_catches_nobody(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    before = list(host.log)
    for hand in ({}, {"magnet": 4, "pose": HIGH}, {"magnet": True, "pose": HIGH}, {"magnet": 6, "pose": [1]}):
        with pytest.raises(IllegalAction):
            host.asks(bruno, "begin", hand=hand)
    for action in ("", "blah", WAIT, put(4, 0, 0), '{"magnet":6,"path":[],"release":0}'):
        with pytest.raises(IllegalAction):
            host.asks(bruno, "act", action=action)
    for action in ("blah", put(4, 0, 0)):
        with pytest.raises(NotAllowed, match="not your turn"):  # which reminds of nothing
            host.asks(anna, "act", action=action)
    with pytest.raises(NotAllowed):
        host.asks(anna, "begin", hand={"magnet": 4, "pose": HIGH})
    assert host.log == before


def test_at_the_wrong_time_it_means_nothing_and_one_is_told_so_kindly(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)

    def untimely(*people: Person) -> None:
        before = list(host.log)
        for one in people:
            with pytest.raises(IllegalAction, match="means nothing just now") as told:
                host.asks(one, "act", action=CALL)
            assert "« Dernier Yiker ! »" in told.value.sentence("fr")
        assert host.log == before

    untimely(anna, bruno, Person("Carla"))
    live = takes_up(host, anna, 3)
    assert live is not None
    untimely(anna, bruno)  # the board is not at rest
    end_live(host, live, 3)
    untimely(bruno)
    host.asks(anna, "act", action=CALL)
    untimely(anna, bruno)
    takes_up(host, bruno, 6)
    untimely(anna, bruno)


def test_too_late_is_too_late(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    seen = host.table.state.number
    takes_up(host, bruno, 6)
    host.asks(anna, "act", action=CALL, at=seen)
    assert anna.last("state")["why"] == "stale"
    with pytest.raises(IllegalAction, match="means nothing"):
        host.asks(anna, "act", action=CALL)
    assert steps(host)[-1] == (0, WAIT)


def test_a_table_may_remind_as_it_always_did(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere, remind=True)
    assert anna.last("state")["table"]["settings"]["remind"] is True
    places(host, anna, 3)
    assert anna.last("step")["position"]["to_move"] == 0
    assert anna.last("step")["position"]["legal"]["actions"] == [CALL, WAIT]
    with pytest.raises(NotAllowed):
        host.asks(bruno, "begin", hand={"magnet": 6, "pose": HIGH})
    with pytest.raises(IllegalAction, match="means nothing"):
        host.asks(bruno, "act", action=CALL)
    host.asks(anna, "act", action=WAIT)
    assert now(host).table.picks == 2


def test_a_hint_does_not_tell_it(elsewhere: bool) -> None:
    host, anna, _ = two_people(elsewhere, hints=True)
    places(host, anna, 3)
    host.asks(anna, "hint", level=5)
    advise = next(work for work in host.pending if isinstance(work, Advise))
    assert advise.position.to_move == 1
    assert advise.position.legal().open == ("magnet",)
    host.resumes(advise, Decision(put(6, 0, 0), 0.5, ()))
    assert anna.last("hint")["action"] == put(6, 0, 0)


def test_the_call_can_be_looked_at_ahead_like_any_action(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    host.asks(anna, "peek", actions=[CALL])
    assert "Last Yiker" in anna.last("preview")["steps"][0]["events"][0]["words"]["en"]
    host.asks(bruno, "peek")
    assert bruno.last("preview")["position"]["to_move"] == 1


def test_the_next_players_clock_runs_and_nobody_gets_an_increment_for_a_call(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere, clock=GameClock(60, 5))
    host.passes(10)
    places(host, anna, 3)
    clocks = host.table.state.clocks
    assert (clocks.left, clocks.running) == ([55, 60], 1)
    host.passes(4)
    host.asks(anna, "act", action=CALL)
    assert (clocks.left, clocks.running) == ([55, 56], 1)
    host.passes(6)
    places(host, bruno, 6)
    assert clocks.left == [55, 55]


@pytest.mark.parametrize("clock", [GameClock(60, 5), MoveClock(60)])
def test_while_the_offender_picks_the_next_players_clock_runs_and_loses_nothing(
    elsewhere: bool, clock: GameClock | MoveClock
) -> None:
    host, anna, bruno = two_people(elsewhere, clock=clock)
    places(host, anna, 3)
    clocks, hers = host.table.state.clocks, host.table.state.clocks.left[0]
    host.passes(4)
    takes_up(host, bruno, 6)
    assert (clocks.left, clocks.running) == ([hers, 56], 1)
    host.passes(50)
    assert bruno.last("step")["clocks"]["running"] == 1
    picks(host, anna)
    assert (clocks.left, clocks.running) == ([hers, 56], 1)
    host.passes(60)
    assert host.table.state.status == "over"
    assert host.table.state.score == [1, 0]


def test_an_offender_who_lets_the_next_players_time_run_out_has_lost(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere, clock=GameClock(60))
    places(host, anna, 3)
    takes_up(host, bruno, 6)
    host.passes(61)
    assert (host.table.state.status, host.table.state.score) == ("over", [0, 1])


def test_who_neither_begins_nor_is_told_anything_runs_out_of_time(elsewhere: bool) -> None:
    host, anna, _ = two_people(elsewhere, clock=GameClock(60))
    places(host, anna, 3)
    host.passes(61)
    assert (host.table.state.status, host.table.state.score) == ("over", [1, 0])


def test_a_forgotten_call_can_be_taken_back_like_any_move(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    takes_up(host, bruno, 6)
    host.asks(anna, "takeback")
    host.asks(bruno, "answer", yes=True)
    assert now(host).table.phase == "call"
    assert anna.last("table")["position"]["to_move"] == 1, "and nobody is reminded now either"
    host.asks(anna, "act", action=CALL)
    host.asks(anna, "takeback")
    host.asks(bruno, "answer", yes=True)
    host.asks(anna, "takeback")
    host.asks(bruno, "answer", yes=True)
    assert (now(host).table.phase, now(host).table.hands[0]) == ("turn", (3, 4))


def test_a_restored_table_still_waits_for_the_call(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere, clock=GameClock(60))
    places(host, anna, 3)
    again = ListHost(host.log, {"yikerz": GAME}, elsewhere=elsewhere)
    again.enter(anna, bruno)
    assert again.table.state.clocks.running == 1
    assert anna.last("state")["position"] == anna.last("step")["position"]
    assert takes_up(again, bruno, 6) is None
    assert steps(again) == [(0, "place"), (0, WAIT)]


def test_a_table_of_version_1_plays_on(elsewhere: bool) -> None:
    host = a_table(seat("Anna"), seat("Bruno"), elsewhere=elsewhere, rules=1)
    anna, bruno = Person("Anna"), Person("Bruno")
    host.enter(anna, bruno)
    assert (host.table.state.options["hand_seconds"], host.table.state.options["first"]) == (60, "lot")
    places(host, anna, 3)
    assert takes_up(host, bruno, 6) is None
    picks(host, anna)
    places(host, bruno, 6)
    record = read_record(host.table.state.record(reveal=True))
    assert [entry.action for entry in record.match.log] == [entry.action for entry in host.table.state.match.log]  # type: ignore[union-attr] # it has begun


def test_the_record_of_a_forgotten_call_replays(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    takes_up(host, bruno, 6)
    picks(host, anna)
    record = read_record(host.table.state.record(reveal=True))
    assert record.match.position.view() == now(host).view()
    assert [entry.by for entry in record.match.log] == [0, 0, 0, 0]


def test_one_person_at_both_seats_says_it_or_catches_themself(elsewhere: bool) -> None:
    for said in (True, False):
        host = a_table(seat("Anna"), seat("Anna"), elsewhere=elsewhere)
        anna = Person("Anna")
        host.enter(anna)
        places(host, anna, 3)
        if said:
            host.asks(anna, "act", action=CALL)
        assert (takes_up(host, anna, 6) is not None) == said
        assert now(host).table.called[0] is said


def test_with_six_it_is_the_next_clockwise_who_ends_it(elsewhere: bool) -> None:
    names = ("Anna", "Bruno", "Carla", "Dora", "Emil", "Flora")
    host, people = a_table(*map(seat, names), elsewhere=elsewhere), [Person(name) for name in names]
    host.enter(*people)
    places(host, people[0], 3)
    for other in people[2:]:
        with pytest.raises(NotAllowed):
            host.asks(other, "begin", hand={"magnet": 9, "pose": HIGH})
    assert takes_up(host, people[1], 6) is None
    assert steps(host)[-1] == (0, WAIT)


# Bots


def bot(level: int = 3) -> Seat:
    return Seat("bot", level=level)


def thinking(host: ListHost) -> Choose | None:
    """The decision that the table waits for; one that was cancelled does not count."""
    cancelled = {work.id for work in host.pending if isinstance(work, Cancel)}
    return next((work for work in host.pending if isinstance(work, Choose) and work.id not in cancelled), None)


@pytest.mark.parametrize("pace", [0.0, 5.0])
def test_a_bot_takes_up_no_sooner_than_three_seconds_after_rest(elsewhere: bool, pace: float) -> None:
    host, anna = a_table(seat("Anna"), bot(), elsewhere=elsewhere, pace=pace), Person("Anna")
    host.enter(anna)
    places(host, anna, 3)
    assert thinking(host) is None
    host.passes(max(3.0, pace) - 0.1)
    assert steps(host) == [(0, "place")]
    host.passes(0.2)
    assert steps(host) == [(0, "place"), (0, WAIT)]
    picks(host, anna)
    choose = thinking(host)
    assert choose is not None
    assert choose.seat == 1


def test_a_bot_gives_the_same_time_after_every_turn_of_a_person(elsewhere: bool) -> None:
    """Otherwise its waiting would remind."""
    host, bruno = a_table(seat("Bruno"), bot(), elsewhere=elsewhere, pace=0.0), Person("Bruno")
    host.enter(bruno)
    view = with_magnets(nearly_done(2), {5: {"where": "stack", "owner": 0, "pose": None}})
    entry = host.log[0].entry
    assert isinstance(entry, Opened)
    other = Opened("yikerz", 2, entry.options, False, "bruno", "Bruno", entry.settings, entry.seats, 1, "seed", view)
    host = ListHost([LogEntry(1, other, 1)], {"yikerz": GAME}, elsewhere=elsewhere)
    host.enter(bruno)
    places(host, bruno, 3)
    assert now(host).table.phase == "turn"
    choose = thinking(host)
    assert choose is not None
    assert choose.not_before == host.seconds + 3


def test_a_bot_gives_that_time_to_another_bot_too_where_people_play(elsewhere: bool) -> None:
    for third, pause in ((seat("Anna"), 3.0), (bot(), 0.5)):
        host = a_table(bot(), bot(), third, elsewhere=elsewhere, pace=0.5)
        host.enter(Person("Anna"))
        place = thinking(host)
        assert place is not None
        host.resumes(place, put(3, 0, -40))
        say = thinking(host)
        assert say is not None
        host.resumes(say, CALL)
        after = thinking(host)
        assert after is not None
        assert (after.seat, after.not_before) == (1, host.seconds + pause)


def test_a_bot_says_it_after_one_to_three_seconds_if_it_thinks_of_it(elsewhere: bool) -> None:
    host, anna = a_table(bot(), seat("Anna"), elsewhere=elsewhere, pace=0.0), Person("Anna")
    host.enter(anna)
    choose = thinking(host)
    assert choose is not None
    host.resumes(choose, put(3, 0, -40))
    assert now(host).table.phase == "call"
    say = thinking(host)
    assert say is not None
    assert say.seat == 0
    assert 1 <= say.not_before - host.seconds <= 3
    host.resumes(say, CALL)
    assert steps(host) == [(0, "place"), (0, CALL)]
    assert takes_up(host, anna, 6) is not None


def test_a_bot_that_forgets_it_is_caught_by_a_person(elsewhere: bool) -> None:
    host, anna = a_table(bot(1), seat("Anna"), elsewhere=elsewhere, pace=0.0), Person("Anna")
    host.enter(anna)
    place = thinking(host)
    assert place is not None
    host.resumes(place, put(3, 0, -40))
    say = thinking(host)
    assert say is not None
    host.resumes(say, WAIT)
    host.passes(100)
    assert steps(host) == [(0, "place")], "it does not remind itself"
    assert thinking(host) is None
    assert takes_up(host, anna, 6) is None
    assert steps(host)[-1] == (0, WAIT)
    assert thinking(host) is not None  # it picks


def test_a_bot_may_be_caught_before_it_has_said_it(elsewhere: bool) -> None:
    host, anna = a_table(bot(), seat("Anna"), elsewhere=elsewhere, pace=0.0), Person("Anna")
    host.enter(anna)
    place = thinking(host)
    assert place is not None
    host.resumes(place, put(3, 0, -40))
    say = thinking(host)
    assert say is not None
    takes_up(host, anna, 6)
    host.resumes(say, CALL)  # too late
    assert steps(host) == [(0, "place"), (0, WAIT)]


def test_bots_catch_each_other_but_none_is_late_because_the_server_is(elsewhere: bool) -> None:
    host = a_table(bot(1), bot(), elsewhere=elsewhere, pace=0.0)
    place = thinking(host)
    assert place is not None
    host.resumes(place, put(3, 0, -40))
    say = thinking(host)
    assert say is not None
    host.passes(20)  # it has not decided yet
    assert steps(host) == [(0, "place")]
    host.resumes(say, WAIT)
    host.passes(0)
    assert steps(host) == [(0, "place"), (0, WAIT)]


def test_a_bot_that_takes_a_seat_over_says_it_or_listens(elsewhere: bool) -> None:
    names = ("Anna", "Bruno", "Carla")
    host, people = a_table(*map(seat, names), elsewhere=elsewhere), [Person(name) for name in names]
    host.enter(*people)
    places(host, people[0], 3)
    host.asks(people[1], "resign")
    assert host.table.state.seats[1].automatic
    assert host.table.deadline == host.seconds + 3
    host.asks(people[0], "resign")
    say = thinking(host)
    assert say is not None
    assert say.seat == 0
    host.resumes(say, CALL)
    assert steps(host) == [(0, "place"), (0, CALL)]


def test_who_is_away_when_it_is_time_to_begin_can_be_replaced(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    host.carry_out(host.table.leave(bruno, host.now))
    host.passes(61)
    host.asks(anna, "claim", **{"as": "bot"})
    assert host.table.state.seats[1].automatic
    host.asks(anna, "act", action=CALL)
    assert steps(host)[-1] == (0, CALL)


def test_an_offender_who_is_away_can_be_replaced_too(elsewhere: bool) -> None:
    host, anna, bruno = two_people(elsewhere)
    places(host, anna, 3)
    host.carry_out(host.table.leave(anna, host.now))
    takes_up(host, bruno, 6)
    host.passes(61)
    host.asks(bruno, "claim", **{"as": "bot"})
    pick = thinking(host)
    assert pick is not None
    assert pick.seat == 0


def test_resigning_while_a_call_may_be_said_ends_the_match_for_two(elsewhere: bool) -> None:
    for gives_up, score in ((0, [0, 1]), (1, [1, 0])):
        host, *people = two_people(elsewhere)
        places(host, people[0], 3)
        host.asks(people[gives_up], "resign")
        assert (host.table.state.status, host.table.state.score) == ("over", score)
