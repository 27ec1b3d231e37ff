"""`serve --processes`: several processes behind one port, and a supervisor that replaces one that dies."""

import os
import signal
from pathlib import Path

from server.admins import Admin
from server.guests import Guest, House, eventually


def test_processes_share_a_port_and_one_that_dies_is_replaced(own_postgres: str, tmp_path: Path) -> None:
    key = str(tmp_path / "seeds.key")
    home = House(own_postgres, "--no-limits", "--lease", "3", "--seed-key", key, "--processes", "2").open()
    try:
        admin = Admin(own_postgres)

        def two_run(*, without: int | None = None) -> set[int]:
            found = {one["pid"] for one in admin.lists("status")}
            assert len(found) == 2
            assert without not in found
            return found

        before = eventually(two_run)
        anna = eventually(lambda: Guest(home, "Anna"))
        table = eventually(anna.opens)
        killed = min(before)
        os.kill(killed, signal.SIGKILL)
        after = eventually(lambda: two_run(without=killed))
        assert len(after & before) == 1, "the other one has gone on"
        assert eventually(lambda: anna.enters(table).until("state"))["table"]["id"] == table
    finally:
        home.close()
