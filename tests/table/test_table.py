"""A table and a host made of plain lists: seats, dice, take-backs, clocks, bots, series, whether the rules run here or not."""

from dataclasses import replace
from typing import Any

import pytest

from hosting.lists import ListHost, Person, opened, seat
from hosting.pig import PIG, ChangedPig, OptionPig, PatientPig, StarterPig
from ludotheque.core import (
    BadRequest,
    Decision,
    Event,
    Game,
    IllegalAction,
    Json,
    JsonObject,
    languages,
    read_record,
    verify,
)
from ludotheque.table import (
    Advise,
    Cancel,
    Choose,
    Forfeited,
    LogEntry,
    NotAllowed,
    Opened,
    Seat,
    WhoAreYou,
    read_entry,
    read_request,
)
from ludotheque.table.settings import GameClock, MoveClock

GAMES: dict[str, Game] = {"plain-pig": PIG}


@pytest.fixture(params=[False, True], ids=["here", "elsewhere"])
def elsewhere(request: pytest.FixtureRequest) -> bool:
    """Whether the rules run in the table or in its host."""
    return bool(request.param)


def begun(elsewhere: bool, *names: str, **wanted: Any) -> tuple[ListHost, list[Person]]:
    """People at a table, and the match has begun."""
    people = [Person(name) for name in names or ("Anna", "Bruno")]
    host = ListHost([opened("plain-pig", *(seat(one.name) for one in people), **wanted)], GAMES, elsewhere=elsewhere)
    host.enter(*people)
    return host, people


def whose(host: ListHost, people: list[Person]) -> Person:
    acting = host.table.state.acting
    assert acting is not None
    return next(one for one in people if one.name.lower() == host.table.state.seats[acting].person)


def play_on(host: ListHost, people: list[Person]) -> None:
    """One step: a roll, or the first legal action."""
    position = host.table.state.position
    assert position is not None
    if position.to_move == "chance":
        host.asks(whose(host, people), "roll")
    else:
        host.asks(whose(host, people), "act", action=position.legal().actions[0])


def test_a_match_begins_when_the_last_seat_is_taken(elsewhere: bool) -> None:
    host = ListHost([opened("plain-pig", seat("Anna"), Seat())], GAMES, elsewhere=elsewhere)
    anna, bruno = Person("Anna"), Person("Bruno")
    host.enter(anna, bruno)
    assert anna.last("state")["position"] is None
    host.asks(bruno, "sit", seat=1, number="7")
    assert [one.kind for one in host.log] == ["opened", "contributed", "sit", "began"]
    assert anna.last("table")["why"] == "began"
    assert anna.last("table")["position"]["length"] == 0
    assert [message.number for message in host.published if message.number is not None] == [2, 3, 4]


def test_everybody_hears_the_same_of_every_step_and_the_record_is_kept(elsewhere: bool) -> None:
    host, people = begun(elsewhere, options={"goal": 10})
    while host.table.state.status == "playing":
        play_on(host, people)
    anna, bruno = people
    assert [one for one in anna.heard if one["what"] == "step"] == [one for one in bruno.heard if one["what"] == "step"]
    last = anna.last("step")
    assert last["table"]["ended"]["how"] == "played"
    assert set(last["events"][0]["words"]) >= {"en", "fr"}
    record = read_record(host.table.state.record(reveal=True), GAMES)
    assert record.match.over
    assert host.table.state.score == list(record.match.position.returns())


def test_a_restored_table_is_as_it_was(elsewhere: bool) -> None:
    host, people = begun(elsewhere, clock=GameClock(60, 1))
    for _ in range(7):
        host.passes(1)
        play_on(host, people)
    host.asks(people[0], "takeback")
    again = ListHost(host.log, GAMES, elsewhere=elsewhere)
    for one in (host, again):
        one.table.state.clocks.stop(one.seconds)
    assert again.log == host.log
    assert again.table.state.inside(()) == host.table.state.inside(())
    assert again.table.state.record(reveal=True) == host.table.state.record(reveal=True)
    assert again.table.state.requests == host.table.state.requests


