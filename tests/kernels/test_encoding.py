"""Encodings: numbers of actions and texts agree both ways, observations tell what views tell, and matches are laid out alike."""

from array import array
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ludotheque_pig.game import Pig

from ludotheque.core import BadOption, Capabilities, Dice, IllegalAction, Json, JsonObject, Match, SetupDice, find_game
from ludotheque.games.twisty import facts as twisty
from ludotheque.games.yikerz import GAME as YIKERZ
from ludotheque.kernels import Batch, DiscreteGame, DiscretePosition, below, seeded
from ludotheque.kernels.encoding import Encoding, encoding_of

pytestmark = pytest.mark.rules

NAMES = ("yam-master", "wykersham", "twisty")
TABLES = [("yam-master", 2), ("wykersham", 2), ("twisty", 2), ("twisty", 3), ("twisty", 4)]
SHORT: dict[str, Json] = {"yam-master": {"max_turns": 40}, "twisty": {"max_rounds": 30}}
each_game = pytest.mark.parametrize("name", NAMES)
each_table = pytest.mark.parametrize(("name", "players"), TABLES)


def game_of(name: str) -> DiscreteGame:
    game = find_game(name)
    assert isinstance(game, DiscreteGame)
    return game


def positions(name: str, players: int, seed: int = 1, steps: int = 120) -> list[DiscretePosition]:
    """Positions of a random match, chance's turns included."""
    batch = Batch(game_of(name), 1, players, SHORT.get(name), seed=seed, chance="explicit")
    found = []
    for _ in range(steps):
        found.append(batch.position(0))
        if batch.over.all():
            break
        batch.step(batch.random_actions())
    return found


# Numbers of actions


def test_the_numbers_of_actions_are_those_of_the_first_version() -> None:
    """Counted by hand: they must never change without another VERSION."""
    yam, wykersham, twisted = (encoding_of(find_game(name)) for name in NAMES)
    sets = sum(comb(dice + 5, 5) for dice in range(5))  # up to four of five dice with six faces
    assert yam.num_actions == 1 + 25 + 25 + 2 * sets
    assert [yam.action_id(text) for text in ("pass", "place r1c1", "take r1c1", "keep", "keep 1", "defi")] == [
        *(0, 1, 26, 51, 52),
        51 + sets,
    ]
    assert yam.num_outcomes == comb(10, 5)
    assert wykersham.num_actions == 7 * 5 + 6 + 30
    assert [wykersham.action_id(text) for text in ("1@1", "1@2", "2@1", "give", "left", "leave", "30")] == [
        *(0, 1, 5, 35, 36, 40, 70)
    ]
    assert wykersham.num_outcomes == 30
    assert twisted.num_actions == 49 + 4 + 3
    assert [twisted.action_id(text) for text in ("a1", "b1", "g7", "corner a1", "shield", "stay", "pass")] == [
        *(0, 1, 48, 49, 53, 54, 55)
    ]
    assert twisted.num_outcomes == 0
    assert {one.version for one in (yam, wykersham, twisted)} == {1}


@each_table
def test_texts_and_numbers_are_the_same_both_ways(name: str, players: int) -> None:
    encoding = encoding_of(find_game(name))
    for number, text in enumerate(encoding.action_texts):
        assert encoding.action_id(text) == number
        assert encoding.action_text(number) == text
    for position in positions(name, players):
        texts = position.legal().actions
        if position.to_move == "chance":
            for number, text in zip(position.action_numbers(), texts, strict=True):
                assert 0 <= number < encoding.num_outcomes
                assert encoding.outcome_text(number, position) == text
                assert encoding.outcome_id(text, position) == number
            assert not encoding.mask(position).any()
        else:
            ids = [encoding.action_id(text, position) for text in texts]
            assert [encoding.action_text(number, position) for number in ids] == list(texts)
            assert np.flatnonzero(encoding.mask(position)).tolist() == sorted(ids)


