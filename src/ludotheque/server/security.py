"""Protection at the edge: bodies, rate limits, hosts, origins and security headers.

Who may do what at a table is in `ludotheque.table`; secrets are hashed in `store`.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from ludotheque.answers.language import choose_language
from ludotheque.answers.problems import status_of
from ludotheque.core import BadRequest, Problem, parse, write_json
from ludotheque.server.limit_hits import LimitHits
from ludotheque.server.problems import too_large
from ludotheque.server.schemas.base import LARGEST_BODY, LARGEST_RECORD

IpNetwork: TypeAlias = IPv4Network | IPv6Network
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY: Final = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),  # a table's address is an invitation
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
BODY_SECONDS: Final = 30.0  # for a whole body
LONG_BODY: Final = 8192  # bytes of JSON that are parsed in a thread
NUL: Final = b"%00"
LARGE_PATHS: Final = ("/api/records", "/api/verdict")
MOST_ADDRESSES: Final = 50_000


@dataclass(slots=True)
class TokenBucket:
    """A token bucket: so many requests at once, and so many a second."""

    most: float
    rate: float
    full: float
    at: float

    def take(self, cost: float, now: float) -> bool:
        """Take tokens; returns False if there are too few."""
        self.full = min(self.most, self.full + (now - self.at) * self.rate)
        self.at = now
        if self.full < cost:
            return False
        self.full -= cost
        return True


class AddressLimits:
    """Buckets of one kind, one for each address or person; the least recently used are dropped."""

    def __init__(self, most: float, rate: float) -> None:
        self._most, self._rate = most, rate
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str, cost: float = 1.0) -> bool:
        """Whether this address may make the request."""
        now = time.monotonic()
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self._most, self._rate, self._most, now)
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(address)
        return bucket.take(cost, now)


class RateLimits:
    """The rate limits of a site by address: for everything, for what is expensive, and for new people, tables and links."""

    def __init__(self, enabled: bool) -> None:
        self._enabled = enabled
        self.hits = LimitHits()
        self._kinds = {
            "any": AddressLimits(200, 40),
            "expensive": AddressLimits(30, 5),
            "new": AddressLimits(30, 0.5),
            "socket": AddressLimits(100, 10),
        }

    def allows(self, kind: str, address: str) -> bool:
        """Whether an address may do this now."""
        if not self._enabled or self._kinds[kind].take(address):
            return True
        self.hits.add(kind, address)
        return False


def client_of(scope: Scope) -> str:
    """The address of a client. uvicorn applies X-Forwarded-For where the operator allows it."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def address_of(scope: Scope) -> str:
    """The network of a client, which limits count by."""
    return network_of(client_of(scope))


@lru_cache(maxsize=MOST_ADDRESSES)
def network_of(address: str) -> str:
    """What limits count: an IPv4 address, or the /64 of an IPv6 address, since one customer has all of it."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(IPv6Network((int(found) >> 64 << 64, 64)))
    return str(found)


def header(scope: Scope, name: bytes) -> str | None:
    """A request's header."""
    for key, value in scope.get("headers", ()):
        if key == name:
            return bytes(value).decode("latin-1")
    return None


def origin_is_ours(scope: Scope, allowed: Sequence[str]) -> bool:
    """Whether a WebSocket is opened by the site's own page, by an allowed one, or by a program (which sends no origin)."""
    origin = header(scope, b"origin")
    if origin is None or origin.rstrip("/") in allowed:
        return True
    return origin != "null" and urlsplit(origin).netloc == header(scope, b"host")


def host_is_ours(scope: Scope, address: str | None) -> bool:
    """Whether a request names the host of the site's address, or of this machine; any host if the site has no address.

    Otherwise a page could reach the server under a name of its own (DNS rebinding) and put that name into invitations.
    """
    if address is None:
        return True
    asked = _hostname(f"//{header(scope, b'host') or ''}")
    return asked is not None and (asked in LOOPBACK or asked == _hostname(address))


def _hostname(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


class SecurityMiddleware:
    """ASGI middleware for HTTP: checks addresses and bodies before anything reads them, and adds the security headers."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if "\0" in scope["path"] or NUL in scope["query_string"]:
            await _refuse(scope, send, BadRequest("server.http.nul"))
            return
        large = scope["path"] in LARGE_PATHS
        most = LARGEST_RECORD if large else LARGEST_BODY
        body = bytearray()
        said = header(scope, b"content-length") or "0"
        exceeds = not said.isdigit() or int(said) > most
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while not exceeds:
                    message = await receive()
                    if message["type"] != "http.request":
                        return  # gone before the end of the body
                    body += message.get("body", b"")
                    exceeds = len(body) > most
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            await _refuse(scope, send, BadRequest("server.http.slow"))
            return
        if exceeds:
            await _refuse(scope, send, too_large(most))
            return
        if body and not large:  # large bodies are parsed in a worker
            try:
                if len(body) > LONG_BODY:
                    await asyncio.to_thread(parse, bytes(body))
                else:
                    parse(bytes(body))
            except Problem as problem:
                await _refuse(scope, send, problem)
                return
        given = False

        async def whole_body() -> MutableMapping[str, Any]:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        await self._app(scope, whole_body, with_headers)


async def _refuse(scope: Scope, send: Send, problem: Problem) -> None:
    sentence = problem.sentence(choose_language(header(scope, b"accept-language") or ""))
    headers = [(b"content-type", b"application/json"), (b"connection", b"close"), *HEADERS]
    await send({"type": "http.response.start", "status": status_of(problem), "headers": headers})
    body = write_json({"error": {"code": problem.code, "sentence": sentence}}).encode()
    await send({"type": "http.response.body", "body": body})
