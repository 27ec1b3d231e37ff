"""Identity is live: a secret that is revoked, or a person who is deleted, is gone everywhere at once."""

import time
from pathlib import Path

import httpx
import pytest

from ludotheque.server import housekeeping
from server.guests import PATIENCE, Guest, House, house


def other_device(guest: Guest) -> Guest:
    """The same person on another device."""
    code = guest.ask("POST", "/api/people/me/links").json()["code"]
    told = httpx.post(f"{guest.home.url}/api/people/links/{code}", timeout=PATIENCE).json()
    return Guest.known(guest.home, {**told["person"], "secret": told["secret"]})


def elsewhere(guest: Guest, home: House) -> Guest:
    """The same person and device at another process."""
    return Guest.known(home, {"id": guest.id, "name": guest.name, "secret": guest.secret})


def test_a_revoked_secret_closes_its_sockets_and_no_others(home: House, bruno: Guest) -> None:
    anna = Guest(home, "Anna")
    phone = other_device(anna)
    table = anna.opens()
    mine, other, brunos = anna.enters(table), phone.enters(table), bruno.enters(table)
    for chair in (mine, other, brunos):
        chair.until("state")
    assert anna.ask("DELETE", "/api/people/me/devices").status_code == 204
    assert other.closed() == 4401
    assert phone.ask("GET", "/api/people/me").status_code == 401
    assert phone.enters(table).closed() == 4401
    mine.asks("sit", seat=1)
    mine.until("table", why="began")
    assert anna.ask("DELETE", "/api/people/me").status_code == 204
    assert mine.closed() == 4401
    brunos.until("table", why="forgotten")


def test_a_deleted_person_leaves_no_ghost_on_tables_that_are_not_in_memory(tmp_path: Path) -> None:
    home = House(f"sqlite:///{tmp_path / 'tables.sqlite'}", "--no-limits").open()
    try:
        gone, bruno = Guest(home, "Unmistakable"), Guest(home, "Bruno")
        waiting, playing, hosted = gone.opens(), gone.opens(), bruno.opens(seats=[{"kind": "open"}, {"kind": "open"}])
        chair = bruno.enters(playing)
        chair.until("state")
        chair.asks("sit", seat=1)
        chair.until("table", why="began")
        chair = gone.enters(hosted)
        chair.until("state")
        chair.asks("sit", seat=0)
        chair.until("table", why="sit")
        home.close()
        home.open()  # nothing of it is in memory now
        assert gone.ask("DELETE", "/api/people/me").status_code == 204
        kinds = {}
        for table in (waiting, playing, hosted):
            card = bruno.ask("GET", f"/api/tables/{table}").json()
            kinds[table] = [seat["kind"] for seat in card["seats"]]
            assert "Unmistakable" not in str(card)
            assert gone.id not in str(card)
        assert kinds == {
            waiting: ["open", "open"],
            playing: ["bot", "person"],
            hosted: ["open", "open"],
        }
        assert gone.id not in str(bruno.enters(playing).until("state"))
    finally:
        home.close()


def test_a_secret_revoked_at_one_process_is_revoked_at_all(postgres: str) -> None:
    assert housekeeping.REVOCATION_SECONDS <= 0.5, "so that it takes less than a second"
    with house(postgres, "--no-limits") as here, house(postgres, "--no-limits") as there:
        anna = Guest(here, "Anna")
        phone = other_device(anna)
        table = anna.opens()
        mine, forwarded = anna.enters(table), elsewhere(phone, there).enters(table)
        lonely = elsewhere(phone, there).enters(elsewhere(anna, there).opens())
        for chair in (mine, forwarded, lonely):
            chair.until("state")
        assert elsewhere(phone, there).ask("GET", "/api/people/me").status_code == 200
        assert anna.ask("DELETE", "/api/people/me/devices").status_code == 204
        assert forwarded.closed() == 4401
        assert lonely.closed() == 4401
        refused(elsewhere(phone, there))
        assert elsewhere(anna, there).ask("GET", "/api/people/me").status_code == 200
        assert anna.ask("DELETE", "/api/people/me").status_code == 204
        assert mine.closed() == 4401
        refused(elsewhere(anna, there))


def refused(guest: Guest) -> None:
    """Within a moment; how long it takes on a busy machine is not what is tested."""
    deadline = time.monotonic() + PATIENCE
    while guest.ask("GET", "/api/people/me").status_code != 401:
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("path", ["/api/people/me", "/api/people/me/devices"])
def test_a_link_that_was_not_used_is_revoked_as_well(anna: Guest, path: str) -> None:
    code = anna.ask("POST", "/api/people/me/links").json()["code"]
    assert anna.ask("DELETE", path).status_code == 204
    assert httpx.post(f"{anna.home.url}/api/people/links/{code}", timeout=PATIENCE).status_code == 404
