"""Texts that no person types: each is refused with 400 and a sentence, by HTTP and by the socket, and nothing is stored."""

import re
from pathlib import Path

import httpx
import pytest

from ludotheque.core import readable_name
from server.guests import Chair, Guest, House, house

DEEP = '{"a":' * 80 + "1" + "}" * 80
RARE = {
    "a lone surrogate": r'"\ud800"',
    "half a pair": r'"x\udc00y"',
    "NUL": r'"a\u0000b"',
    "no number": "NaN",
    "an infinity": "-Infinity",
    "too large a number": "1e999",
    "deep extras": DEEP,
}
DIRECTION = "A\u202enna\u2066\u200b\x07\u061c"


@pytest.mark.parametrize("rare", RARE.values(), ids=RARE)
def test_http_refuses_it_wherever_it_stands(home: House, anna: Guest, rare: str) -> None:
    bodies = {
        "/api/people": '{"name": "Zoé", "more": %s}',
        "/api/tables": '{"game": "yam-master", "options": {"max_turns": 9}, "number": "7", "setup": %s}',
        "/api/position": '{"game": "yam-master", "outcomes": [%s], "actions": ["?"]}',
        "/api/games/yikerz/ask": '{"do": "lab", "extra": %s}',
        "/api/records": '{"format": "ludotheque", "players": [{"name": %s}]}',
        "/api/verdict": '{"game": %s}',
    }
    for path, body in bodies.items():
        answer = httpx.post(
            home.url + path,
            content=(body % rare).encode(),
            headers={"content-type": "application/json", "authorization": f"Bearer {anna.secret}"},
            timeout=60,
        )
        assert answer.status_code == 400, (path, answer.text)
        assert answer.json()["error"]["code"] in ("bad-json", "bad-record"), (path, answer.text)


@pytest.mark.parametrize("rare", RARE.values(), ids=RARE)
def test_the_socket_refuses_it_and_stays_open(anna: Guest, rare: str) -> None:
    table = anna.opens(settings={"chat": True})
    chair = anna.enters(table)
    chair.until("here")
    for message in (
        '{"do": "phrase", "id": "x", "phrase": "good-luck", "more": %s}',
        '{"do": "sit", "id": "x", "at": 1, "seat": 1, "more": %s}',
        '{"do": "act", "id": "x", "at": 1, "action": "pass", "more": %s}',
        '{"do": "roll", "at": 1, "id": %s}',
    ):
        chair.socket.send(message % rare)
        assert chair.until("refused")["code"] == "bad-json", message
    chair.asks("sit", seat=1, number="7")
    assert chair.until("table", why="began")["number"] == 4, "nothing else has happened"


def test_nul_is_refused_in_addresses(home: House, anna: Guest) -> None:
    for path in ("/api/tables?game=a%00b", "/api/tables/%00", "/api/games/%00", "/x%00"):
        assert anna.ask("GET", path).status_code == 400, path


def test_a_name_loses_what_cannot_be_seen() -> None:
    assert readable_name(DIRECTION) == "Anna"
    assert readable_name(" Zoé\t von\u00a0der\n  Aa ") == "Zoé von der Aa", "letters of every language stay"
    assert readable_name("\u05d3\u05e0\u05d4 \U0001f60a") == "\u05d3\u05e0\u05d4 \U0001f60a"
    assert readable_name("\u202e\u200b ") == ""


