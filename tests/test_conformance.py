"""What every registered game must do, whoever wrote it: one suite over all of them."""

import copy
import pickle
import random
import re
from collections.abc import Iterator
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludotheque.core import (
    CHANCE,
    BadOption,
    Dice,
    IllegalAction,
    Match,
    Position,
    find_game,
    game_names,
    languages,
    parse,
    read_record,
    verify,
    write_json,
    write_record,
)
from ludotheque.kernels import JIT, DiscreteGame, DiscretePosition

LISTED = [name for name in game_names() if isinstance(find_game(name), DiscreteGame)]
TABLES = [(name, players) for name in LISTED for players in find_game(name).seats]
each_game = pytest.mark.parametrize("name", LISTED)
each_table = pytest.mark.parametrize(("name", "players"), TABLES)


def random_match(name: str, players: int, seed: int, longest: int = 400) -> Match:
    """A match played at random, by a generator of its own."""
    match = Match(find_game(name), players, dice=Dice(f"conformance {seed}"))
    chooser = random.Random(seed)
    while not match.over and len(match.log) < longest:
        if match.to_move == CHANCE:
            match.draw()
        else:
            match.play(chooser.choice(match.position.legal().actions))
    return match


def positions(match: Match) -> Iterator[Position]:
    yield match.first
    for _, step in match.steps():
        yield step.position


@each_table
def test_the_same_seed_and_actions_give_the_same_match(name: str, players: int) -> None:
    first = random_match(name, players, 1)
    random.seed(99)
    np.random.seed(99)
    second = random_match(name, players, 1)
    assert [entry.action for entry in first.log] == [entry.action for entry in second.log]
    assert first.position.view() == second.position.view()
    assert [entry.action for entry in random_match(name, players, 2).log] != [entry.action for entry in first.log]


@each_table
def test_undo_leads_back_through_every_position_to_the_root(name: str, players: int) -> None:
    match = random_match(name, players, 3, longest=60)
    views = [position.view() for position in positions(match)]
    while match.log:
        assert match.position.view() == views.pop()
        match.undo()
    assert match.position.view() == views.pop() == match.first.view()


@each_table
def test_after_undo_the_same_dice_come_again(name: str, players: int) -> None:
    match = random_match(name, players, 4, longest=40)
    log = list(match.log)
    match.undo(len(log))
    for entry in log:
        if entry.by == CHANCE:
            match.draw()
        else:
            match.play(entry.action)
    assert match.log == log


@pytest.mark.parametrize("name", [name for name in game_names() if find_game(name).starter_option])
def test_where_a_table_may_name_who_starts_they_do(name: str) -> None:
    game = find_game(name)
    option = game.starter_option
    assert option is not None
    for players in game.seats:
        drawn = {Match(game, players, dice=Dice(f"start {seed}")).first.acting for seed in range(60)}
        assert drawn == set(range(players)), "by lot it may be anybody"
        by_lot = Match(game, players, dice=Dice("a seed"))
        for seat in range(players):
            named = Match(game, players, {option: seat}, dice=Dice("a seed"))
            assert named.first.acting == seat
            assert len(named.setup_draws) == len(by_lot.setup_draws) - (players > 1), "nothing is drawn for it"
            record = read_record(parse(write_json(write_record(named, reveal=True))))
            assert record.match.options[option] == seat
            assert verify(record).fair is True
        for wrong in (players, -1, "first", None):
            with pytest.raises(BadOption, match=option):
                Match(game, players, {option: wrong})


@each_table
def test_positions_never_change(name: str, players: int) -> None:
    match = random_match(name, players, 5, longest=80)
    for position in positions(match):
        before = write_json(position.view())
        for action in position.legal().actions[:8]:
            position.play(action)
        copied = copy.deepcopy(position)
        assert write_json(position.view()) == before == write_json(copied.view())


@each_table
def test_views_round_trip_and_pickles_too(name: str, players: int) -> None:
    match = random_match(name, players, 6)
    for position in positions(match):
        view = parse(write_json(position.view()))
        assert isinstance(view, dict)
        again = position.game.from_view(view, players, position.options)
        for other in (again, pickle.loads(pickle.dumps(position))):
            assert other.view() == position.view()
            assert other.to_move == position.to_move
            assert other.returns() == position.returns()
            assert sorted(other.legal().actions) == sorted(position.legal().actions), position.picture()