def test_a_marble_to_give_has_one_number_and_a_text_for_each_line() -> None:
    game = game_of("wykersham")
    encoding = encoding_of(game)
    options = game.read_options({"shared_middle": False})
    for position in positions("wykersham", 2):
        if position.fields.phase == 2 and position.fields.marbles:  # a marble is to be placed
            given = game.write(position.fields, 35)
            assert encoding.action_id(given, position) == 35
            assert encoding.action_text(35, position) == given
    with pytest.raises(IllegalAction, match="“give 3” is no action of Wykersham"):
        encoding.action_id("give 3")
    assert options["shared_middle"] is False


# Observations, beside the views that people get


def seen_yam_master(view: Any, seat: int) -> dict[str, object]:
    board = "".join(view["board"])
    order = (seat, 1 - seat)
    return {
        "own_pawns": [int(cell == str(seat)) for cell in board],
        "other_pawns": [int(cell == str(1 - seat)) for cell in board],
        "dice": [view["dice"].count(face) for face in "123456"],
        "kept": [view["kept"].count(face) for face in "123456"],
        "rolls": [view["rolls"]],
        "in_the_air": [int(view["phase"] == "roll")],
        "challenge": [int(view["defi"])],
        "own_turn": [int(view["player"] == seat)],
        "stock": [view["stock"][player] for player in order],
        "turns_left": [40 - view["turns"][player] for player in order],
        "hundreds_left": [0, 0],
    }


def seen_wykersham(view: Any, seat: int) -> dict[str, object]:
    order = (seat, 1 - seat)
    goals = {(goal["line"], goal["column"]): goal["taken"] for goal in view["goals"] or ()}
    places = [(line, column) for line in ("vertical", "falling", "rising") for column in range(-3, 4)]
    assert set(goals) <= set(places)
    return {
        "own_cups": [marbles[seat] for rail in view["cups"] for marbles in rail],
        "other_cups": [marbles[1 - seat] for rail in view["cups"] for marbles in rail],
        "offsets": view["offsets"],
        "locked": [int(rail in view["slid"]) for rail in range(1, 6)],
        "goals": [int(place in goals) for place in places],
        "taken": [int(goals.get(place) is True) for place in places],
        "own_turn": [int(view["player"] == seat)],
        "winnings": [view["winnings"][player] for player in order],
        "turns_left": [15 - view["turns"][player] for player in order],
        "options": [1, 1, 1, 0],
    }


def seen_twisty(view: Any, seat: int) -> dict[str, object]:
    players = len(view["pawns"])
    order = [(seat + which) % players for which in range(players)]
    nobody = [0] * (4 - players)
    board = "".join(reversed(view["board"]))
    names = [file + rank for rank in "1234567" for file in "abcdefg"]
    colours = "ABCDEFG"
    empty_series = [0] * 49 * (4 - players)
    return {
        "tokens": [int(square == kind) for kind in "ABCDEFG+xLos" for square in board],
        "pawns": [int(view["pawns"][player] == name) for player in order for name in names] + [0] * 49 * (4 - players),
        "used": [int(name in view["used"]) for name in names],
        "series": [int(one == colour) for player in order for one in view["series"][player] for colour in colours]
        + empty_series,
        "collected": [view["collected"][player] for player in order] + nobody,
        "protected": [int(colour in view["protected"][player]) for player in order for colour in colours]
        + [0] * 7 * (4 - players),
        "playing": [1] * players + nobody,
        "turn": [int(view["player"] == player) for player in order] + nobody,
        "first": [int(view["first"] == player) for player in order] + nobody,
        "phase": [int(view["phase"] == phase) for phase in ("corner", "move", "extra", "settle", "over")],
        "rounds_left": [30 - view["round"] + 1],
        "hundreds_left": [0],
    }


SEEN = {"yam-master": seen_yam_master, "wykersham": seen_wykersham, "twisty": seen_twisty}


@each_table
def test_observations_tell_what_views_tell(name: str, players: int) -> None:
    encoding = encoding_of(find_game(name))
    for position in positions(name, players):
        for seat in range(players):
            row = encoding.observe(position, seat)
            assert ((encoding.lows <= row) & (row <= encoding.highs)).all()
            named = {part: values.ravel().tolist() for part, values in encoding.named(row).items()}
            for part, expected in SEEN[name](position.view(), seat).items():
                assert named[part] == expected, (part, position)


