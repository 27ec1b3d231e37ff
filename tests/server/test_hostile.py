"""Nobody gets in, and nothing that is sent brings the server down or disturbs another table.

LUDOTHEQUE_HOSTILE says how many hostile messages are sent (`make campaign-server` sends 100 000).
"""

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect as connect_now
from websockets.typing import Origin

from ludotheque.core import Json
from ludotheque.server.address import qr
from ludotheque.server.database import open_database
from ludotheque.server.schemas.document import schema
from ludotheque.server.schemas.requests import AnyRequest
from ludotheque.server.store import hashed
from server.crowd import Player, judge
from server.guests import PATIENCE, Chair, Guest, House, house

HOSTILE = int(os.environ.get("LUDOTHEQUE_HOSTILE", "3000"))
EXAMPLES = os.environ.get("LUDOTHEQUE_EXAMPLES", "2")
KINDS = [str(one.model_fields["do"].annotation.__args__[0]) for one in AnyRequest.__args__]


def test_only_hashes_of_secrets_are_stored(home: House, anna: Guest) -> None:
    code = anna.ask("POST", "/api/people/me/links").json()["code"]
    file = Path(home.database.removeprefix("sqlite:///"))
    content = b"".join(path.read_bytes() for path in file.parent.glob(f"{file.name}*"))
    for secret in (anna.secret, code):
        assert hashed(secret).encode() in content, "this is where it would be"
        assert secret.encode() not in content


def test_an_identity_is_carried_to_another_device_once(home: House, anna: Guest) -> None:
    link = anna.ask("POST", "/api/people/me/links").json()
    assert link["qr"] == qr(link["url"])
    other = httpx.post(f"{home.url}/api/people/links/{link['code']}", timeout=PATIENCE).json()
    assert other["person"]["id"] == anna.id
    assert other["secret"] != anna.secret
    assert httpx.post(f"{home.url}/api/people/links/{link['code']}", timeout=PATIENCE).status_code == 404
    assert anna.ask("GET", "/api/people/me").json()["devices"] == 2
    assert anna.ask("DELETE", "/api/people/me/devices").status_code == 204
    answer = httpx.get(
        f"{home.url}/api/people/me", headers={"authorization": f"Bearer {other['secret']}"}, timeout=PATIENCE
    )
    assert answer.json()["error"]["code"] == "who-are-you"


def test_a_private_table_is_not_listed_and_its_address_cannot_be_guessed(anna: Guest, bruno: Guest) -> None:
    table = anna.opens(private=True)
    assert len(table) >= 22, "128 bits"
    assert table not in bruno.ask("GET", "/api/tables").text
    assert table not in bruno.ask("GET", "/api/tables?mine=true").text
    assert table in anna.ask("GET", "/api/tables?mine=true").text
    assert bruno.ask("GET", f"/api/tables/{table[:-1]}x").status_code == 404


def test_a_person_is_forgotten_everywhere(home: House, bruno: Guest) -> None:
    name = "Unmistakable Zebulon"
    gone = Guest(home, name)
    table = gone.opens(seats=[{"kind": "me", "name": "Unmistakable Guest"}, {"kind": "open"}])
    chair = bruno.enters(table)
    chair.until("state")
    chair.asks("sit", seat=1)
    chair.until("table", why="began")
    chair.asks("resign")
    record = chair.until("table", why="resigned")["table"]["ended"]["record"]
    assert gone.ask("DELETE", "/api/people/me").status_code == 204
    chair.until("table", why="forgotten")
    for path in (f"/api/tables/{table}", f"/api/records/{record}", f"/api/tables/{table}/record", "/api/tables"):
        assert "Unmistakable" not in bruno.ask("GET", path).text
    state = bruno.enters(table).until("state")
    assert "Unmistakable" not in json.dumps(state)
    assert gone.ask("GET", "/api/people/me").status_code == 401