@each_table
def test_every_legal_action_can_be_played_and_is_written_once(name: str, players: int) -> None:
    match = random_match(name, players, 7, longest=120)
    for position in positions(match):
        legal = position.legal()
        assert len(set(legal.actions)) == len(legal.actions)
        assert bool(legal.actions) != position.over
        assert bool(legal.weights) == (position.to_move == CHANCE)
        assert len(position.returns()) == (players if position.over else 0)
        if legal.weights:
            assert len(legal.weights) == len(legal.actions)
            assert min(legal.weights) > 0
            assert sum(legal.odds) == pytest.approx(1, abs=1e-12)
        for action in legal.actions[:: max(1, len(legal.actions) // 12)]:
            step = position.play(action)
            assert step.position.view() != position.view(), action
            assert step.events, action


@each_game
@settings(max_examples=150 if JIT else 10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(place=st.integers(0, 60), text=st.text(max_size=20), flip=st.integers(0, 30))
def test_every_other_text_is_refused_and_changes_nothing(name: str, place: int, text: str, flip: int) -> None:
    match = random_match(name, find_game(name).seats[0], 8, longest=60)
    length = min(place, len(match.log))
    position = match.at(length)
    legal = position.legal().actions
    near = legal[flip % len(legal)] if legal else "pass"
    for wrong in (text, near + " ", near.upper(), near[:-1], near + near[-1:], "", "\0"):
        if wrong in legal:
            continue
        before = position.view()
        with pytest.raises(IllegalAction) as told:
            position.play(wrong)
        assert all(told.value.sentence(language) for language in languages())
        assert position.view() == before


@each_table
def test_records_replay_to_the_same_views_and_prove_their_dice(name: str, players: int) -> None:
    match = random_match(name, players, 9, longest=2000)
    written = write_record(match, reveal=True)
    read = read_record(parse(write_json(written)))
    assert [one.view() for one in positions(read.match)] == [one.view() for one in positions(match)]
    assert parse(write_json(write_record(read.match, read.seated, reveal=True))) == parse(write_json(written))
    assert verify(read).fair is True, verify(read)


@each_table
def test_a_branch_goes_its_own_way(name: str, players: int) -> None:
    match = random_match(name, players, 10, longest=30)
    length = len(match.log)
    other = match.branch(length // 2)
    while not other.over and len(other.log) < length + 5:
        if other.to_move == CHANCE:
            other.draw()
        else:
            other.play(other.position.legal().actions[0])
    assert len(match.log) == length
    assert match.at(length).view() == match.position.view()


@each_table
def test_every_event_is_told_in_every_language(name: str, players: int) -> None:
    game = find_game(name)
    for seed in (11, 12):
        for event in random_match(name, players, seed, longest=2000).events():
            for language in languages():
                sentence = game.tell(event, language)
                assert sentence
                assert "{" not in sentence


@each_game
def test_both_languages_have_the_same_words(name: str) -> None:
    words = find_game(name).catalogue
    english, french = words.templates("en"), words.templates("fr")
    assert set(english) == set(french)
    assert all(text.strip() for text in [*english.values(), *french.values()])


@each_game
def test_every_sentence_that_the_code_names_is_in_the_catalogue(name: str) -> None:
    game = find_game(name)
    for file in files(game.package).iterdir():
        if file.name.endswith(".py"):
            for key in re.findall(r'(?:_text|catalogue\.text|catalogue\.say)\("([^"{]+)"', file.read_text("utf-8")):
                assert game.catalogue.has(key), f"{file.name}: {key}"


@each_table
def test_the_board_is_shown_in_every_language(name: str, players: int) -> None:
    match = random_match(name, players, 13, longest=50)
    for language in languages():
        for position in positions(match):
            picture = position.picture(language=language)
            assert all(len(line) <= 100 for line in picture.splitlines()), picture


@each_game
def test_the_rules_can_be_read_in_both_languages(name: str) -> None:
    pages = [find_game(name).rules_page(language) for language in languages()]
    assert all(page.startswith("# ") and len(page.splitlines()) > 20 for page in pages)
    assert pages[0] != pages[1]


@each_table
def test_compiled_and_interpreted_rules_agree(name: str, players: int) -> None:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    match = random_match(name, players, 14, longest=60)
    actions = [np.zeros(game.rules.most_actions, np.int32) for _ in range(2)]
    for entry, before in zip(match.log, positions(match), strict=False):
        assert isinstance(before, DiscretePosition)
        number, states = before.number_of(entry.action), []
        for functions, found in zip((game.rules.compiled, game.rules.interpreted), actions, strict=True):
            found[:] = 0
            functions.legal(before.state, found)
            state = game.rules.copy(before.state)
            functions.play(state, number)
            states.append(
                (functions.to_move(state), write_json(DiscretePosition(game, state, players, before.options).view()))
            )
        assert (actions[0] == actions[1]).all(), before.picture()
        assert states[0] == states[1], before.picture()
