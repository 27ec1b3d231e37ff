"""What the page asks over HTTP beside tables: a game's own requests (the magnets' shapes, the lab), and drawings of positions."""

from ludotheque.core import Dice, Match, find_game
from server.guests import Guest


def test_the_page_is_told_the_shapes_of_the_magnets(anna: Guest) -> None:
    told = anna.ask("POST", "/api/games/yikerz/ask", {"do": "shapes"})
    assert told.status_code == 200
    assert len(told.json()["shapes"]) == 5
    assert all(len(corner) == 3 for shape in told.json()["shapes"] for corner in shape["mesh"])


def test_the_lab_answers_with_forces_and_refuses_nonsense_in_words(anna: Guest) -> None:
    pair = [{"shape": "coin", "pose": [x, 0, 3, 1, 0, 0, 0]} for x in (-15, 15)]
    told = anna.ask("POST", "/api/games/yikerz/ask", {"do": "lab", "mats": [], "magnets": pair, "seconds": 0})
    one, other = told.json()["forces"]
    assert one[0] > 0 > other[0], "in line, with their poles alike turned, they pull"
    bad = anna.ask("POST", "/api/games/yikerz/ask", {"do": "lab", "mats": [], "magnets": [{"shape": "brick"}]})
    assert bad.status_code == 400
    assert "brick" in bad.json()["error"]["sentence"] or "shape" in bad.json()["error"]["sentence"]


def test_what_a_game_does_not_answer_is_refused_with_what_it_does(anna: Guest) -> None:
    assert anna.ask("POST", "/api/games/twisty/ask", {"do": "shapes"}).status_code == 400
    refused = anna.ask("POST", "/api/games/yikerz/ask", {"do": "quit"})
    assert refused.status_code == 400
    assert "lab" in refused.json()["error"]["sentence"]


def test_any_position_is_drawn_in_letters_in_each_language(anna: Guest) -> None:
    setup = Match(find_game("twisty"), dice=Dice("a seed")).position
    told = anna.ask("POST", "/api/drawing", {"game": "twisty", "players": setup.players, "setup": setup.view()})
    assert told.status_code == 200
    assert told.json() == {"words": {language: setup.picture(language=language) for language in ("en", "fr")}}
    refused = anna.ask("POST", "/api/drawing", {"game": "twisty", "setup": {}})
    assert refused.status_code == 400


def test_the_manual_is_listed_and_read_in_the_readers_language(anna: Guest) -> None:
    topics = {one["name"]: one for one in anna.ask("GET", "/api/help").json()["topics"]}
    assert topics["dice"] == {"name": "dice", "hosts": False, "words": {"en": "Fair dice", "fr": "Des dés honnêtes"}}
    assert topics["operating"]["hosts"] is True
    page = anna.ask("GET", "/api/help/playing?language=fr")
    assert page.headers["content-type"].startswith("text/markdown")
    assert "](/help/access)" in page.text
    assert anna.ask("GET", "/api/help/nothing").status_code == 404
