"""Puzzles and reasons: every shipped puzzle can be set up and answered, every day has one, and why is told in both languages."""

from collections.abc import Mapping
from datetime import date, timedelta
from importlib.resources import files
from itertools import permutations
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludotheque.analysis import Moment, compare, judge_answer, moments, puzzle_numbered, puzzle_of_the_day, read_puzzles
from ludotheque.analysis.puzzles import read_file
from ludotheque.analysis.reasons import read_comparison
from ludotheque.bots import RandomPlayer, bot
from ludotheque.bots.search_player import Effort, SearchPlayer
from ludotheque.cli.app import app
from ludotheque.core import (
    CHANCE,
    BadJson,
    BadRequest,
    Dice,
    Game,
    IllegalAction,
    Json,
    JsonObject,
    Match,
    Position,
    Reader,
    find_game,
    game_names,
    languages,
    parse,
    write_json,
)
from ludotheque.games.twisty.player import shortest_race
from ludotheque.games.wykersham.reasons import prospects, room_for_turns
from ludotheque.games.yam_master.game import YamMaster
from ludotheque.kernels import DiscreteGame, DiscretePosition
from table import discrete
from tools.puzzles.grading import Misses, grade_again
from twisty.table import Table

YAM = find_game("yam-master")
PUZZLED = [name for name in game_names() if read_puzzles(find_game(name))]


@pytest.mark.parametrize("name", PUZZLED)
def test_every_puzzle_can_be_set_up_and_its_answer_played(name: str) -> None:
    game = find_game(name)
    some = read_puzzles(game)
    assert len(some) >= 200
    for puzzle in some:
        position = puzzle.position(game)
        assert position.view() == {**position.view(), **puzzle.view}
        assert puzzle.value > puzzle.next_value


@pytest.mark.parametrize("name", PUZZLED)
def test_every_day_has_a_puzzle_and_each_comes_once_before_any_comes_again(name: str) -> None:
    game = find_game(name)
    count = len(read_puzzles(game))
    days = [puzzle_of_the_day(game, date(2026, 11, 15) + timedelta(days=day)).number for day in range(2 * count)]
    assert sorted(days[:count]) == list(range(1, count + 1))
    assert days[:count] == days[count:]
    assert days[:7] != sorted(days[:7])


@pytest.mark.parametrize("name", PUZZLED)
def test_every_kind_of_puzzle_is_asked_in_both_languages_or_in_none(name: str) -> None:
    game = find_game(name)
    for kind in {puzzle.kind for puzzle in read_puzzles(game)}:
        has = [f"puzzle.{kind}" in game.catalogue.templates(language) for language in languages()]
        assert has in ([True, True], [False, False]), kind


def test_the_answer_is_right_and_the_next_best_is_not() -> None:
    puzzle = puzzle_numbered(YAM, 5)
    judge = bot(YAM, 5)
    right = judge_answer(YAM, puzzle, puzzle.answer, judge)
    assert right.right
    assert right.why is None
    wrong = judge_answer(YAM, puzzle, puzzle.next, judge)
    assert not wrong.right
    assert wrong.value == puzzle.next_value
    assert wrong.why is not None
    with pytest.raises(IllegalAction, match="not possible now"):
        judge_answer(YAM, puzzle, "place r1c1", judge)
    with pytest.raises(BadRequest, match="no number 241"):
        puzzle_numbered(YAM, 241)
    with pytest.raises(BadRequest, match="has no puzzles"):
        puzzle_of_the_day(find_game("yikerz"), date(2026, 1, 1))