def test_another_sites_page_cannot_open_a_socket(home: House, anna: Guest) -> None:
    address = f"ws://127.0.0.1:{home.port}/api/tables/{anna.opens()}/socket"
    for origin in ("https://evil.example", "null", f"http://127.0.0.1.evil.example:{home.port}"):
        with pytest.raises(InvalidStatus), connect_now(address, origin=Origin(origin), proxy=None):
            pass
    with connect_now(address, origin=Origin(f"http://127.0.0.1:{home.port}"), proxy=None):
        pass


def test_hello_must_come_first_with_a_known_secret_at_a_known_table(home: House, anna: Guest) -> None:
    table = anna.opens()
    assert Chair(home, table, "not a secret").closed() == 4401
    assert Chair(home, "no-such-table", anna.secret).closed() == 4404
    with connect_now(f"ws://127.0.0.1:{home.port}/api/tables/{table}/socket", proxy=None) as socket:
        socket.send('{"do":"roll","id":"1","at":0}')
        with contextlib.suppress(ConnectionClosed):
            while True:
                socket.recv(PATIENCE)
        assert socket.close_code == 1008


def test_files_outside_of_the_page_are_not_served(home: House) -> None:
    for path in ("/%2e%2e/%2e%2e/settings.py", "/..%2f..%2fsettings.py", "/assets/../../settings.py", "/settings.py"):
        answer = httpx.get(home.url + path, timeout=PATIENCE)
        assert b"ServerSettings" not in answer.content


def test_answers_have_the_headers_that_browsers_want_and_no_trace(home: House) -> None:
    page = httpx.get(home.url, timeout=PATIENCE)
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    broken = httpx.post(f"{home.url}/api/people", content=b"{" * 1000, timeout=PATIENCE)
    assert broken.status_code == 400
    assert set(broken.json()["error"]) == {"code", "sentence"}
    french_first = {"accept-language": "fr-BE,en;q=0.5"}
    large = httpx.post(f"{home.url}/api/people", content=b" " * 100_000, headers=french_first, timeout=PATIENCE)
    assert large.status_code == 413
    assert "64 Ko au plus" in large.json()["error"]["sentence"]
    french = httpx.get(f"{home.url}/api/tables/nothing", headers=french_first, timeout=PATIENCE)
    assert "Cette table n’existe pas" in french.json()["error"]["sentence"]


def test_who_asks_too_often_is_told_to_slow_down(tmp_path: Path) -> None:
    with house(f"sqlite:///{tmp_path / 'tables.sqlite'}") as home:
        answers: list[int] = []
        with httpx.Client(base_url=home.url, timeout=PATIENCE) as client:
            while 429 not in answers and len(answers) < 300:  # on a slow machine the right to ask grows meanwhile
                answers.append(client.post("/api/people", json={"name": "x"}).status_code)
        assert answers.count(201) >= 30
        assert answers[-1] == 429


def test_who_talks_too_much_is_told_to_slow_down_and_plays_on(tmp_path: Path) -> None:
    with house(f"sqlite:///{tmp_path / 'tables.sqlite'}") as home:
        anna = Guest(home, "Anna")
        table = anna.opens(settings={"chat": True})
        chairs = [anna.enters(table) for _ in range(3)]
        for chair in chairs:
            chair.until("state")
        codes = []
        for number in range(15):  # from all devices together
            chair = chairs[number % 3]
            request = chair.asks("chat", text="Hello!")
            while (message := chair.hears()).get("id") != request:
                pass
            codes.append(message.get("code"))
        assert codes[:8] == [None] * 8
        assert "too-many" in codes
        chairs[0].asks("sit", seat=1)
        chairs[0].until("table", why="began")
        with contextlib.suppress(ConnectionClosed):
            while True:  # and whoever floods is shown out
                chairs[1].asks("ping")
        assert chairs[1].closed() == 1008
        assert "too-many" in {one.get("code") for one in chairs[1].heard}


