"""docs/network.md and the server agree: addresses, requests, messages and error codes."""

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from ludotheque.answers.problems import STATUS
from ludotheque.core import Problem
from ludotheque.server import admission, connections, security, websocket
from ludotheque.server.app import HEALTH_SECONDS, MOST_SOCKETS_OF_A_NETWORK
from ludotheque.server.registry import MOST_SOCKETS_OF_A_PERSON, SPEECH
from ludotheque.server.routes import ROUTERS
from ludotheque.server.routes.people import LINK_SECONDS
from ludotheque.server.run import _configured
from ludotheque.server.schemas.base import LARGEST_BODY, LARGEST_MESSAGE, LARGEST_RECORD
from ludotheque.server.schemas.document import schema
from ludotheque.server.security import AddressLimits, RateLimits
from ludotheque.server.session.session import CROWD
from ludotheque.server.settings import ServerSettings
from ludotheque.table import requests
from ludotheque.table.automatic import SILENCE
from ludotheque.table.state import REMEMBERED_REQUESTS

PAGE = (Path(__file__).parents[2] / "docs/network.md").read_text("utf-8")
PUBLIC = ("BadJson", "BadOption", "BadRecord", "BadRequest", "BadView", "IllegalAction")


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading."""
    section = PAGE.split(f"\n{heading}\n", 1)[1]
    table = section.split("\n|---", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table.splitlines()[1:]]


def models(union: str, key: str) -> dict[str, dict[str, Any]]:
    """The models of a union over the socket, by the value that tells them apart."""
    document = schema()
    references = document["$defs"][union]["oneOf"]
    found = [document["$defs"][one["$ref"].rsplit("/", 1)[-1]] for one in references]
    return {model["properties"][key]["const"]: model for model in found}


def test_the_page_lists_every_request_with_its_fields() -> None:
    written = {row[0].strip("`"): row[1] for row in rows("### Requests")}
    described = models("AnyRequest", "do")
    assert set(written) == set(described)
    for name, model in described.items():
        fields = {field + ("" if field in model["required"] else "?") for field in model["properties"] if field != "do"}
        told = {field + mark for field, mark in re.findall(r"(?:^|, )`([a-z]+)`(\??)", written[name])}
        assert told == fields, name


def test_the_page_lists_every_message_with_its_fields() -> None:
    written = {row[0].strip("`"): row[1] for row in rows("### Messages")}
    described = models("AnyMessage", "what")
    assert set(written) == set(described)
    advice = set(schema()["$defs"]["Advice"]["properties"])
    for name, model in described.items():
        told = set(re.findall(r"`([a-z_]+)`", written[name])) | (advice if "*Advice*" in written[name] else set())
        assert set(model["properties"]) - {"what"} <= told, name


def test_the_page_lists_every_reason_of_a_table_message() -> None:
    (row,) = [row for row in rows("### Messages") if row[0] == "`table`"]
    told = re.findall(r"`([a-z-]+)`", row[2])
    assert set(told[1:]) == set(schema()["$defs"]["TableMessage"]["properties"]["why"]["enum"])


def test_the_page_lists_every_address() -> None:
    found = [re.match(r"`(\w+) ([^`?]+)", row[0]) for row in rows("## HTTP")]
    written = {(one[1], one[2]) for one in found if one is not None}
    served = {
        (method, f"/api{route.path}".replace("{path:path}", "{file}"))
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert written == served | {("GET", "/healthz"), ("GET", "/metrics")}


@pytest.mark.parametrize(
    "code", sorted({*STATUS, *(kind.code for kind in Problem.__subclasses__() if kind.__name__ in PUBLIC)})
)
def test_the_page_lists_every_error_code_with_its_status(code: str) -> None:
    found = [row for row in rows("## Errors") if f"`{code}`" in row[0]]
    assert [row[1] for row in found] == [str(STATUS.get(code, 400))]


def test_the_page_tells_the_limits() -> None:
    """Those of cost are compared in test_costs; that limits hold is tried in test_admission, test_slow_clients and test_hostile."""
    limits = {row[0]: row[1] for row in rows("### Limits")}

    def told(beginning: str) -> list[str]:
        (found,) = [text for what, text in limits.items() if what.startswith(beginning)]
        return re.findall(r"\d+", found)

    def bucket(bucket: AddressLimits) -> list[str]:
        rate = bucket._rate
        return [f"{bucket._most:g}", f"{rate:g}" if rate >= 1 else f"{1 / rate:g}"]

    rates = RateLimits(True)._kinds
    assert told("open TCP connections of an address") == [str(admission.MOST_FROM_A_NETWORK)]
    assert told("all open TCP connections") == [f"{admission.RESERVED_FILES}"]
    head = [f"{admission.REQUEST_SECONDS:g}", f"{admission.LARGEST_HEAD // 1024}"]
    assert told("from connecting") == head
    assert told("a request's whole body") == [f"{security.BODY_SECONDS:g}"]
    assert told("between two requests") == [f"{_configured(ServerSettings(), None, 1).timeout_keep_alive}"]
    assert told("a client that does not read") == [f"{admission.STALLED_SECONDS:g}"]
    sockets = [str(MOST_SOCKETS_OF_A_NETWORK), str(MOST_SOCKETS_OF_A_PERSON), "1013"]
    assert told("open sockets of an address") == sockets
    assert told("a socket's `hello`") == [f"{connections.HELLO_SECONDS:g}"]
    assert told("a socket that does not answer a ping") == [f"{websocket.PING_SECONDS:g}"] * 2
    assert told("requests over HTTP") == bucket(rates["any"])
    assert told("of these, expensive ones") == bucket(rates["expensive"])
    assert told("new people") == bucket(rates["new"])
    assert told("new sockets") == bucket(rates["socket"])
    assert told("chat and phrases") == [f"{SPEECH[0]}", f"{1 / SPEECH[1]:g}"]
    requests_ = connections.ConnectionLimits(True)._requests
    assert told("requests on a socket") == [f"{requests_.most:g}", f"{requests_.rate:g}"]
    kinds = {"hint": requests.AskHint, "story": requests.AskStory, "begin": requests.BeginLive, "peek": requests.Peek}
    assert set(kinds.values()) == set(connections.COSTS)
    costs = {name: f"{connections.COSTS[kind]:g}" for name, kind in kinds.items()}
    (priced,) = [what for what in limits if what.startswith("requests on a socket")]
    assert priced == (
        f"requests on a socket (a `hint` or `story` counts {costs['hint']}, `begin` {costs['begin']}, `peek` {costs['peek']})"
    )
    assert costs["story"] == costs["hint"]
    assert f"Bodies may have up to {LARGEST_BODY // 1024} KiB (records: {LARGEST_RECORD >> 20} MiB)" in PAGE
    assert f"one JSON object each, at most {LARGEST_MESSAGE // 1024} KiB" in PAGE
    assert f"With more than {CROWD} connections" in PAGE
    assert f"expires after {LINK_SECONDS // 60} minutes" in PAGE
    assert f"the server remembers each person's last {REMEMBERED_REQUESTS} requests" in PAGE
    assert f"{SILENCE:g} seconds after all seats are taken" in PAGE
    assert f"taken a write within {HEALTH_SECONDS:g} seconds" in PAGE
