"""The judge of the fault tests finds what is planted in a history, and nothing in a good one."""

from dataclasses import replace

import pytest

from server.history import Connected, Event, History, Kind, Logged, Read, Told, check, longest_pause

LOG = [Logged(number, f"step {number}", f"r{number}", 1 if number < 4 else 2) for number in range(1, 7)]


def told(at: float, number: int, content: str | None = None, request: str | None = None) -> Told:
    return Told(at, number, content or f"step {number}", request or f"r{number}")


def a_good_evening() -> list[History]:
    """Anna is told everything at once; Bruno loses his connection after 3 and comes back."""
    anna: list[Event] = [Connected(0, 0.4, 0), Read(0, 0.5, 0), *(told(number, number) for number in range(1, 7))]
    bruno: list[Event] = [Connected(0.1, 0.5, 0), Read(0.1, 0.6, 0), told(1.1, 1), told(2.1, 2), told(3.1, 3)]
    bruno += [Connected(4.5, 4.6, 4), Read(4.6, 4.7, 4), told(5.1, 5), told(6.1, 6)]
    return [History("Anna", anna, {"r1", "r3"}), History("Bruno", bruno, {"r2", "r4", "r6"})]


def kinds(log: list[Logged], histories: list[History]) -> set[Kind]:
    return {one.kind for one in check(log, histories)}


def test_a_good_history_has_no_violations() -> None:
    assert check(LOG, a_good_evening()) == []


def test_a_client_that_catches_up_message_by_message_is_fine() -> None:
    anna, bruno = a_good_evening()
    bruno.events[5:] = [Connected(4.5, 4.55, 4), told(4.6, 4), told(5.1, 5), told(6.1, 6)]
    assert check(LOG, [anna, bruno]) == []


def test_an_acknowledged_action_that_is_not_in_the_log_is_lost() -> None:
    assert kinds(LOG[:5], a_good_evening()) == {"lost"}


def test_a_hole_in_the_log_is_a_loss() -> None:
    assert "lost" in kinds([*LOG[:2], *LOG[3:]], a_good_evening())


def test_a_request_that_was_applied_twice_is_doubled() -> None:
    log = [*LOG, Logged(7, "step 2", "r2", 2)]
    assert kinds(log, a_good_evening()) == {"doubled"}


def test_entries_without_a_request_are_not_doubled() -> None:
    log = [*LOG, Logged(7, "time", None, 2), Logged(8, "time", None, 2)]
    assert check(log, a_good_evening()) == []


@pytest.mark.parametrize(("content", "request_id"), [("another step", "r5"), ("step 5", "another")])
def test_two_observers_with_different_orders_are_found(content: str, request_id: str) -> None:
    anna, bruno = a_good_evening()
    bruno.events[-2] = told(5.1, 5, content, request_id)
    assert kinds(LOG, [anna, bruno]) == {"reordered"}


def test_two_that_were_swapped_in_the_log_are_found() -> None:
    log = [*LOG[:4], replace(LOG[5], number=5), replace(LOG[4], number=6)]
    assert kinds(log, a_good_evening()) == {"reordered"}


def test_a_former_owners_entry_after_its_successors_is_found() -> None:
    assert kinds([*LOG[:5], replace(LOG[5], epoch=1)], a_good_evening()) == {"reordered"}


@pytest.mark.parametrize("numbers", [(1, 3), (2, 1), (1, 1)])
def test_messages_of_one_connection_follow_one_another(numbers: tuple[int, int]) -> None:
    events: list[Event] = [Connected(0, 0.5, 0), *(told(1 + place, number) for place, number in enumerate(numbers))]
    assert "reordered" in kinds(LOG, [History("Anna", events)])


def test_a_client_that_reads_less_than_it_had_seen_is_found() -> None:
    anna, bruno = a_good_evening()
    bruno.events[6] = Read(4.6, 4.7, 2)
    bruno.events[7:] = []
    assert kinds(LOG, [anna, bruno]) == {"went back"}


def test_a_client_that_reads_less_than_another_was_told_before_it_asked_is_found() -> None:
    anna, bruno = a_good_evening()
    carla = History("Carla", [Connected(4.8, 4.9, 4), Read(5.4, 5.5, 4)])
    assert kinds(LOG, [anna, bruno, carla]) == {"went back"}


def test_a_read_that_overlaps_with_the_telling_may_show_either() -> None:
    anna, bruno = a_good_evening()
    for number in (4, 5):
        carla = History("Carla", [Connected(4.8, 4.9, 4), Read(4.9, 5.6, number)])
        assert check(LOG, [anna, bruno, carla]) == []


def test_a_read_that_goes_behind_an_earlier_read_of_somebody_else_is_found() -> None:
    first = History("Anna", [Connected(0, 0.1, 0), Read(1.0, 1.1, 4)])
    second = History("Bruno", [Connected(0, 0.1, 0), Read(1.2, 1.3, 3)])
    assert kinds(LOG, [first, second]) == {"went back"}


def test_a_welcome_is_a_read() -> None:
    anna, bruno = a_good_evening()
    carla = History("Carla", [Connected(5.4, 5.5, 3)])
    assert kinds(LOG, [anna, bruno, carla]) == {"went back"}
    bruno.events[5] = Connected(3.5, 3.6, 2)
    assert kinds(LOG, [bruno]) == {"went back"}


def test_a_request_that_a_state_calls_applied_is_in_the_log() -> None:
    anna, bruno = a_good_evening()
    bruno.applied = {"r4"}
    assert check(LOG, [anna, bruno]) == []
    bruno.applied = {"r4", "r9"}
    assert kinds(LOG, [anna, bruno]) == {"lost"}


def test_who_was_acknowledged_and_how_long_nothing_went() -> None:
    anna, bruno = a_good_evening()
    assert [one.number for one in anna.acknowledged()] == [1, 3]
    assert [one.number for one in bruno.acknowledged()] == [2, 6], "4 was only seen in a state"
    assert longest_pause([anna]) == pytest.approx(1.0)
    assert longest_pause([]) == 0.0
