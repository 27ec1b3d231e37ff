"""Training: gradients against small changes, a course that learns, stops, goes on and says what is wrong."""

import json
import signal
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ludotheque.arena import Backend
from ludotheque.cli.signals import exit_status, interruptible
from ludotheque.core import BadOption, BadRequest, find_game
from ludotheque.kernels.network import Network, load_network, new_network
from ludotheque.kernels.self_play import Batch, Examples
from ludotheque.training.base_course import plot
from ludotheque.training.course import Course, Plan, find_self_play
from ludotheque.training.learner import CompiledLearner, backpropagate

GAME = find_game("yam-master")
FEATURES = np.array([[0, 3, 0], [1, 2, 4], [4, 0, 0]])
COUNTS = np.array([2, 3, 1])
TARGETS = np.array([0.9, 0.2, 0.5], np.float32)
EXAMPLES = Examples(FEATURES, COUNTS, TARGETS)


def error_of(network: Network) -> float:
    nothing = Network(*(np.zeros_like(part) for part in network))
    return backpropagate(network, np.ascontiguousarray(network.second.T), EXAMPLES, np.arange(3), nothing)


def test_gradients_say_how_the_error_changes() -> None:
    network = new_network(5, 6, 4, 3, 3)
    gradients = Network(*(np.zeros_like(part) for part in network))
    backpropagate(network, np.ascontiguousarray(network.second.T), EXAMPLES, np.arange(3), gradients)
    for part, gradient in zip(network, gradients, strict=True):
        for place in np.ndindex(part.shape):
            kept = part[place]
            part[place] = kept + 0.01
            more = error_of(network)
            part[place] = kept - 0.01
            less = error_of(network)
            part[place] = kept
            assert (more - less) / 0.02 == pytest.approx(gradient[place], abs=0.02)


def test_a_learner_learns_its_examples_the_same_on_each_run() -> None:
    found = []
    for _ in range(2):
        learner = CompiledLearner(new_network(5, 16, 8, 1, 3), threads=2)
        first = learner.learn(EXAMPLES, [np.arange(3)], 0.01)
        for _ in range(300):
            last = learner.learn(EXAMPLES, [np.arange(3)], 0.01)
        lowest = float(np.mean([-(c * np.log(c) + (1 - c) * np.log(1 - c)) for c in TARGETS.astype(float)]))
        assert last < first
        assert last == pytest.approx(lowest, abs=0.01)
        found.append(learner.weights)
    first_run, second_run = found
    assert np.array_equal(first_run, second_run)


PLAN = Plan(
    rounds=2, games=8, batch=32, width=8, inner=4, threads=2, measure_every=1, measure_games=4, replay_size=5000
)


def test_a_course_stops_and_goes_on_and_keeps_a_curve_and_weights(tmp_path: Path) -> None:
    told: list[str] = []
    first = Course(GAME, tmp_path, PLAN)
    assert not first.resume()
    first.run(told.append)
    assert [entry["round"] for entry in first.progress.curve] == [1, 2]
    again = Course(GAME, tmp_path, replace(PLAN, rounds=3))
    assert again.resume()
    assert np.array_equal(again.learner.weights, first.learner.weights)
    again.run(told.append)
    assert again.progress.round == 3
    assert again.progress.games == 24
    assert json.loads((tmp_path / "curve.json").read_text())[-1]["round"] == 3
    assert load_network(tmp_path / "weights.npz").first.shape == (again.self_play.features, 8)
    assert len(told) == 3


def test_the_same_plan_gives_the_same_network(tmp_path: Path) -> None:
    courses = [Course(GAME, tmp_path / name, PLAN) for name in "ab"]
    for course in courses:
        course.run(lambda _told: None)
    assert np.array_equal(courses[0].learner.weights, courses[1].learner.weights)


def test_a_network_of_another_size_is_not_gone_on_with(tmp_path: Path) -> None:
    Course(GAME, tmp_path, PLAN).save()
    with pytest.raises(BadRequest, match="another size, 8 and 4"):
        Course(GAME, tmp_path, replace(PLAN, width=16)).resume()


def test_a_course_of_another_game_is_not_gone_on_with(tmp_path: Path) -> None:
    Course(GAME, tmp_path, PLAN).save()
    with pytest.raises(BadRequest, match="a course of yam-master, not of wykersham"):
        Course(find_game("wykersham"), tmp_path, PLAN).resume()


def test_another_plan_is_told_and_noted_with_the_weights(tmp_path: Path) -> None:
    first = Course(GAME, tmp_path, PLAN)
    first.run(lambda _told: None)
    longer = Course(GAME, tmp_path, replace(PLAN, rounds=3, threads=1))
    assert longer.resume()
    assert not longer.before  # only longer, and by other threads
    other = Course(GAME, tmp_path, replace(PLAN, rounds=3, rate=0.1, games=4))
    assert other.resume()
    assert other.changed(other.before[0]["plan"]) == {"games": (8, 4), "rate": (0.002, 0.1)}
    other.run(lambda _told: None)
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as kept:
        about = json.loads(str(kept["about"]))
    assert [(one["round"], one["plan"]["rate"]) for one in about["before"]] == [(2, 0.002)]
    assert about["plan"]["rate"] == 0.1
    again = Course(GAME, tmp_path, other.plan)
    assert again.resume()
    assert again.before == other.before


def test_a_course_under_other_rules_goes_on_and_the_former_version_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Course(GAME, tmp_path, PLAN).save()
    monkeypatch.setattr(type(GAME), "rules_version", GAME.rules_version + 1)
    later = Course(GAME, tmp_path, PLAN)
    assert later.resume()
    assert [one["rules"] for one in later.before] == [GAME.rules_version - 1]
    assert json.loads(later.about())["before"] == later.before