def test_an_upload_is_replayed_listed_downloaded_and_deleted_only_by_its_owner(anna: Guest, bruno: Guest) -> None:
    table = anna.opens(seats=[{"kind": "me"}, {"kind": "me", "name": "Zoé"}], settings={"dice": "auto"})
    record = anna.ask("GET", f"/api/tables/{table}/record").json()
    card = anna.ask("POST", "/api/records", record).json()
    assert anna.ask("GET", f"/api/records/{card['id']}?download=true").json() == record
    story = anna.ask("GET", f"/api/records/{card['id']}/story").json()
    assert [step["action"] for step in story["steps"]] == record["actions"]
    assert bruno.ask("DELETE", f"/api/records/{card['id']}").status_code == 404
    assert card["id"] not in bruno.ask("GET", "/api/records").text
    record["actions"][0] = "99999"
    assert anna.ask("POST", "/api/records", record).json()["error"]["code"] == "bad-record"
    assert anna.ask("DELETE", f"/api/records/{card['id']}").status_code == 204


def hostile(dice: random.Random, table_number: int) -> str | bytes:
    """One message that nobody should send."""
    kind = dice.choice(KINDS)
    junk: list[Json] = [
        None,
        True,
        -1,
        2**70,
        1.5,
        "",
        "\u0000",
        "x" * 300,
        [],
        {},
        [[]] * 3,
        {"a": {"b": []}},
        "'; DROP TABLE people;--",
    ]
    match dice.randrange(12):
        case 0:
            return dice.randbytes(dice.randrange(200))
        case 1:
            return "".join(chr(dice.randrange(32, 0x2FF)) for _ in range(dice.randrange(100)))
        case 2:
            return "[" * dice.choice((10, 1000, 20_000))
        case 3:
            return '{"do":"act","id":"x","at":' + "9" * dice.choice((5, 400, 5000)) + ',"action":"pass"}'
        case 4:
            return json.dumps({"do": kind, "id": "x", "at": table_number, "action": "\ud800"})
        case 5:
            return '{"do":"begin","id":"x","at":1,"hand":' + '{"a":' * 150 + "1" + "}" * 150 + "}"
        case 6:
            return json.dumps(
                {"do": "peek", "id": "p", "actions": [dice.choice(("pass", "11111", "?", ""))] * dice.randrange(60)}
            )
        case 7:
            return json.dumps({"do": "hello", "version": 1, "secret": "x" * dice.randrange(300)})
        case 8:
            return json.dumps(
                {
                    "do": "act",
                    "id": "same",
                    "at": dice.randrange(-3, 100),
                    "action": dice.choice(("pass", "keep", "x" * 50_000)),
                }
            )
        case 9:
            return json.dumps({"do": kind, "id": "NaN", "at": float("nan"), "seat": float("inf")})
        case _:
            keys = (
                "id",
                "at",
                "seat",
                "action",
                "name",
                "number",
                "level",
                "person",
                "on",
                "text",
                "phrase",
                "yes",
                "as",
                "hand",
                "from",
                "program",
            )
            message = {key: dice.choice(junk) for key in dice.sample(keys, dice.randrange(len(keys)))}
            if dice.random() < 0.7:
                message.update({"id": dice.choice(("a", "b" * 64, "c" * 65)), "at": table_number})
            return json.dumps({"do": kind, **message})


async def attack(home: House, table: str, secrets_known: list[str], count: int, seed: int) -> int:
    """Send hostile messages, coming back whenever shown out."""
    dice = random.Random(seed)
    sent = 0
    while sent < count:
        with contextlib.suppress(OSError, WebSocketException, TimeoutError):
            async with connect(
                f"ws://127.0.0.1:{home.port}/api/tables/{table}/socket",
                max_size=None,
                proxy=None,
                open_timeout=PATIENCE,
            ) as socket:
                if dice.random() < 0.95:
                    secret = dice.choice([*secrets_known, None])
                    await socket.send(json.dumps({"do": "hello", "version": 1, "secret": secret}))

                async def drain(socket: ClientConnection = socket) -> None:
                    async for _ in socket:
                        pass

                reader = asyncio.create_task(drain())
                try:
                    for _ in range(dice.randrange(1, 400)):
                        await socket.send(hostile(dice, dice.randrange(30)))
                        sent += 1
                        if sent >= count:
                            break
                        if sent % 20 == 0:
                            await asyncio.sleep(0)
                    await socket.send('{"do":"ping","id":"end"}')
                    await asyncio.sleep(0.05)
                finally:
                    reader.cancel()
                    await asyncio.gather(reader, return_exceptions=True)
    return sent


