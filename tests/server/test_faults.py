"""A short fault campaign: a site of two hosts plays on through one fault of each important kind, and nothing goes wrong."""

import asyncio
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.fault_campaign import Figures, Round
from server.faulty_site import Site
from server.guests import Chair, Guest, eventually
from server.history import Violation

FAULTS = ("machine suspended", "machine's date jumped", "database crashed", "database's date jumped")
TABLES = 4


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site(2, 2.0)
    yield site
    site.close()


def test_a_site_loses_nothing_through_faults(site: Site) -> None:
    one = Round(site, TABLES, quiet=(0.3, 1.0))
    faults = [*FAULTS, "machines parted" if site.network.separate else "database silent"]
    done = asyncio.run(one.play(faults, random.Random(1), asyncio.Event(), lambda _: None))
    assert done == dict.fromkeys(faults, 1)
    assert not one.judge()
    assert not one.stuck
    assert one.acknowledged() > 0


def watches(guest: Guest, table: str) -> Chair:
    """Somebody connects to a table and has seen it."""
    chair = guest.enters(table)
    chair.until("here")
    return chair


def test_a_client_that_only_watches_is_told_while_the_database_is_still_silent(site: Site) -> None:
    host = site.hosts[0]
    anna = eventually(lambda: Guest(host.house, "Anna"))
    table = eventually(anna.opens)
    chair = eventually(lambda: watches(anna, table))
    host.proxy.silent()
    try:
        assert chair.closed() == 1012
    finally:
        host.proxy.heal()
    eventually(lambda: watches(anna, table))


def test_a_forwarded_client_is_told_when_the_tables_owner_is_suspended(site: Site) -> None:
    owner, other = site.hosts
    anna, bruno = eventually(lambda: (Guest(owner.house, "Anna"), Guest(other.house, "Bruno")))

    def suspended() -> None:
        """On a slow machine the table may have moved to the other process before its owner is stopped: try again."""
        table = anna.opens()
        chair = watches(bruno, table)
        owner.signal(signal.SIGSTOP)
        try:
            assert chair.closed(60) == 1012, "though nobody closed the link"
            eventually(lambda: watches(bruno, table))
        finally:
            owner.signal(signal.SIGCONT)

    eventually(suspended)


def test_a_campaign_goes_on_where_it_was_and_adds_up(tmp_path: Path) -> None:
    file = tmp_path / "out" / "faults.json"
    assert Figures.read(file) == Figures()
    first = Figures(seed=7, left=1200.0, seconds=2400.0, rounds=3, faults={"server killed": 4}, acknowledged=900)
    assert first.clean
    first.write(file)
    second = Figures.read(file)
    assert second == first
    second.add([Violation("lost", "3 is gone"), Violation("went back", "from 5 to 4")])
    second.acknowledged += 100
    second.write(file)
    again = Figures.read(file)
    assert not again.clean
    assert again.violations == {"lost": 1, "doubled": 0, "reordered": 0, "went back": 1}
    told = "\n".join(again.lines())
    assert "4 faults (6 an hour)" in told
    assert "1,000 acknowledged actions (1,500 an hour)" in told
    assert "lost: 3 is gone" in told
