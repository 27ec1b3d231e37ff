"""What is told of a game of Twisty, in both languages, what the terminal shows, and that a record replays."""

from collections.abc import Callable
from random import Random

import pytest

from ludotheque.core import Dice, Match, find_game, read_record, verify, write_record
from twisty.table import Table

TOLD = [
    (
        lambda: Table(["a1", "g7"], {"b3": "A"}).play("b3"),
        ["Star moves from a1 to b3", "Star collects cube A and has one"],
        ["Étoile va de a1 en b3", "Étoile ramasse le cube A et en a un"],
    ),
    (
        lambda: Table(["a1", "g7"], {"b3": "+", "b4": "B"}, collected=[1, 0]).play("b3", "b4"),
        ["Star moves from a1 to b3", "Star goes on from b3 to b4", "Star collects cube B and has 2"],
        ["Étoile va de a1 en b3", "Étoile continue de b3 en b4", "Étoile ramasse le cube B et en a 2"],
    ),
    (
        lambda: Table(["a1", "g7"], {"b3": "o", "e5": "o"}).play("b3", "e5"),
        ["Star moves from a1 to b3", "Star goes through the portal from b3 to e5"],
        ["Étoile va de a1 en b3", "Étoile passe par le portail de b3 en e5"],
    ),
    (
        lambda: Table(["a1", "g7"], {"b3": "s"}, collected=[3, 0], protected=["A", ""]).play("b3", "shield"),
        ["Star moves from a1 to b3", "Star protects 2 cubes: B, C"],
        ["Étoile va de a1 en b3", "Étoile protège 2 cubes : B, C"],
    ),
    (
        lambda: Table(["a1", "g7"], {"b3": "L"}).play("b3", "stay"),
        ["Star moves from a1 to b3", "Star stays there"],
        ["Étoile va de a1 en b3", "Étoile y reste"],
    ),
    (
        lambda: Table(["a1", "b3"], collected=[0, 1]).play("b3", "corner g1"),
        ["Star moves from a1 to b3", "Star steals cube A from Square and has one", "Star withdraws to the corner g1"],
        ["Étoile va de a1 en b3", "Étoile vole le cube A à Carré et en a un", "Étoile se retire dans le coin g1"],
    ),
    (
        lambda: Table(["b3", "g1", "a1", "g7"], collected=[0, 0, 1, 0]).play("a1"),
        ["Star moves from b3 to a1", "Star steals cube A from Triangle and has one", "Star withdraws to the corner a7"],
        ["Étoile va de b3 en a1", "Étoile vole le cube A à Triangle et en a un", "Étoile se retire dans le coin a7"],
    ),
    (
        lambda: Table(["a1", "b3", "c2"]).play("pass"),
        ["Star cannot move and passes"],
        ["Étoile ne peut pas bouger et passe"],
    ),
    (
        lambda: Table(["b3", "g7"], collected=[7, 0]).play("d4"),
        ["Star moves from b3 to d4", "Star reaches the centre with all seven cubes and wins"],
        ["Étoile va de b3 en d4", "Étoile atteint le centre avec les sept cubes et gagne"],
    ),
    (
        lambda: Table(["a1", "g7"], {"f5": "C"}, collected=[2, 1], round=5, max_rounds=5, player=1).play("f5"),
        ["Square moves from g7 to f5", "After 5 rounds, Star has most cubes, 2, and wins"],
        ["Carré va de g7 en f5", "Après 5 tours de table, Étoile a le plus de cubes, 2, et gagne"],
    ),
    (
        lambda: Table(["a1", "g1", "g7"], {"f5": "C"}, collected=[1, 1, 0], round=5, max_rounds=5, player=2).play("f5"),
        ["Triangle moves from g7 to f5", "After 5 rounds, a draw between Star and Square, with one cube each"],
        ["Triangle va de g7 en f5", "Après 5 tours de table, égalité entre Étoile et Carré, avec 1 cube chacun"],
    ),
]


@pytest.mark.parametrize(("scene", "english", "french"), TOLD)
def test_what_happened_is_told(scene: Callable[[], Table], english: list[str], french: list[str]) -> None:
    table = scene()
    assert table.told("en") == english
    assert table.told("fr") == french


def test_a_draw_names_the_people_who_share_it() -> None:
    table = Table(["a1", "g1", "g7"], {"f5": "C"}, collected=[1, 1, 1], round=5, max_rounds=5, player=2).play("f5")
    told = table.position.game.tell(table.events[-1], "en", ["Ann", "Bob", "Cleo"])
    assert told == "After 5 rounds, a draw between Ann, Bob and Cleo, with one cube each"


def test_corners_are_told() -> None:
    match = Match(find_game("twisty"), 2, dice=Dice("told"))
    event = match.play("corner a7").events[0]
    seat = match.log[0].by
    assert event.json() == {"what": "corner", "player": seat, "square": "a7"}
    assert match.game.tell(event, "en", ["Ann", "Ann"]) == "Ann starts from the corner a7"
    assert match.game.tell(event, "fr", ["Ann", "Ann"]) == "Ann part du coin a7"


def test_both_languages_have_the_same_sentences_with_the_same_facts() -> None:
    words = find_game("twisty").catalogue
    english, french = words.templates("en"), words.templates("fr")
    assert set(english) == set(french)


def test_the_board_can_be_read_without_colours() -> None:
    table = Table(["c3", "b3"], {"b3": "+", "c3": "G"}, collected=[1, 2], protected=["", "A"])
    picture = table.position.picture().splitlines()
    assert picture[0].split() == list("abcdefg")
    (row,) = [line for line in picture if line.startswith(" 3 ")]
    cells = [cell.strip() for cell in row.split("│")[1:-1]]
    assert cells[1:3] == ["+■", "G★"]
    assert cells[3] == table.token_on("d3")
    star, square = (next(line for line in picture if name in line) for name in ("★ Star", "■ Square"))
    assert star.startswith(" ▶")
    assert "(A)  B←  C " in star
    assert star.endswith("1/7")
    assert square.startswith("  ")
    assert "[A] (B)  C←" in square
    assert square.endswith("2/7")


def test_the_picture_shows_the_tokens_that_have_acted() -> None:
    table = Table(["a1", "g7"], {"b3": "+", "b4": "+"}).play("b3", "b4")
    assert "acted this turn: b3" in table.position.picture()
    assert "utilisés à ce tour : b3" in table.position.picture(language="fr")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_record_replays_and_its_set_up_can_be_verified(players: int) -> None:
    match = Match(find_game("twisty"), players, {"max_rounds": 10}, dice=Dice(f"record {players}", ("a", "b")))
    rng = Random(players)
    while not match.over:
        match.play(rng.choice(match.position.legal().actions))
    record = write_record(match)
    again = read_record(record)
    assert again.match.position.view() == match.position.view()
    assert write_record(again.match) == record
    assert verify(again).fair is True
    assert len(match.setup_draws) == 43 + 6 * players + 1  # tokens, series, who starts