def test_puzzles_that_are_graded_anew_lose_the_obvious_and_have_the_easiest_first(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    file.write_bytes((files(YAM.package) / "puzzles.json").read_bytes())
    former = read_puzzles(YAM)
    found = {former[0].answer: 1.0, former[-1].answer: 0.0}  # a rule of thumb, by what is answered

    def asked(_position: Position, answer: str) -> Misses:
        return dict.fromkeys((2, 3, 4), found.get(answer, 0.5))

    grade_again(YAM, file, asked)
    kept = read_file(YAM, file.read_bytes(), "puzzles.json")
    assert len(kept) == sum(puzzle.answer != former[-1].answer for puzzle in former)
    assert {puzzle.grade for puzzle in kept if puzzle.answer == former[0].answer} == {5}
    assert {puzzle.grade for puzzle in kept if puzzle.answer != former[0].answer} == {2}
    assert [puzzle.grade for puzzle in kept] == sorted(puzzle.grade for puzzle in kept)
    views = {write_json(puzzle.view): puzzle for puzzle in former}
    assert all(views[write_json(puzzle.view)].value == puzzle.value for puzzle in kept), "what is best stays"


def broken(change: str, by: str) -> None:
    puzzle = (
        '{"position":{},"kind":"cell","answer":"pass","value":0.5,"next":"keep","next_value":0.4,"missed":{},"grade":1}'
    )
    text = f'{{"game":"yam-master","rules":1,"puzzles":[{puzzle}]}}'
    assert change in text
    read_file(YAM, text.replace(change, by), "puzzles.json")


@pytest.mark.parametrize(
    ("change", "by", "words"),
    [
        ('"yam-master"', '"chess"', "another game"),
        ('"rules":1', '"rules":7', "made anew"),
        ('"grade":1', '"grade":6', r"puzzles\[0\]\.grade"),
        ('"value":0.5', '"value":0.4', "worth more"),
        ('"kind":"cell",', "", '"kind" is missing'),
    ],
)
def test_a_damaged_file_of_puzzles_is_refused_with_the_place(change: str, by: str, words: str) -> None:
    with pytest.raises(BadJson, match=words):
        broken(change, by)


def test_puzzles_of_an_earlier_version_are_read_with_the_options_that_stand_for_it() -> None:
    class Later(YamMaster):
        """Its rules have changed: matches are longer."""

        rules_version = 2

        def at_version(self, version: int) -> Game | None:
            return self if version == 1 else super().at_version(version)

        def options_of_version(self, version: int, given: Mapping[str, Json]) -> Mapping[str, Json]:
            return {"max_turns": 50, **given} if version == 1 else given

    puzzle = '{"position":{},"kind":"cell","answer":"pass","value":0.5,"next":"keep","next_value":0.4,"missed":{},"grade":1%s}'
    own = ',"options":{"max_turns":7}'
    text = f'{{"game":"yam-master","rules":%d,"puzzles":[{puzzle % ""},{puzzle % own}]}}'
    assert [one.options["max_turns"] for one in read_file(Later(), text % 1, "puzzles.json")] == [50, 7]
    assert [one.options["max_turns"] for one in read_file(Later(), text % 2, "puzzles.json")] == [100, 7]
    with pytest.raises(BadJson, match="made anew"):
        read_file(Later(), text % 3, "puzzles.json")


def review_some(game: Game, players: int, most: int) -> list[Moment]:
    match = Match(game, players, dice=Dice("reasons"))
    while not match.over and len(match.log) < most:
        match.draw() if match.to_move == CHANCE else match.play(
            RandomPlayer().choose(match.position, seed=len(match.log)).action
        )
    return list(moments(match, SearchPlayer(3, Effort(300))))


@pytest.mark.parametrize(("name", "players"), [("wykersham", 2), ("twisty", 2), ("twisty", 3)])
def test_a_mistake_is_explained_in_words_that_come_back_from_json(name: str, players: int) -> None:
    game = find_game(name)
    explained = [moment for moment in review_some(game, players, 40) if moment.why is not None]
    assert explained, "random players make mistakes"
    for moment in explained:
        assert moment.why is not None
        for language in languages():
            told = moment.why.told(game, language)
            assert told.better != told.chosen
        again = read_comparison(Reader(parse(write_json(moment.why.json())), BadJson))
        assert again == moment.why


def yam_reasons(board: list[str], dice: str, rolls: int, better: str, chosen: str) -> list[str]:
    view: JsonObject = {
        "phase": "decide", "player": 0, "rolls": rolls, "dice": dice, "kept": "", "defi": False,
        "board": board, "turns": [5, 5], "winner": None,
    }  # fmt: skip
    position = YAM.from_view(view, 2, YAM.read_options())
    why = compare(position, better, chosen, bot(YAM, 5))
    return why.told(YAM, "en").reasons


def test_yam_master_tells_what_a_pawn_stops_and_opens() -> None:
    told = yam_reasons([".1111", ".....", "00...", ".....", "....."], "11134", 3, "place r1c1", "place r4c5")
    assert "It stops Blue, who could win with five in line on the upper 1" in told
    told = yam_reasons([".0...", ".....", ".....", ".....", "11..."], "11134", 3, "place r1c1", "place r4c5")
    assert any("could then gain" in one for one in told)


def test_yam_master_tells_what_the_dice_may_bring() -> None:
    told = yam_reasons(["1....", ".....", "..0..", ".....", "....."], "11123", 1, "keep 111", "keep 23")
    assert any("then comes in" in one and "otherwise in" in one for one in told)


def test_yam_master_tells_that_a_pawn_would_end_the_game() -> None:
    board = [
        ".00.0",
        "00.00",
        ".0.0.",
        "0..0.",
        "11.11",
    ]  # Red has one pawn left (M22), and what comes later does not matter then
    assert yam_reasons(board, "11134", 3, "pass", "place r1c1") == [
        "Otherwise the game is over at once, 3 to 0 for Red"
    ]


def test_wykersham_tells_what_either_player_can_win_next() -> None:
    game = find_game("wykersham")
    match = Match(game, dice=Dice("rails"))
    chosen = RandomPlayer()
    assert isinstance(game, DiscreteGame)
    room = room_for_turns(game.kernels)
    seen = set()
    while not match.over:
        if match.to_move != CHANCE:
            match.play(chosen.choose(match.position, seed=len(match.log)).action)
            continue
        position = match.position
        assert isinstance(position, DiscretePosition)
        if position.view()["phase"] == "roll":
            mover = int(position.state.player)
            seen.add(found := prospects(position, mover, room))
            assert (found.rolls > 0) == (found.most > 0)
            assert found.most == 0 or found.most >= 5, "a goal has a marble on each of five rails"
            if position.state.turns[1 - mover] == 15:
                assert prospects(position, 1 - mover, room) == (0, 0), "the other rolls no more"
        match.draw()
    assert min(seen) == (0, 0), "nobody wins marbles with the first of them"
    assert 0 < max(seen).rolls <= 36


def test_wykersham_tells_what_a_turn_prepares() -> None:
    told: list[str] = []
    game = find_game("wykersham")
    for seed in range(20):
        match = Match(game, dice=Dice(f"prepared {seed}"))
        while len(match.log) < 90:
            match.draw() if match.to_move == CHANCE else match.play(bot(game, 1).choose(match.position).action)
        while match.to_move == CHANCE:
            match.draw()
        told += [
            reason
            for better, worse in permutations(match.position.legal().actions[:4], 2)
            for reason in compare(match.position, better, worse, bot(game, 3)).told(game, "en").reasons
        ]
        if any("can win marbles next turn with" in one for one in told) and any(
            "at most in the next turn" in one for one in told
        ):
            return
    raise AssertionError(f"nothing is ever prepared: {sorted(set(told))}")


def twisty_reasons(table: Table, better: str, chosen: str) -> list[str]:
    game = find_game("twisty")
    reasons = game.capabilities.hints.reasons
    assert reasons is not None
    return [game.tell(event, "en") for event in reasons(table.position, [better], [chosen])]


def test_twisty_tells_a_threat_to_steal() -> None:
    # From b3 the pawn on c5, which holds the cube A that Star needs, is a knight's move away; from c2 it is not.
    table = Table(["a1", "c5"], collected=[0, 1])
    threat = "Star then threatens to steal cube A from Square"
    assert threat in twisty_reasons(table, "b3", "c2")
    assert threat not in twisty_reasons(table, "c2", "b3")


def test_twisty_tells_how_many_squares_lead_on_where_nothing_else_differs() -> None:
    table = Table(["d2", "g7"], collected=[3, 0])
    races = [shortest_race(discrete(table.position.play(square).position), 0) for square in ("b3", "b1")]
    assert [(one.turns, one.ways) for one in races if one is not None] == [
        (7, 3),
        (7, 1),
    ]  # test_race.py counts them by brute force
    told = "Star can then go on by the shortest way over 3 squares, otherwise over 1: it is less easily blocked"
    assert told in twisty_reasons(table, "b3", "b1")
    assert not any("Star can then go on" in one for one in twisty_reasons(table, "b1", "b3"))


def test_twisty_tells_who_could_steal_also_if_it_is_not_the_next_player() -> None:
    table = Table(["a1", "g7", "d2"], collected=[1, 0, 0])
    safe = "Triangle cannot steal cube A from Star next; otherwise that could happen"
    assert safe in twisty_reasons(table, "c2", "b3")
    assert safe not in twisty_reasons(table, "b3", "c2")


def test_a_missed_win_is_a_mistake_even_where_the_judge_looks_no_further() -> None:
    """Twisty's bots name nothing but the win when there is one."""
    game = find_game("twisty")
    view: JsonObject = {
        "phase": "move", "player": 0, "board": [".Gso.x.", "F..E.Cs", ".D.Lo.D", "oAo.x.F", "ALG.s..", ".L+Cx.E", ".B.++B."],
        "pawns": ["f3", "c4"], "series": ["ABCDEFG", "GFEDCBA"], "collected": [7, 7], "protected": ["", ""], "used": [],
        "round": 16, "first": 0, "winner": None,
    }  # fmt: skip
    match = Match(game, setup=view, dice=Dice("missed"))
    assert "d4" in match.position.legal().actions
    match.play(next(action for action in match.position.legal().actions if action != "d4"))
    (moment,) = moments(match, bot(game, 5), 0.2)
    assert moment.best == "d4"
    assert moment.lost > 0


def test_a_review_goes_on_after_the_last_moment() -> None:
    match = Match(YAM, options={"max_turns": 2}, dice=Dice("parts"))
    player = bot(YAM, 1)
    while not match.over:
        match.draw() if match.to_move == CHANCE else match.play(player.choose(match.position).action)
    whole = list(moments(match, bot(YAM, 5)))
    half = whole[: len(whole) // 2]
    assert half + list(moments(match, bot(YAM, 5), None, half[-1])) == whole


def test_the_command_asks_judges_and_tells_the_answer() -> None:
    asked = CliRunner().invoke(
        app, ["--language", "en", "puzzle", "yam-master", "--number", "5"], input="fly\npass\n\n"
    )
    assert asked.exit_code == 1
    assert "Red to play. Where does the pawn go?" in asked.stdout
    assert "not possible now" in asked.stdout
    assert "There is something better" in asked.stdout
    assert "Best is place r3c2" in asked.stdout
    right = CliRunner().invoke(
        app, ["--language", "fr", "puzzle", "yam-master", "--number", "5", "--answer", "place r3c2"]
    )
    assert right.exit_code == 0
    assert "Juste" in right.stdout
    day = CliRunner().invoke(app, ["puzzle", "yam-master", "--day", "soon"])
    assert day.exit_code == 2