@pytest.mark.parametrize("players", [2, 4])
def test_twisty_tells_how_many_turns_everybody_still_needs(players: int) -> None:
    """Against the exhaustive search over all squares and cubes, with the other pawns absent."""
    encoding = encoding_of(find_game("twisty"))
    for position in positions("twisty", players)[::5]:
        fields, game = position.fields, position.game
        for seat in range(players):
            named = encoding.named(encoding.observe(position, seat))
            assert not named["race_from"][players:].any()
            for which in range(players):
                player = (seat + which) % players
                collected, needs = fields.collected[player], array("q", bytes(8 * 8 * twisty.SQUARES))
                game.kernels.call("race_needs", position.state_bytes, player, 0, needs)
                wanted = fields.series[player * 7 + collected] if collected < 7 else None
                expected = [
                    needs[(collected + (fields.board[square] - 1 == wanted)) * twisty.SQUARES + square]
                    for square in range(twisty.SQUARES)
                ]
                if collected == 7:
                    expected[twisty.CENTRE] = 0
                assert named["race_from"][which].ravel().tolist() == expected
                here = [fields.pawns[player]]
                if here == [twisty.GONE]:
                    here = [corner for corner in twisty.CORNERS if corner not in fields.pawns]
                least = min(needs[collected * twisty.SQUARES + square] for square in here)
                assert named["race"][which] == least


def test_wykersham_tells_what_is_asked() -> None:
    """The parts that its view names by phase."""
    encoding = encoding_of(find_game("wykersham"))
    asked = {"place": 0, "slide": 0, "goal": 0, "cup": 0}
    for seed in range(8):
        for position in positions("wykersham", 2, seed, 400):
            fields, named = position.fields, encoding.named(encoding.observe(position, 0))
            view: Any = position.view()
            assert named["phase"].tolist() == [int(which == fields.phase) for which in range(7)]
            rail = [int(view["phase"] == "slide" and which == view["rail"]) for which in range(1, 6)]
            assert named["asked_rail"].tolist() == rail
            assert bool(named["asked_goal"].any()) == (view["phase"] == "goal")
            assert not (named["asked_goal"] & ~named["goals"]).any()
            cups = [[int(view["cup"] == [rail + 1, cup]) for cup in range(11)] for rail in range(5)]
            assert named["asked_cup"].tolist() == cups
            assert named["marbles"].tolist() == [fields.marbles]
            assert named["direction"].tolist() == [fields.direction]
            assert named["lines"].tolist() == [fields.lines >> line & 1 for line in range(7)]
            if view["phase"] in asked:
                asked[view["phase"]] += 1
    assert all(asked.values()), asked


@pytest.mark.parametrize(("limit", "hundreds", "rest"), [(1000, 9, 100), (100, 0, 100), (101, 1, 1), (1, 0, 1)])
def test_long_limits_are_told_whole(limit: int, hundreds: int, rest: int) -> None:
    for name, option in (("yam-master", "max_turns"), ("twisty", "max_rounds")):
        batch = Batch(game_of(name), 1, 2, {option: limit})
        named = batch.encoding.named(batch.observe())
        left = named["turns_left" if name == "yam-master" else "rounds_left"]
        assert left.ravel().tolist() == [rest] * left.size
        assert named["hundreds_left"].ravel().tolist() == [hundreds] * left.size


# New matches


class GeneratorDice(SetupDice):
    """The dice of a set-up, drawn by the generator that kernels use."""

    def __init__(self, seed: int) -> None:
        super().__init__(Dice(""))
        self.random = seeded(seed)

    def below(self, total: int) -> int:
        return below(self.random, total)


