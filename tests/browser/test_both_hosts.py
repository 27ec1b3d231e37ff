"""The browser's host and the server's answer the same requests with the same messages."""

from collections.abc import Iterator
from typing import Any

import pytest

from browser.window import GAMES, Window
from ludotheque.browser import host
from server.guests import CHAIRS, Chair, Guest, House, house

CHANGING = {"id", "request", "next", "now", "created", "touched", "record", "url", "secret"}
"""What differs from table to table, whoever hosts it."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(f"sqlite:///{tmp_path_factory.mktemp('home') / 'tables.db'}", "--no-limits") as one:
        yield one


@pytest.fixture(autouse=True)
def _everyone_leaves() -> Iterator[None]:
    """Connections that a test has left open are closed after it."""
    yield
    while CHAIRS:
        CHAIRS.pop().leaves()


def plain(value: Any, key: str = "") -> Any:
    """A message without what changes from table to table: it only has to be of the same type."""
    if key in CHANGING and not isinstance(value, dict | list):
        return type(value).__name__
    if isinstance(value, dict):
        return {name: plain(one, name) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


class Both:
    """Somebody who plays at the server, and then does the same in a browser, with the seed that the server has revealed."""

    def __init__(self, home: House, **wanted: Any) -> None:
        self.wanted = wanted
        self.guest = Guest(home, "Ada")
        answer = self.guest.ask("POST", "/api/tables", wanted)
        self.chair: Chair = self.guest.enters(answer.json()["table"]["id"], silent=True)
        self.chair.until("here")
        self.done: list[tuple[str, dict[str, Any]]] = []
        self.does("contribute", number="seven")

    def does(self, do: str, **more: Any) -> None:
        """A request at the server, and its answer."""
        self.done.append((do, more))
        request = self.chair.asks(do, **more)
        told: dict[str, Any] = {}
        while request not in (told.get("request"), told.get("id")):
            told = self.chair.hears()
        if do == "contribute":  # all sit at one device: the match begins
            self.chair.until("table", why="began")

    @property
    def legal(self) -> list[str]:
        assert self.chair.position is not None
        actions: list[str] = self.chair.position["legal"]["actions"]
        return actions

    def plays(self) -> None:
        """Roll where the dice are to be rolled, otherwise the first action that is legal."""
        if self.legal:
            self.does("act", action=self.legal[0])
        else:
            self.does("roll")

    def there(self) -> list[Any]:
        return [plain(one) for one in self.chair.heard]

    def here(self, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
        """The same in a browser."""
        seeds = [one["table"]["dice"]["seed"] for one in self.chair.heard if one.get("table")]
        seed = next(one for one in seeds if one is not None)
        window = Window().named("Ada")
        monkeypatch.setattr(host, "fresh_seed", lambda: seed)
        connection = window.enters(window.opens(**self.wanted))
        for do, more in self.done:
            window.asks(connection, do, **more)
            window.settle()
        return [plain(one) for one in window.heard[connection]]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_match_is_told_in_the_same_messages(home: House, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [{"kind": "me"}, {"kind": "me", "name": "Bea"}]
    both = Both(home, game=game, seats=seats, private=True, settings={"hints": True})
    for _ in range(8):
        both.plays()
    both.does("act", action="nonsense")
    both.does("peek", actions=both.legal[:1])
    both.does("takeback")
    both.does("story")
    both.does("resign")
    there = both.there()
    assert {one["what"] for one in there} >= {
        "welcome",
        "state",
        "here",
        "step",
        "table",
        "refused",
        "preview",
        "story",
    }
    assert both.here(monkeypatch) == there


def test_questions_over_http_are_answered_alike(home: House) -> None:
    window, guest = Window().named("Ada"), Guest(home, "Ada")
    question = {"game": "yam-master", "players": 2, "actions": ["?"], "names": ["Ada", "Bea"], "seed": "s"}
    asked: list[tuple[str, str, Any]] = [
        ("GET", "/api/people/me", None),
        ("GET", "/api/games/twisty", None),
        ("GET", "/api/games/yam-master/rules?language=fr", None),
        ("GET", "/api/games/wykersham/examples", None),
        ("GET", "/api/games/wykersham/words?language=fr", None),
        ("GET", "/api/games/yam-master/puzzles", None),
        ("GET", "/api/games/yam-master/puzzles/3", None),
        ("GET", "/api/games/twisty/puzzle?day=2026-05-01", None),
        ("GET", "/api/games/yam-master/puzzles/999999", None),
        ("GET", "/api/tables", None),
        ("GET", "/api/tables?mine=true", None),
        ("GET", "/api/records?mine=true", None),
        ("GET", "/api/tables/nothing", None),
        ("GET", "/api/records/nothing/story", None),
        ("POST", "/api/position", question),
        ("POST", "/api/drawing", question),
        ("POST", "/api/odds", question),
        ("POST", "/api/hint", {**question, "level": 1}),
        ("POST", "/api/hint", {**question, "actions": []}),
        ("POST", "/api/position", {**question, "actions": ["nonsense"]}),
        ("PATCH", "/api/people/me", {"name": "Bea"}),
        ("POST", "/api/tables", {"game": "yam-master", "seats": [{"kind": "me"}, {"kind": "bot"}], "private": True}),
    ]
    for method, path, body in asked:
        there = guest.ask(method, path, body, headers={"accept-language": "en"})
        status, here = window.ask(method, path, body)
        assert status == there.status_code, path
        expected: Any = there.json() if "json" in there.headers["content-type"] else there.text
        if path == "/api/tables" and method == "POST":
            here["table"]["dice"].pop("commitment"), expected["table"]["dice"].pop("commitment")
        assert plain(here) == plain(expected), path
    site, offered = window.ask("GET", "/api/site")[1], guest.ask("GET", "/api/site").json()
    assert {**site, "table_days": 0} == {**offered, "table_days": 0}