def test_names_lose_control_and_direction_characters_everywhere(home: House, bruno: Guest) -> None:
    anna = Guest(home, DIRECTION)
    assert anna.ask("GET", "/api/people/me").json()["person"]["name"] == "Anna"
    assert anna.ask("PATCH", "/api/people/me", {"name": DIRECTION + "B"}).json()["person"]["name"] == "AnnaB"
    table = anna.opens(seats=[{"kind": "me", "name": DIRECTION}, {"kind": "open"}], settings={"dice": "auto"})
    chair = bruno.enters(table)
    chair.until("state")
    chair.asks("sit", seat=1, name=DIRECTION + "C")
    shown = chair.until("table", why="began")
    assert [seat["name"] for seat in shown["table"]["seats"]] == ["Anna", "AnnaC"]
    for name in ("\u202e", "\x00", ""):
        assert anna.ask("POST", "/api/people", {"name": name}).status_code == 400
        seats = [{"kind": "me", "name": name}, {"kind": "open"}]
        assert anna.ask("POST", "/api/tables", {"game": "yam-master", "seats": seats}).status_code == 400
    record = anna.ask("GET", f"/api/tables/{table}/record").json()
    record["players"][0]["name"] = DIRECTION
    card = anna.ask("POST", "/api/records", record).json()
    assert card["players"][0]["name"] == "Anna"
    assert anna.ask("GET", f"/api/records/{card['id']}").json()["players"][0]["name"] == "Anna"
    question = {"game": "yam-master", "actions": ["?"], "names": [DIRECTION, DIRECTION]}
    told = anna.ask("POST", "/api/position", question).text
    assert not re.search("[\u202e\u2066\u200b\x07\u061c]", told)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"game": "yam-master", "privat": True}, "privat"),
        ({"game": "yam-master", "settings": {"dise": "auto"}}, "settings.dise"),
        ({"game": "yam-master", "settings": {"clock": {"kind": "move", "seconds": 60, "plus": 1}}}, "plus"),
        ({"game": "yam-master", "seats": [{"kind": "me", "nam": "Bob"}, {"kind": "open"}]}, "nam"),
    ],
)
def test_what_creates_something_refuses_unknown_keys_by_name(anna: Guest, body: dict[str, object], named: str) -> None:
    answer = anna.ask("POST", "/api/tables", body)
    assert answer.status_code == 400, answer.text
    assert named in answer.json()["error"]["sentence"]


def test_a_new_person_has_a_name_and_nothing_else(home: House, anna: Guest) -> None:
    for method, path in (("POST", "/api/people"), ("PATCH", "/api/people/me")):
        answer = anna.ask(method, path, {"name": "Zoé", "admin": True})
        assert answer.status_code == 400
        assert "admin" in answer.json()["error"]["sentence"]


def test_the_socket_ignores_unknown_keys(anna: Guest) -> None:
    chair = anna.enters(anna.opens())
    chair.until("state")
    chair.asks("sit", seat=1, colour="red")
    chair.until("table", why="began")
    chair.asks("roll", loaded=True)
    chair.until("step")


def test_only_hosts_of_the_sites_address_are_answered(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with house(database, "--no-limits", "--address", "https://play.example.org/") as home:
        anna = Guest(home, "Anna")
        table = anna.opens()
        for host in ("play.example.org", "PLAY.example.org:443", "localhost", f"127.0.0.1:{home.port}", "[::1]:9"):
            assert anna.ask("GET", "/api/site", headers={"host": host}).status_code == 200, host
        for host in ("evil.example", "play.example.org.evil.example", "", "127.0.0.1.evil.example", "["):
            answer = anna.ask("GET", "/api/site", headers={"host": host})
            assert answer.status_code == 400, host
            assert answer.json()["error"]["code"] == "bad-request"
        socket = f"/api/tables/{table}/socket"
        upgrade = {"upgrade": "websocket", "connection": "upgrade", "sec-websocket-version": "13"}
        upgrade["sec-websocket-key"] = "AAAAAAAAAAAAAAAAAAAAAA=="
        assert anna.ask("GET", socket, headers={**upgrade, "host": "evil.example"}).status_code == 403
        Chair(home, table, anna.secret).until("state")


def test_a_page_of_an_allowed_origin_may_ask_and_others_may_not(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    friend = "https://other.example.org"
    with house(database, "--no-limits", "--origin", friend) as home:
        asked = {
            "access-control-request-method": "PATCH",
            "access-control-request-headers": "authorization,content-type",
        }
        before = httpx.options(f"{home.url}/api/people/me", headers={"origin": friend, **asked}, timeout=60)
        assert before.status_code == 200
        assert before.headers["access-control-allow-origin"] == friend
        assert "PATCH" in before.headers["access-control-allow-methods"]
        assert "authorization" in before.headers["access-control-allow-headers"].lower()
        for path, status in (("/api/site", 200), ("/api/tables/none", 404)):
            answer = httpx.get(home.url + path, headers={"origin": friend}, timeout=60)
            assert answer.status_code == status
            assert answer.headers["access-control-allow-origin"] == friend, "errors can be read as well"
            assert "Origin" in answer.headers["vary"]
        stranger = httpx.get(f"{home.url}/api/site", headers={"origin": "https://evil.example"}, timeout=60)
        assert "access-control-allow-origin" not in stranger.headers
        refused = httpx.options(f"{home.url}/api/site", headers={"origin": "https://evil.example", **asked}, timeout=60)
        assert "access-control-allow-origin" not in refused.headers