def test_what_is_not_allowed_changes_nothing(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    acting = whose(host, people)
    other = next(one for one in people if one is not acting)
    before = list(host.log)
    for actor, do, more, problem in (
        (other, "act", {"action": "roll"}, NotAllowed),
        (acting, "act", {"action": "hold"}, IllegalAction),
        (acting, "roll", {}, BadRequest),
        (acting, "rematch", {}, BadRequest),
        (acting, "sit", {"seat": 0}, NotAllowed),
        (acting, "takeback", {}, BadRequest),
        (other, "claim", {"as": "win"}, BadRequest),
        (Person(), "act", {"action": "roll"}, WhoAreYou),
    ):
        with pytest.raises(problem):
            host.asks(actor, do, **more)
    assert host.log == before
    assert not host.table.broken


def test_a_stale_or_repeated_request_is_answered_with_the_state(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    actor = whose(host, people)
    host.asks(actor, "act", action="roll", id="same")
    for more, why in (({"id": "same"}, "again"), ({"id": "new", "at": 2}, "stale")):
        number = host.table.state.number
        host.asks(actor, "roll", **more)
        assert actor.last("state")["why"] == why
        assert "same" in actor.last("state")["applied"]
        assert host.table.state.number == number


def test_a_take_back_goes_back_to_the_asking_players_last_action(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    actor = whose(host, people)
    other = next(one for one in people if one is not actor)
    host.asks(actor, "act", action="roll")
    host.asks(actor, "roll")
    host.asks(actor, "takeback")
    assert other.last("table")["table"]["takeback"]["length"] == 0
    host.asks(other, "answer", yes=True)
    assert actor.last("table")["why"] == "takeback"
    assert actor.last("table")["position"]["length"] == 0
    host.asks(actor, "act", action="roll")
    host.asks(actor, "takeback")
    host.asks(other, "answer", yes=False)
    assert host.log[-1].kind == "takeback-refused"


def test_a_take_back_is_not_too_late_because_somebody_has_just_acted(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    actor = whose(host, people)
    host.asks(actor, "act", action="roll")
    seen = host.table.state.number
    host.asks(actor, "roll")
    host.asks(actor, "takeback", at=seen)
    assert host.log[-1].kind == "takeback-asked"


def test_giving_up_does_not_reach_the_next_match(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    seen = host.table.state.number
    host.asks(people[0], "resign", at=seen)
    for one in people:
        host.asks(one, "rematch")
    assert host.table.state.matches == 2
    host.asks(people[0], "resign", at=seen)
    assert people[0].last("state")["why"] == "stale"
    assert host.table.state.status == "playing"


def test_dice_roll_by_themselves_where_the_table_wants_it(elsewhere: bool) -> None:
    host, people = begun(elsewhere, dice="auto")
    host.asks(whose(host, people), "act", action="roll")
    assert [one.kind for one in host.log[-2:]] == ["step", "step"]
    assert host.table.state.match is not None
    assert [entry.by for entry in host.table.state.match.log][1] == "chance"


def test_who_runs_out_of_time_loses(elsewhere: bool) -> None:
    host, people = begun(elsewhere, clock=MoveClock(5))
    acting = host.table.state.acting
    host.passes(4)
    host.asks(whose(host, people), "act", action="roll")
    assert people[0].last("step")["clocks"]["left"] == [5, 5]
    host.passes(4.9)
    assert host.table.state.status == "playing"
    host.passes(0.2)
    assert host.table.state.ended is not None
    assert (host.table.state.ended.how, host.table.state.ended.seat) == ("time", acting)
    assert host.table.deadline is None


def test_a_bot_acts_at_its_pace_and_its_dice_too(elsewhere: bool) -> None:
    entry = opened("plain-pig", seat("Anna"), Seat("bot", level=2), pace=2)
    host = ListHost([entry], GAMES, elsewhere=elsewhere)
    anna = Person("Anna")
    host.enter(anna)
    while host.table.state.acting == 0:
        play_on(host, [anna])
    # Its first action is the only legal one, so nobody need think.
    steps = len(host.log)
    host.passes(1.9)
    assert len(host.log) == steps
    for _ in range(2):  # the action, and the die
        host.passes(2)
        steps += 1
        assert len(host.log) == steps
    if host.table.state.acting == 1:
        (choose,) = host.pending
        assert isinstance(choose, Choose)
        assert (choose.level, choose.not_before) == (2, host.seconds + 2)
        host.resumes(choose, "hold")
        assert host.log[-1].kind == "step"


def thinking(elsewhere: bool, *others: str) -> tuple[ListHost, Choose, list[Person]]:
    """A table where a bot has something to decide."""
    people = [Person(name) for name in ("Anna", *others)]
    seats = [*(seat(one.name) for one in people), Seat("bot", level=2)]
    entry = opened("plain-pig", *seats, pace=0, options={"goal": 1000})
    host = ListHost([entry], GAMES, elsewhere=elsewhere)
    host.enter(*people)
    for _ in range(200):
        if host.pending:
            break
        if host.table.state.acting == len(people):
            host.passes(0.1)
        else:
            play_on(host, people)
    (choose,) = host.pending
    assert isinstance(choose, Choose)
    return host, choose, people


def test_a_bot_that_failed_plays_something_legal_and_a_program_that_failed_forfeits(elsewhere: bool) -> None:
    host, choose, _ = thinking(elsewhere)
    host.resumes(choose, BadRequest("table.no-match"))
    assert host.log[-1].kind == "step"
    host, choose, _ = thinking(elsewhere)
    host.resumes(choose, Forfeited("it could not be run"))
    assert host.table.state.ended is not None
    assert host.table.state.ended.how == "resigned"


def test_a_decision_for_a_position_that_is_gone_is_ignored(elsewhere: bool) -> None:
    host, choose, people = thinking(elsewhere)
    host.asks(people[0], "takeback")
    assert Cancel(choose.id) in host.pending
    length = len(host.log)
    host.carry_out(host.table.resume(choose.id, "hold", host.now))
    assert len(host.log) == length


def test_with_three_a_bot_takes_the_seat_of_who_resigns(elsewhere: bool) -> None:
    host, people = begun(elsewhere, "Anna", "Bruno", "Chloé")
    host.asks(people[1], "resign")
    assert host.log[-1].kind == "taken-over"
    assert host.table.state.seats[1].kind == "bot"
    assert host.table.state.status == "playing"


def test_a_series_counts_and_sides_change(elsewhere: bool) -> None:
    host, people = begun(elsewhere, series=3)
    committed = people[0].last("state")["table"]["dice"]["commitment"]
    host.asks(people[1], "resign")
    assert host.table.state.score == [1, 0]
    following = people[0].last("table")["table"]["dice"]["next"]
    assert following != committed
    host.asks(people[0], "rematch")
    host.asks(people[1], "rematch")
    assert [one.person for one in host.table.state.seats] == ["bruno", "anna"]
    assert host.table.state.score == [0, 1]
    assert people[0].last("table")["table"]["dice"]["commitment"] == following


def test_a_game_is_claimed_once_the_other_has_been_away_for_long_enough(elsewhere: bool) -> None:
    host, people = begun(elsewhere, claim_after=60)
    gone = whose(host, people)
    there = next(one for one in people if one is not gone)
    host.carry_out(host.table.leave(gone, host.now))
    host.passes(59)
    with pytest.raises(BadRequest, match="60 seconds"):
        host.asks(there, "claim", **{"as": "win"})
    host.passes(1)
    host.asks(there, "claim", **{"as": "win"})
    assert host.table.state.ended is not None
    assert host.table.state.ended.how == "claimed"


def test_questions_are_answered_to_whoever_asks_and_change_nothing(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    actor = whose(host, people)
    other = next(one for one in people if one is not actor)
    length, heard = len(host.log), len(other.heard)
    host.asks(actor, "peek", actions=["roll", "4"])
    assert [step["action"] for step in actor.last("preview")["steps"]] == ["roll", "4"]
    with pytest.raises(IllegalAction):
        host.asks(actor, "peek", actions=["hold"])
    host.asks(actor, "ping")
    host.asks(actor, "act", action="roll")
    host.asks(actor, "story")
    assert [step["action"] for step in actor.last("story")["steps"]] == ["roll"]
    assert len(host.log) == length + 1
    assert [one["what"] for one in other.heard[heard:]] == ["step"]


def test_a_hint_does_not_hold_the_table_up(elsewhere: bool) -> None:
    anna = Person("Anna")
    host = ListHost([opened("plain-pig", seat("Anna"), seat("Anna"))], GAMES, elsewhere=elsewhere)
    host.enter(anna)
    host.asks(anna, "hint", level=1)
    (advise,) = host.pending
    assert isinstance(advise, Advise)
    number = host.table.state.number
    host.asks(anna, "act", action="roll")
    host.resumes(advise, Decision("roll", 0.5, ()))
    assert (anna.last("hint")["action"], anna.last("hint")["number"]) == ("roll", number)
    assert anna.last("hint")["reasons"] == []


def test_the_reasons_for_a_hint_are_told_in_every_language(elsewhere: bool) -> None:
    anna = Person("Anna")
    host = ListHost([opened("plain-pig", seat("Anna"), seat("Anna"))], GAMES, elsewhere=elsewhere)
    host.enter(anna)
    host.asks(anna, "hint", level=1)
    (advise,) = host.pending
    assert isinstance(advise, Advise)
    reason = Event("hold", {"player": 0, "action": "hold"})
    host.resumes(advise, Decision("roll", 0.5, (), (reason,)))
    (told,) = anna.last("hint")["reasons"]
    assert (told["what"], told["facts"]) == ("hold", reason.facts)
    assert set(told["words"]) == set(languages())


def test_speech_reaches_those_who_have_not_muted_it(elsewhere: bool) -> None:
    host, (anna, bruno) = begun(elsewhere, chat=True)
    host.asks(anna, "phrase", phrase="thanks")
    assert bruno.last("said")["phrase"] == "thanks"
    host.asks(bruno, "mute", person="anna", on=True)
    heard = len(bruno.heard)
    host.asks(anna, "chat", text="psst")
    assert len(bruno.heard) == heard
    again = Person("Bruno")
    host.enter(again)
    assert again.last("state")["said"] == []


def test_who_is_removed_is_dismissed_and_stays_out(elsewhere: bool) -> None:
    host, (anna, bruno) = begun(elsewhere)
    effects = host.table.handle(read_request({"do": "remove", "id": "x", "person": "bruno"}), anna, host.now)
    assert effects.dismissed == [bruno]
    host.carry_out(effects)
    assert host.table.state.seats[1].kind == "bot"
    with pytest.raises(NotAllowed):
        host.table.enter(Person("Bruno"), host.now)


def test_a_running_table_is_finished_under_its_own_rules_where_the_game_still_offers_them(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    play_on(host, people)
    later = ListHost(host.log, {"plain-pig": PatientPig()}, elsewhere=elsewhere)
    assert later.table.state.game is PIG
    later.enter(*people)
    while later.table.state.status == "playing":
        play_on(later, people)
    record = later.table.state.record(reveal=True)
    assert record["rules"] == 1
    assert read_record(record, GAMES).match.over, "it was played by the old rules throughout"


def test_a_running_table_plays_on_where_options_stand_for_its_old_rules(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    play_on(host, people)
    games: dict[str, Game] = {"plain-pig": OptionPig()}
    later = ListHost(host.log, games, elsewhere=elsewhere)
    assert later.table.state.options == {"goal": 20, "head_start": 0}
    assert later.table.state.closed is None
    later.enter(*people)
    while later.table.state.status == "playing":
        play_on(later, people)
    record = later.table.state.record(reveal=True)
    assert (record["rules"], record["options"]) == (2, {"goal": 20, "head_start": 0})
    assert read_record(record, games).match.over
    assert verify(read_record(record, games)).fair is True


def test_a_running_table_whose_rules_are_gone_is_closed_with_a_sentence_and_its_record_kept(elsewhere: bool) -> None:
    host, people = begun(elsewhere)
    for _ in range(5):
        play_on(host, people)
    so_far = host.table.state.record(reveal=True)

    class Untouchable(ChangedPig):
        """Its rules must not be applied to that log."""

        def start(self, *_: Any) -> Any:
            raise AssertionError("replayed under other rules")

        def from_view(self, *_: Any) -> Any:
            raise AssertionError("replayed under other rules")

    later = ListHost(host.log, {"plain-pig": Untouchable()}, elsewhere=elsewhere)
    assert [one.kind for one in later.log[len(host.log) :]] == ["ended"]
    state = later.table.state
    assert state.ended is not None
    assert (state.status, state.ended.how) == ("over", "closed")
    kept = dict(state.record(reveal=True))
    assert kept.pop("ended") == {"how": "closed", "seat": None, "returns": []}
    assert {**kept, "dice": so_far["dice"]} == so_far
    later.requests = host.requests
    later.enter(*people)
    told = people[0].last("state")["table"]["closed"]
    assert set(told) >= {"en", "fr"}
    assert "Plain Pig" in told["en"]
    with pytest.raises(BadRequest, match="rules"):
        later.asks(people[0], "rematch")
    assert ListHost(later.log, {"plain-pig": Untouchable()}, elsewhere=elsewhere).log == later.log, "closed once"


def test_a_table_of_newer_rules_is_left_as_it_is_and_says_so(elsewhere: bool) -> None:
    newer: dict[str, Game] = {"plain-pig": ChangedPig()}
    people = [Person("Anna"), Person("Bruno")]
    host = ListHost([opened("plain-pig", seat("Anna"), seat("Bruno"), rules=2)], newer, elsewhere=elsewhere)
    host.enter(*people)
    for _ in range(5):
        play_on(host, people)
    older = ListHost(host.log, GAMES, elsewhere=elsewhere)
    older.enter(*people)
    older.requests = host.requests
    assert "a newer Ludothèque can go on" in people[0].last("state")["table"]["closed"]["en"]
    for request in ("resign", "takeback", "roll"):
        with pytest.raises(BadRequest, match="version 2 of the rules"):
            older.asks(people[0], request)
    assert older.log == host.log, "nothing was written"
    again = ListHost(older.log, newer, elsewhere=elsewhere)
    again.enter(*people)
    again.requests = host.requests
    play_on(again, people)
    assert len(again.log) > len(host.log)


def test_a_waiting_table_whose_rules_are_gone_is_closed(elsewhere: bool) -> None:
    host = ListHost([opened("plain-pig", seat("Anna"), Seat())], {"plain-pig": ChangedPig()}, elsewhere=elsewhere)
    assert [one.kind for one in host.log] == ["opened", "closed"]
    with pytest.raises(BadRequest, match="rules"):
        host.asks(Person("Bruno"), "sit", seat=1)


def starter(host: ListHost) -> str | None:
    """Who started the match that is played."""
    state = host.table.state
    assert state.match is not None
    acting = state.match.first.acting
    assert acting is not None
    return state.seats[acting].person


@pytest.mark.clause("M24")
@pytest.mark.parametrize(("names", "first"), [(2, "lot"), (2, 1), (3, "lot"), (4, 2)])
def test_in_a_series_the_start_goes_round_among_the_players_and_the_record_shows_it(
    elsewhere: bool, names: int, first: Json
) -> None:
    people = [Person(name) for name in ("Anna", "Bruno", "Chloé", "Daniel")[:names]]
    games: dict[str, Game] = {"plain-pig": StarterPig()}
    options: JsonObject = {"goal": 5, "first": first}
    log = [opened("plain-pig", *(seat(one.name) for one in people), options=options, series=5)]
    host = ListHost(log, games, elsewhere=elsewhere)
    host.enter(*people)
    order = [one.name.lower() for one in people]
    started = [starter(host)]
    if first != "lot":
        assert started == [order[int(str(first))]]
    for _ in range(2 * names):
        while host.table.state.status == "playing":
            play_on(host, people)
        told = host.table.state.inside(())["starts_next"]
        assert isinstance(told, int)
        announced = host.table.state.seats[told].person
        for one in people:
            host.asks(one, "rematch")
        started.append(starter(host))
        assert started[-1] == announced, "and everybody was told who would start"
        assert host.table.state.inside(())["starts_next"] is None
        state = host.table.state
        assert state.match is not None
        record = state.record(reveal=True)
        assert record["options"] == {"goal": 5, "first": state.match.first.acting}
        assert state.inside(())["options"] == record["options"]
        again = ListHost(host.log, games, elsewhere=elsewhere).table.state
        assert again.inside(()) == state.inside(()), "the log alone gives the same"
        assert again.record(reveal=True) == record
    turn = order.index(str(started[0]))
    assert started == [order[(turn + match) % names] for match in range(2 * names + 1)]


def test_where_the_game_names_nobody_a_rematch_draws_as_ever(elsewhere: bool) -> None:
    host, people = begun(elsewhere, options={"goal": 5})
    host.asks(people[0], "resign")
    for one in people:
        host.asks(one, "rematch")
    assert host.table.state.record(reveal=True)["options"] == {"goal": 5}


def test_a_match_from_a_given_position_begins_there_again(elsewhere: bool) -> None:
    games: dict[str, Game] = {"plain-pig": StarterPig()}
    entry = opened("plain-pig", seat("Anna"), seat("Bruno"), options={"goal": 5, "first": "lot"}).entry
    assert isinstance(entry, Opened)
    view: JsonObject = {"banked": [1, 2], "player": 1, "turn": 0, "rolling": False}
    people = [Person("Anna"), Person("Bruno")]
    host = ListHost([LogEntry(1, replace(entry, setup=view), 1)], games, elsewhere=elsewhere)
    host.enter(*people)
    host.asks(people[0], "resign")
    for one in people:
        host.asks(one, "rematch")
    assert host.table.state.match is not None
    assert host.table.state.match.first.view() == view
    assert host.table.state.match.options["first"] == "lot"


def drawn(host: ListHost) -> list[tuple[str, str]]:
    """Where the dice were asked in this match, and what fell."""
    match = host.table.state.match
    assert match is not None
    return [(entry.draw.place, entry.action) for entry in match.log if entry.draw is not None]


def test_what_is_rolled_after_a_take_back_is_another_roll_and_the_dice_are_still_fair(elsewhere: bool) -> None:
    seen = set()
    for length in range(1, 6):
        host, people = begun(elsewhere, options={"goal": 100})
        anna = whose(host, people)
        (bruno,) = (one for one in people if one is not anna)
        host.asks(anna, "act", action="roll")
        host.asks(anna, "roll")
        before = drawn(host)
        for number in range(1, length + 1):
            host.asks(anna, "takeback")
            host.asks(bruno, "answer", yes=True)
            host.asks(anna, "act", action="roll")
            host.asks(anna, "roll")
            assert drawn(host)[-1][0] == f"1.{number}"
        assert before[0][0] == "1"
        seen.add(drawn(host)[-1][1])
        state = host.table.state
        record = state.record(reveal=True)
        dice = record["dice"]
        assert isinstance(dice, dict)
        assert dice["takebacks"] == [0] * length
        read = read_record(record, GAMES)
        assert read.match.takebacks == (0,) * length
        verdict = verify(read)
        assert verdict.fair is True
        assert "taken back" in verdict.text.sentence("en")
        for lie in ([0] * (length - 1), [0] * (length + 1), [2] * length):
            assert verify(read_record({**record, "dice": {**dice, "takebacks": lie}}, GAMES)).fair is False
        again = ListHost(host.log, GAMES, elsewhere=elsewhere)
        assert again.table.state.record(reveal=True) == record
        again.enter(*people)
    assert len(seen) > 1


def test_rolls_before_the_place_that_was_gone_back_to_stay_where_they_were(elsewhere: bool) -> None:
    host, people = begun(elsewhere, options={"goal": 100})
    for _ in range(12):
        play_on(host, people)
    before = drawn(host)
    back = whose(host, people)
    host.asks(back, "takeback")
    host.asks(next(one for one in people if one is not back), "answer", yes=True)
    length = len(host.table.state.record(reveal=True)["actions"])  # type: ignore[arg-type] # a list of actions
    for _ in range(6):
        play_on(host, people)
    after = drawn(host)
    kept = [one for one in before if int(one[0]) < length]
    assert after[: len(kept)] == kept
    assert all(place.endswith(".1") for place, _ in after[len(kept) :])
    assert verify(read_record(host.table.state.record(reveal=True), GAMES)).fair is True


def test_a_log_of_the_first_form_in_which_the_same_dice_fell_again_plays_on(elsewhere: bool) -> None:
    host, people = begun(elsewhere, options={"goal": 100})
    anna = whose(host, people)
    (bruno,) = (one for one in people if one is not anna)
    host.asks(anna, "act", action="roll")
    host.asks(anna, "roll")
    (first,) = drawn(host)
    host.asks(anna, "takeback")
    host.asks(bruno, "answer", yes=True)
    old = [
        LogEntry(
            one.number, read_entry(one.kind, {"v": 1, "length": 0}) if one.kind == "takeback" else one.entry, one.at
        )
        for one in host.log
    ]
    later = ListHost(old, GAMES, elsewhere=elsewhere)
    later.requests = host.requests
    later.enter(anna, bruno)
    later.asks(anna, "act", action="roll")
    later.asks(anna, "roll")
    assert drawn(later) == [first]
    record = later.table.state.record(reveal=True)
    assert "takebacks" not in record["dice"]  # type: ignore[operator] # an object
    assert verify(read_record(record, GAMES)).fair is True


def test_a_repeated_request_is_never_applied_twice_however_much_others_do_meanwhile() -> None:
    host = ListHost([opened("plain-pig", Seat(), Seat())], GAMES)
    anna, bruno = Person("Anna"), Person("Bruno")
    host.enter(anna, bruno)
    host.asks(anna, "sit", seat=0, id="mine", at=1)
    host.asks(anna, "stand", seat=0)
    for _ in range(100):
        host.asks(bruno, "sit", seat=0)
        host.asks(bruno, "stand", seat=0)
    for _ in range(2):
        number = host.table.state.number
        host.asks(anna, "sit", seat=0, id="mine", at=1)
        assert host.table.state.number == number
        assert host.table.state.seats[0] == Seat()
        assert anna.last("state")["why"] == "again"
        assert "mine" in anna.last("state")["applied"]
        host = ListHost(host.reread(), GAMES)  # after a restart, too
        host.enter(anna, bruno)


def test_a_persons_own_requests_are_kept_for_as_long_as_they_are_not_outdated() -> None:
    host = ListHost([opened("plain-pig", Seat(), Seat())], GAMES)
    anna = Person("Anna")
    host.enter(anna)
    for number in range(100):
        host.asks(anna, "sit", seat=0, id=f"sit {number}", at=1)
        host.asks(anna, "stand", seat=0)
    number = host.table.state.number
    host.asks(anna, "sit", seat=0, id="sit 0", at=1)
    assert host.table.state.number == number
    assert len(anna.last("state")["applied"]) == 16
