"""What operators change besides bans, against real processes: notices, read-only mode, drain, closing, renaming, the audit log."""

import asyncio
import contextlib
import getpass
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError

from ludotheque.server import store
from ludotheque.server.database import audit, open_database, reports
from ludotheque.server.problems import Later
from ludotheque.server.registry import TableRegistry
from ludotheque.server.schemas.tables import NewTable
from ludotheque.server.settings import ServerSettings
from server.admins import BOT, Admin, elsewhere, refusal, until
from server.guests import PATIENCE, Guest, House, house

RAN = 15 * 60.0  # seconds; a drain that waited for it would be noticed


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server for those tests that leave it as it was."""
    with house(f"sqlite:///{tmp_path_factory.mktemp('admin') / 'tables.sqlite'}", "--no-limits") as one:
        yield one


@pytest.fixture
def admin(place: House) -> Admin:
    return Admin(place.database)


# Notices


def test_a_notice_reaches_everybody_at_once_and_newcomers_until_it_is_cleared(place: House, admin: Admin) -> None:
    anna = Guest(place, "Anna")
    table = anna.opens()
    chair = anna.enters(table)
    chair.until("state")
    admin.does("notice", "Back at eight.", "--translation", "fr=De retour à huit heures.", "--until", "2h")
    told = chair.until("notice")
    assert told["words"] == {"en": "Back at eight.", "fr": "De retour à huit heures."}
    assert abs(told["until"] / 1000 - time.time() - 7200) < PATIENCE
    assert anna.enters(table).until("notice") == told
    assert httpx.get(f"{place.url}/api/site", timeout=PATIENCE).json()["notice"]["words"] == told["words"]
    admin.does("notice", "--clear")
    assert chair.until("notice")["words"] is None
    late = anna.enters(table)
    late.until("here")
    assert [message for message in late.quiet() if message["what"] == "notice"] == []
    assert httpx.get(f"{place.url}/api/site", timeout=PATIENCE).json()["notice"] is None
    assert [what for what in admin.audited() if what[0] == "notice"] == [("notice", "on"), ("notice", "off")]
    for mistake in (("notice",), ("notice", "Text", "--clear")):
        assert "--clear" in admin.fails(*mistake)
    assert "the languages are en, fr" in admin.fails("notice", "Text", "--translation", "xx=Text")
    assert "no moment" in admin.fails("notice", "Text", "--until", "soon")


def test_a_notice_whose_time_is_over_is_not_shown(place: House, admin: Admin) -> None:
    admin.does("notice", "A moment ago.", "--until", "2020-01-01T00:00")
    assert httpx.get(f"{place.url}/api/site", timeout=PATIENCE).json()["notice"] is None
    admin.does("notice", "--clear")


@pytest.mark.slow
def test_a_notice_reaches_everybody_at_every_process_once(postgres: str) -> None:
    with house(postgres, "--no-limits") as here, house(postgres, "--no-limits") as there:
        admin, anna = Admin(postgres), Guest(here, "Anna")
        table = anna.opens()
        mine, forwarded = anna.enters(table), elsewhere(anna, there).enters(table)
        lonely = elsewhere(anna, there).enters(elsewhere(anna, there).opens())
        for chair in (mine, forwarded, lonely):
            chair.until("state")
        admin.does("notice", "Back at eight.")
        for chair in (mine, forwarded, lonely):
            assert chair.until("notice")["words"]["fr"] == "Back at eight."
            assert [message for message in chair.quiet() if message["what"] == "notice"] == []
        for home in (here, there):
            assert httpx.get(f"{home.url}/api/site", timeout=PATIENCE).json()["notice"] is not None
        admin.does("notice", "--clear")


# Read-only mode


def test_in_read_only_mode_all_can_be_read_and_nothing_changed(place: House, admin: Admin) -> None:
    anna, bruno = Guest(place, "Anna"), Guest(place, "Bruno")
    table = anna.opens(options={"first": 0})
    chair = bruno.enters(table)
    chair.until("state")
    chair.asks("sit", seat=1)
    chair.until("table", why="began")
    against_bot = anna.opens(seats=BOT, options={"first": 0}, settings={"dice": "auto", "pace": 0})
    opponent = anna.enters(against_bot)
    opponent.until("state")
    admin.does("read-only", "on", "--reason", "Backup.")
    assert chair.closed() == 1012, "everybody comes again"
    frozen = anna.enters(table, language="fr")
    state = frozen.until("state")
    assert state["table"]["status"] == "playing"
    frozen.asks("roll")
    told = frozen.until("refused")
    assert (told["code"], told["sentence"][:32]) == ("read-only", "Rien ne peut être modifié pour l")
    frozen.asks("remove", person=bruno.id)
    assert frozen.until("refused")["code"] == "read-only"
    frozen.asks("story")
    frozen.until("story")
    frozen.asks("peek", actions=[])
    frozen.until("preview")
    for method, path, body in (
        ("POST", "/api/tables", {"game": "yam-master"}),
        ("POST", "/api/people", {"name": "Carla"}),
        ("PATCH", "/api/people/me", {"name": "Carla"}),
        ("DELETE", "/api/people/me", None),
    ):
        status, code, sentence = refusal(anna.ask(method, path, body))
        assert (status, code) == (503, "read-only"), path
        assert "Everything can be read" in sentence
    assert anna.ask("GET", f"/api/tables/{table}/record").status_code == 200
    assert anna.ask("POST", "/api/position", {"game": "yam-master"}).status_code == 200
    assert httpx.get(f"{place.url}/healthz", timeout=PATIENCE).json() == {"ok": True, "read_only": True}
    assert httpx.get(f"{place.url}/api/site", timeout=PATIENCE).json()["read_only"] is True
    assert admin.lists("status")[0]["read_only"] is True
    assert "Nothing can be changed" in admin.fails("close", table)
    before = anna.enters(against_bot).until("state")["number"]
    assert anna.enters(against_bot).until("state")["number"] == before, "no bot plays on"
    admin.does("read-only", "off")
    assert frozen.closed() == 1012
    again = anna.enters(table)
    again.until("state")
    again.asks("roll")
    again.until("step")
    assert httpx.get(f"{place.url}/healthz", timeout=PATIENCE).json() == {"ok": True, "read_only": False}
    assert [what for what in admin.audited() if what[0] == "read-only"] == [("read-only", "on"), ("read-only", "off")]


@pytest.mark.slow
def test_bots_wait_while_nothing_may_change_and_go_on_afterwards_by_themselves(tmp_path: Path) -> None:
    home = House(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--no-limits").open()
    try:
        admin, anna = Admin(home.database), Guest(home, "Anna")
        bots = [{"kind": "bot", "level": 1}, {"kind": "bot", "level": 1}]
        table = anna.opens(seats=bots, settings={"dice": "auto", "pace": 1})
        anna.enters(table).until("step")

        def actions() -> int:
            return len(anna.enters(table).until("state")["log"])

        admin.does("read-only", "on")
        home.close()
        home.open()  # it outlasts a restart
        assert admin.lists("status")[0]["read_only"] is True
        stopped = actions()
        watching = anna.enters(table)
        watching.until("here")
        assert [message for message in watching.quiet(2.5) if message["what"] == "step"] == []
        assert actions() == stopped
        admin.does("read-only", "off")
        until(lambda: admin.lists("table", table)["actions"] > stopped)  # nobody is connected
    finally:
        home.close()


# Tables and people


def test_a_closed_table_tells_its_people_and_keeps_its_record(place: House, admin: Admin) -> None:
    anna, bruno = Guest(place, "Anna"), Guest(place, "Bruno")
    playing, waiting = anna.opens(options={"first": 0}), anna.opens()
    chair, other = anna.enters(playing), bruno.enters(waiting)
    chair.until("state")
    other.until("state")
    second = bruno.enters(playing)
    second.until("state")
    second.asks("sit", seat=1)
    chair.until("table", why="began")
    chair.asks("roll")
    chair.until("step")
    admin.does("close", playing, "--reason", "Too loud.")
    ended = chair.until("table", why="closed")
    assert (ended["table"]["status"], ended["table"]["ended"]["how"], ended["table"]["ended"]["returns"]) == (
        "over",
        "closed",
        [],
    )
    told = chair.until("table", why="closed")["table"]["closed"]
    assert told["en"] == "The operator of this site has closed this table: Too loud. The record of its match is kept."
    record = anna.ask("GET", f"/api/records/{ended['table']['ended']['record']}").json()
    assert len(record["actions"]) == 1
    chair.asks("rematch")
    assert "has closed this table" in chair.until("refused")["sentence"]
    admin.does("close", waiting)
    assert other.until("table", why="closed")["table"]["closed"]["fr"].startswith("L’opérateur de ce site a fermé")
    other.asks("sit", seat=1)
    assert "has closed this table" in other.until("refused")["sentence"]
    assert "has closed this table" in admin.fails("close", waiting)
    assert "no such table" in admin.fails("close", "nonsense")
    assert [subject for what, subject in admin.audited() if what == "close"][:2] == [playing, waiting]


@pytest.mark.slow
def test_a_closed_table_stays_closed_after_a_restart(tmp_path: Path) -> None:
    home = House(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--no-limits").open()
    try:
        anna = Guest(home, "Anna")
        table = anna.opens(seats=BOT)
        Admin(home.database).does("close", table)
        home.close()
        home.open()
        state = anna.enters(table).until("state")
        assert state["table"]["closed"]["en"].startswith("The operator of this site")
        assert state["table"]["ended"]["how"] == "closed"
    finally:
        home.close()


def test_a_name_that_the_operator_changes_is_gone_everywhere(place: House, admin: Admin) -> None:
    rude, bruno = Guest(place, "Rude Name"), Guest(place, "Bruno")
    table = rude.opens(seats=[{"kind": "me", "name": "Ruder Name"}, {"kind": "open"}], options={"first": 0})
    resigned = rude.opens()
    chairs = [bruno.enters(resigned), bruno.enters(table), rude.enters(table)]
    for chair in chairs:
        chair.until("state")
    chairs[0].asks("sit", seat=1)
    chairs[0].until("table", why="began")
    chairs[0].asks("resign")
    record = chairs[0].until("table", why="resigned")["table"]["ended"]["record"]
    admin.does("rename", rude.id, "Guest 7")
    assert [chair.closed() for chair in chairs] == [1012, 1012, 1012]
    assert rude.ask("GET", "/api/people/me").json()["person"]["name"] == "Guest 7"
    state = rude.enters(table).until("state")
    assert state["table"]["seats"][0]["name"] == "Guest 7"
    assert state["here"][0]["name"] == "Guest 7"
    for path in (f"/api/tables/{table}", f"/api/tables/{resigned}", f"/api/records/{record}", "/api/tables"):
        answer = bruno.ask("GET", path)
        assert answer.status_code == 200
        assert "Rude" not in answer.text, path
    assert [one["name"] for one in admin.lists("people") if one["id"] == rude.id] == ["Guest 7"]
    assert "at least one letter" in admin.fails("rename", rude.id, "\u200b")
    assert "no such person" in admin.fails("rename", "nonsense", "Anna")


def test_a_person_whom_the_operator_deletes_is_gone_everywhere(place: House, admin: Admin) -> None:
    gone, bruno = Guest(place, "Unmistakable"), Guest(place, "Bruno")
    table = gone.opens()
    chair, other = gone.enters(table), bruno.enters(table)
    for one in (chair, other):
        one.until("state")
    admin.does("delete", gone.id, "--reason", "Asked for by letter.")
    assert chair.closed() == 4401
    other.until("table", why="forgotten")
    assert gone.ask("GET", "/api/people/me").status_code == 401
    assert "Unmistakable" not in bruno.ask("GET", f"/api/tables/{table}").text
    assert "no such person" in admin.fails("delete", gone.id)
    assert ("delete", gone.id) in admin.audited()


@pytest.mark.slow
def test_a_name_is_changed_and_a_person_deleted_in_every_process(postgres: str) -> None:
    with house(postgres, "--no-limits") as here, house(postgres, "--no-limits") as there:
        admin, anna, bruno = Admin(postgres), Guest(here, "Rude Name"), Guest(there, "Bruno")
        table = anna.opens()
        mine, watching = elsewhere(anna, there).enters(table), elsewhere(anna, there).enters(bruno.opens())
        for chair in (mine, watching):
            chair.until("state")
        admin.does("rename", anna.id, "Guest 7")
        assert (mine.closed(), watching.closed()) == (1012, 1012)
        for home in (here, there):
            assert elsewhere(anna, home).ask("GET", "/api/people/me").json()["person"]["name"] == "Guest 7"
            assert elsewhere(anna, home).enters(table).until("state")["table"]["seats"][0]["name"] == "Guest 7"
        admin.does("close", table)
        assert "closed" in elsewhere(anna, there).enters(table).until("state")["table"]
        carla = Guest(here, "Carla")  # the other process may still be closing Anna's sockets for her new name
        table = carla.opens()
        chair = elsewhere(carla, there).enters(table)
        chair.until("state")
        admin.does("delete", carla.id)
        code = chair.closed()
        if code == 1012:  # the table's owner let go of it first: whoever comes again is told
            code = elsewhere(carla, there).enters(table).closed()
        assert code == 4401
        until(lambda: elsewhere(carla, there).ask("GET", "/api/people/me").status_code == 401)


# Reports


def test_players_report_a_name_once_and_the_operator_dismisses_it(place: House, admin: Admin) -> None:
    rude, anna, bruno = Guest(place, "Rude"), Guest(place, "Anna"), Guest(place, "Bruno")
    path = f"/api/people/{rude.id}/report"
    thanks = anna.ask("POST", path, {})
    assert thanks.status_code == 200
    assert thanks.json()["words"]["fr"] == "Merci. L’opérateur de ce site va regarder ce nom."
    for reporter, body in ((anna, {}), (bruno, {"name": "Rude"}), (bruno, {"name": "Ruder"})):
        assert reporter.ask("POST", path, body).status_code == 200

    def listed() -> dict[str, int]:
        return {one["name"]: one["count"] for one in admin.lists("reports") if one["person"] == rude.id}

    assert listed() == {"Rude": 2, "Ruder": 1}
    assert admin.lists("person", rude.id)["reports"] == 3
    assert refusal(rude.ask("POST", path, {}))[:2] == (400, "bad-request"), "not oneself"
    assert anna.ask("POST", "/api/people/nonsense/report", {}).status_code == 404
    assert httpx.post(f"{place.url}{path}", json={}, timeout=PATIENCE).status_code == 401
    assert anna.ask("POST", path, {"name": "x" * 41}).status_code == 400
    assert anna.ask("POST", path, {"nickname": "x"}).status_code == 400
    admin.does("dismiss", rude.id)
    assert anna.ask("POST", path, {}).status_code == 200
    assert listed() == {}, "the same name by the same person is not heard again"
    assert "no reports" in admin.fails("dismiss", rude.id)
    assert ("dismiss", rude.id) in admin.audited()


# Drain


@pytest.mark.slow
def test_a_drained_process_hands_its_tables_over_and_ends(postgres: str) -> None:
    here, there = House(postgres, "--no-limits").open(), House(postgres, "--no-limits").open()
    try:
        admin, anna, bruno = Admin(postgres), Guest(here, "Anna"), Guest(here, "Bruno")
        table = anna.opens(options={"first": 0})
        owner = admin.lists("table", table)["owner"]
        chair, other = anna.enters(table), bruno.enters(table)
        for one in (chair, other):
            one.until("state")
        other.asks("sit", seat=1)
        chair.until("table", why="began")
        chair.asks("roll")
        number = chair.until("step")["number"]
        assert "Say which process" in admin.fails("drain")
        assert "Say which process" in admin.fails("drain", "--process", "nonsense")
        began = time.monotonic()
        admin.does("drain", "--process", owner, "--within", "15m")
        assert time.monotonic() - began < RAN, "it ends when it is empty"
        assert here.process is not None
        assert here.process.wait(PATIENCE) == -signal.SIGTERM, "as after any other stop"
        assert chair.closed() == 1012
        again = elsewhere(anna, there).enters(table, last=number)
        assert again.until("welcome")["number"] == number, "nothing is lost"
        again.until("here")
        (left,) = admin.lists("status")
        assert left["process"] != owner
        assert ("drain", owner) in admin.audited()
    finally:
        here.close()
        there.close()


def test_a_draining_process_ends_when_it_has_let_go_of_its_tables(tmp_path: Path) -> None:
    home = House(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--no-limits").open()
    try:
        anna = Guest(home, "Anna")
        chairs = [anna.enters(anna.opens()), anna.enters(anna.opens(seats=BOT))]
        for chair in chairs:
            chair.until("state")
        Admin(home.database).does("drain", "--within", "15m")
        assert [chair.closed() for chair in chairs] == [1012, 1012], "they come again"
        assert home.process is not None
        assert home.process.wait(PATIENCE) == -signal.SIGTERM, "as after any other stop"
    finally:
        home.close()


def test_a_draining_process_takes_nothing_new(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'tables.sqlite'}"

    async def evening() -> None:
        registry = TableRegistry(open_database(address), ServerSettings(database=address, workers=1), "")
        registry.operation.draining = True
        try:
            with pytest.raises(Later, match="being upgraded"):
                await registry.open(NewTable(game="yam-master"), {"id": "a", "name": "Anna"})
            with pytest.raises(Later, match="being upgraded"):
                await registry.find("a table of another process, or of none")
        finally:
            await registry.close()

    asyncio.run(evening())


# What is kept


def test_the_audit_log_says_who_did_what_and_cannot_be_changed(place: House, admin: Admin) -> None:
    anna = Guest(place, "Anna")
    admin.does("ban", "person", anna.id, "--reason", "Insults.")
    admin.does("unban", "person", anna.id)
    entry = next(one for one in admin.lists("audit") if one["subject"] == f"person {anna.id}" and one["reason"])
    assert (entry["what"], entry["operator"], entry["reason"]) == ("ban", getpass.getuser(), "Insults.")
    assert abs(entry["at"] / 1000 - time.time()) < PATIENCE
    assert len(admin.lists("audit", "--limit", "1")) == 1
    with contextlib.closing(sqlite3.connect(place.database.removeprefix("sqlite:///"))) as connection:
        for change in ("UPDATE audit SET reason = 'x'", "DELETE FROM audit"):
            with pytest.raises(sqlite3.IntegrityError, match="the audit log"):
                connection.execute(change)
            connection.rollback()


def test_the_audit_log_cannot_be_changed_in_postgresql_either(postgres: str) -> None:
    engine = open_database(postgres)
    try:
        with engine.begin() as connection:
            store.add_audit(connection, store.Order("o", "anna", "ban", {}), "person x", None, 0)
        for change in (sql.update(audit).values(reason="x"), sql.delete(audit)):
            with pytest.raises(DBAPIError, match="the audit log"), engine.begin() as connection:
                connection.execute(change)
    finally:
        engine.dispose()


def test_what_is_kept_of_people_is_deleted_when_its_time_is_over(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    day = 86_400_000
    with engine.begin() as connection:
        people = [str(store.add_person(connection, name)[0]["id"]) for name in ("Anna", "Bruno")]
        store.add_report(connection, people[0], people[1], None, 100 * day)
        now = store.moment()
        for who, until_ in (("203.0.113.1/32", now - day), ("203.0.113.2/32", now + day), ("203.0.113.3/32", None)):
            store.set_ban(connection, store.Ban("network", who, now - 2 * day, until_, None), 100 * day)

    def left(site_time: int) -> tuple[int, int]:
        with engine.begin() as connection:
            store.sweep_operation(connection, site_time)
            counted = connection.execute(sql.select(sql.func.count()).select_from(reports)).scalar_one()
            bans = connection.exec_driver_sql("SELECT count(*) FROM bans").scalar_one()
            return counted, bans

    assert left(100 * day) == (1, 3)
    assert left(131 * day) == (1, 3), "thirty days after its end"
    assert left(132 * day) == (1, 2)
    assert left(190 * day) == (1, 2)
    assert left(191 * day) == (0, 2), "reports for ninety days"
    engine.dispose()