@pytest.mark.parametrize("first", ["lot", 1])
@each_table
def test_a_batch_lays_out_a_match_as_the_game_does(name: str, players: int, first: Json) -> None:
    """The same draws in the same order: the states are equal to the byte, derived fields included."""
    game = game_of(name)
    given: JsonObject = {"first": first} if name != "wykersham" else {}
    options = game.read_options(given, players)
    batch = Batch(game, 8, players, given, seed=3, chance="explicit")
    for match in range(8):
        expected = game.start(players, options, GeneratorDice((3 << 20) + match))
        assert batch.position(match).state_bytes == expected.state_bytes


@each_game
def test_a_laid_out_twisty_or_other_match_has_all_its_pieces(name: str) -> None:
    game = game_of(name)
    batch = Batch(game, 20, seed=9, chance="explicit")
    assert len({batch.position(match).state_bytes for match in range(20)}) == {"twisty": 20, "yam-master": 2}.get(
        name, 1
    )
    if name == "twisty":
        counts = [int((batch.states["board"] == token).sum()) for token in range(1, 13)]
        assert counts == [20 * twisty.OF_EACH_COLOUR] * 7 + [20 * kind for kind in (3, 3, 3, 4, 3)]


# Refusals


def test_bad_questions_get_a_sentence() -> None:
    yam = encoding_of(find_game("yam-master"))
    (position, *_) = positions("yam-master", 2)
    for action in (471, -1, True, 1.5, "pass"):
        with pytest.raises(IllegalAction, match="numbers its actions from 0 to 470"):
            yam.action_text(action)
    with pytest.raises(IllegalAction, match="“fly” is no action of Yam Master"):
        yam.action_id("fly", position)
    with pytest.raises(IllegalAction, match="252 is not the number of an outcome"):
        yam.outcome_text(252, position)
    with pytest.raises(BadOption, match="Seats are numbered from 0 to 1; 2 is none"):
        yam.observe(position, 2)
    with pytest.raises(BadOption, match=r"has 72 numbers .* the shape \(3,\)"):
        yam.named(np.zeros(3, np.int8))
    with pytest.raises(BadOption, match="Yikerz! has no list of actions"):
        encoding_of(YIKERZ)
    with pytest.raises(BadOption, match="twisty has no list of actions"):
        encoding_of("twisty")


class BarePig(Pig):
    """A third party's game without an encoding."""

    capabilities = Capabilities()


def test_a_game_without_an_encoding_plays_in_batches_and_says_what_it_lacks() -> None:
    batch = Batch(BarePig(), 4, options={"goal": 20}, seed=1, auto_reset=True)
    ended = 0
    for _ in range(60):
        batch.step(batch.random_actions())
        assert batch.returns.sum(axis=1).tolist() == batch.finished.astype(float).tolist()
        ended += int(batch.finished.sum())
    assert ended > 4
    assert not batch.over.any()
    for ask in (batch.masks, batch.observe, batch.weights):
        with pytest.raises(BadOption, match="Pig has no encoding for learning programs"):
            ask()


def test_a_third_partys_encoding_serves_as_ours() -> None:
    batch = Batch(Pig(), 4, options={"goal": 50}, seed=1, auto_reset=True)
    assert batch.masks().tolist() == [[1, 1]] * 4
    assert batch.observe().tolist() == [[100, 100, 0, 1, 0]] * 4
    assert isinstance(batch.encoding, Encoding)


# Positions hash


@each_table
def test_equal_positions_hash_alike(name: str, players: int) -> None:
    game = game_of(name)
    some = positions(name, players, steps=40)
    again = [game.from_view(one.view(), players, one.options) for one in some]
    assert [hash(one) for one in some] == [hash(one) for one in again]
    assert len({*some, *again}) == len(set(some)) > len(some) // 2


def test_positions_of_yikerz_hash() -> None:
    match = Match(YIKERZ, 2, dice=Dice("hash"))
    assert len({match.position, match.branch().position}) == 1


def test_a_namespace_is_no_game() -> None:
    with pytest.raises(BadOption, match="A batch needs one of the discrete games"):
        Batch(SimpleNamespace(title="Nothing"), 2)  # type: ignore[arg-type] # on purpose