@pytest.mark.skipif(sys.platform == "win32", reason="a limit on files stands for a full disk")
def test_a_full_disk_is_said_so_and_leaves_what_was_there(tmp_path: Path) -> None:
    import resource  # noqa: PLC0415 - not everywhere

    course = Course(GAME, tmp_path, PLAN)
    course.save()
    there = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    course.learner.weights[:] = 1.0
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(BadOption, match=r"checkpoint\.npz cannot be written"):
            course.save()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == there


def test_told_to_stop_twice_it_saves_all_the_same_and_says_what_stopped_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda _one: signal.SIG_DFL)  # whatever the shell of these tests ignores
    course = Course(GAME, tmp_path, replace(PLAN, rounds=1000))
    save = course.save

    def impatient() -> None:
        signal.raise_signal(signal.SIGTERM)
        save()

    def tell(told: str) -> None:
        if told.startswith("round 1/"):
            signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(course, "save", impatient)
    with interruptible() as uninterrupted:
        stopped = course.run(tell, "en", uninterrupted)
    assert stopped is not None
    assert exit_status(stopped) == 143
    assert Course(GAME, tmp_path, PLAN).resume()


@pytest.mark.parametrize(
    ("language", "against", "whom"), [("en", 2, "Elo over bot:2"), ("fr", 0, "que le juge fait main")]
)
def test_the_plot_says_whom_it_is_measured_against(tmp_path: Path, language: str, against: int, whom: str) -> None:
    course = Course(GAME, tmp_path, replace(PLAN, against=against))
    entry = {"games": 8, "share": 0.5, "within": 0.1, "elo": 0.0}
    course.progress.curve = [{**entry, "round": 1}, {**entry, "round": 2, "games": 16}]
    if plot(course, tmp_path / "curve.svg", language):
        assert whom in (tmp_path / "curve.svg").read_text()


@pytest.mark.parametrize("content", [b"", b"a letter to my aunt", b"PK\x03\x04 cut off"])
def test_a_damaged_file_is_said_so(tmp_path: Path, content: bytes) -> None:
    damaged = tmp_path / "checkpoint.npz"
    damaged.write_bytes(content)
    with pytest.raises(BadRequest, match="holds no weights"):
        Course(GAME, tmp_path, PLAN).resume()
    with pytest.raises(BadRequest, match="holds no weights"):
        Course(GAME, tmp_path, replace(PLAN, start=str(damaged)))


def test_a_course_is_told_in_french_too(tmp_path: Path) -> None:
    told: list[str] = []
    Course(GAME, tmp_path, replace(PLAN, rounds=1)).run(told.append, "fr")
    assert told[0].startswith("tour 1/1 : ")
    assert "contre le juge fait main" in told[0]


def test_a_game_without_self_play_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="Twisty has no self-play"):
        Course(find_game("twisty"), tmp_path, PLAN)


def test_games_are_the_same_on_threads_and_in_other_processes(tmp_path: Path) -> None:
    plan = replace(PLAN, rounds=1, games=72)  # three parts
    here = Course(GAME, tmp_path / "here", plan)
    there = Course(GAME, tmp_path / "there", plan, Backend(2))
    for course in (here, there):
        course.run(lambda _told: None)
    assert here.progress.games == there.progress.games == 72
    assert np.array_equal(here.learner.weights, there.learner.weights)


def test_a_course_against_a_bot_begins_with_what_the_game_ships_and_measures_against_that_bot(tmp_path: Path) -> None:
    told: list[str] = []
    course = Course(GAME, tmp_path, replace(PLAN, against=2, depth=1, rounds=1))
    assert course.plan.width == course.self_play.learned().first.shape[1]
    assert np.array_equal(course.learner.network.first, course.self_play.learned().first)
    course.run(told.append)
    assert "against bot:2" in told[0]
    assert {"share", "within"} <= set(course.progress.curve[0])
    with pytest.raises(BadRequest, match="a course against bot:2, not against itself"):
        Course(GAME, tmp_path, replace(PLAN, start=str(tmp_path / "weights.npz"))).resume()


@pytest.mark.parametrize("name", ["yam-master", "wykersham"])
def test_examples_against_a_bot_are_the_boards_on_which_it_is_about_to_roll(name: str) -> None:
    self_play = find_self_play(find_game(name))
    examples = self_play.examples_for(2)
    count = self_play.play(self_play.learned(), Batch(3, 2, 1.0, against=1), examples)
    assert 10 < count < 300
    later = examples.targets[:count]
    assert set(later[-1:].tolist()) <= {
        0.0,
        0.5,
        1.0,
    }  # where only what comes later counts, a target is how the game ended
    again = self_play.examples_for(2)
    assert self_play.play(self_play.learned(), Batch(3, 2, 1.0, against=1), again) == count
    assert np.array_equal(again.features, examples.features)
    assert np.array_equal(again.targets, examples.targets)


def test_a_course_goes_on_from_given_weights_and_not_from_those_of_another_game(tmp_path: Path) -> None:
    Course(GAME, tmp_path / "first", PLAN).save()
    weights = str(tmp_path / "first" / "weights.npz")
    second = Course(GAME, tmp_path / "second", replace(PLAN, start=weights, width=128))
    assert second.plan.width == 8
    with pytest.raises(BadRequest, match="another game"):
        Course(find_game("wykersham"), tmp_path / "third", replace(PLAN, start=weights))


def test_without_pytorch_a_device_is_refused_with_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludotheque.extras.find_spec", lambda _name: None)
    with pytest.raises(BadRequest, match=r"\[torch\]"):
        Course(GAME, tmp_path, replace(PLAN, device="cuda"))
