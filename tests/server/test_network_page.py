"""docs/network.md and the server agree: addresses, requests, messages and error codes."""

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute

from ludotheque.core import Problem
from ludotheque.server.problems import STATUS
from ludotheque.server.routes import ROUTERS
from ludotheque.server.schemas.document import schema

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