@pytest.fixture
def besieged(tmp_path: Path) -> Iterator[House]:
    with house(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--no-limits") as one:
        yield one


def test_hostile_messages_neither_crash_nor_leak_nor_disturb_another_table(besieged: House) -> None:
    home = besieged
    mallory, anna, bruno = Guest(home, "Mallory"), Guest(home, "Anna"), Guest(home, "Bruno")
    target = mallory.opens(seats=[{"kind": "me"}, {"kind": "me", "name": "M2"}], settings={"chat": True})
    quiet = anna.opens()
    chair = bruno.enters(quiet)
    chair.until("state")
    chair.asks("sit", seat=1)
    chair.until("table", why="began")
    chair.leaves()
    players = [
        Player([home.address], quiet, guest.secret, seat, random.Random(seat))
        for seat, guest in enumerate((anna, bruno))
    ]
    assert home.process is not None
    process = psutil.Process(home.process.pid)

    async def siege() -> int:
        stop = asyncio.Event()
        playing = [asyncio.create_task(player.play(stop)) for player in players]
        sent = sum(
            await asyncio.gather(*(attack(home, target, [mallory.secret], HOSTILE // 20, seed) for seed in range(2)))
        )
        warm = process.memory_info().rss
        sent += sum(
            await asyncio.gather(
                *(attack(home, target, [mallory.secret], (HOSTILE - sent) // 3 + 1, 9 + seed) for seed in range(3))
            )
        )
        stop.set()
        await asyncio.wait(playing, timeout=20)
        grown = process.memory_info().rss - warm
        assert grown < 60_000_000, f"grew by {grown} bytes"
        return sent

    assert asyncio.run(siege()) >= HOSTILE
    assert home.process.poll() is None
    engine = open_database(home.database)
    assert not judge(engine, players)
    engine.dispose()
    assert sum(player.acknowledged for player in players) > 10, "the other table played on"
    assert all(player.connections == 1 for player in players), "the other table was disturbed"
    assert httpx.get(f"{home.url}/healthz", timeout=PATIENCE).json()["ok"] is True
    after = mallory.enters(target).until("state")
    assert after["table"]["id"] == target
    refused = httpx.get(f"{home.url}/metrics", timeout=PATIENCE).text
    assert "ludotheque_refused_total" in refused


def test_the_openapi_holds_what_it_promises_under_fuzzing(home: House, anna: Guest) -> None:
    command = [str(Path(sys.executable).with_name("schemathesis")), "run", f"{home.url}/openapi.json", "--no-color"]
    command += ["--header", f"Authorization: Bearer {anna.secret}", "--max-examples", EXAMPLES, "--seed", "1"]
    command += ["--request-timeout", "180"]
    command += ["--phases", "examples,fuzzing", "--generation-database", "none", "--exclude-path", "/api/people/me"]
    command += [
        "--checks",
        "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:]


def test_the_schema_document_names_every_request_and_message() -> None:
    document = schema()
    named = {
        mapping
        for union in ("AnyRequest", "AnyMessage")
        for mapping in document["$defs"][union]["discriminator"]["mapping"]
    }
    assert {"hello", "act", "roll", "hand", "state", "step", "table", "live", "refused"} <= named
    for union in ("AnyRequest", "AnyMessage"):
        for reference in document["$defs"][union]["discriminator"]["mapping"].values():
            assert reference.removeprefix("#/$defs/") in document["$defs"]
