"""What the operator has ordered, as a process obeys it: bans, the notice, read-only mode, draining.

`operator` keeps it up to date; whoever serves requests asks it.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address, ip_network

from ludotheque.core import JsonObject
from ludotheque.server.problems import Banned
from ludotheque.server.store import Ban


class Bans:
    """The bans of a site. They end by themselves."""

    def __init__(self, bans: Iterable[Ban] = ()) -> None:
        self._people: dict[str, Ban] = {}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}  # by version and length, then by the bits before it
        for ban in bans:
            if ban.kind == "person":
                self._people[ban.who] = ban
            else:
                network = ip_network(ban.who)
                length = network.max_prefixlen - network.prefixlen
                same = self._networks.setdefault((network.version, length), {})
                same[int(network.network_address) >> length] = ban

    def of_person(self, person: str) -> Ban | None:
        """The ban of a person."""
        return _lasting(self._people.get(person))

    def of_address(self, address: str) -> Ban | None:
        """The ban of an address, or of a network that it is in."""
        if not self._networks:
            return None
        try:
            found = ip_address(address)
        except ValueError:  # a socket of the file system has no address
            return None
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        for (version, length), same in self._networks.items():
            if version == found.version and (ban := _lasting(same.get(int(found) >> length))) is not None:
                return ban
        return None


def _lasting(ban: Ban | None) -> Ban | None:
    return None if ban is None or (ban.until is not None and ban.until <= time.time() * 1000) else ban


def refusal(ban: Ban) -> Banned:
    """What somebody is told who is banned."""
    if ban.until is None:
        if ban.reason is None:
            return Banned("server.banned.for-good")
        return Banned("server.banned.for-good-because", reason=ban.reason)
    until = datetime.fromtimestamp(ban.until / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if ban.reason is None:
        return Banned("server.banned.until", until=until)
    return Banned("server.banned.until-because", until=until, reason=ban.reason)


@dataclass(slots=True)
class OperatorState:
    """What the operator has ordered."""

    bans: Bans = field(default_factory=Bans)
    notice: JsonObject | None = None
    """`words` by language, and `until` when it is shown."""
    read_only: bool = False
    draining: bool = False

    def notice_now(self) -> JsonObject | None:
        """The notice, unless its time is over."""
        until = None if self.notice is None else self.notice.get("until")
        return None if isinstance(until, int) and until <= time.time() * 1000 else self.notice
