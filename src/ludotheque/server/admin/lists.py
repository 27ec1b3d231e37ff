"""What an operator is shown: what is stored, together with what the running processes tell of themselves."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ludotheque.core import Json, JsonObject
from ludotheque.server import store
from ludotheque.server.admin.client import Site

Row: TypeAlias = dict[str, Json]


def list_tables(site: Site, order: str, most: int) -> Sequence[Row]:
    """The tables of the site, sorted by one of their figures, the largest first."""
    owned = _owned_tables(site)
    stored = site.read(lambda connection: store.survey_tables(connection, list(owned), most))
    rows = [{**row, **owned.get(str(row["id"]), {})} for row in stored]
    return sorted(rows, key=lambda row: _number(row, order), reverse=True)[:most]


def _owned_tables(site: Site) -> Mapping[str, Row]:
    """The tables that processes have in memory, by id."""
    return {
        str(table["id"]): {**table, "owner": process}
        for process, answer in site.order("tables").items()
        for table in _rows(answer, "tables")
    }


def read_table(site: Site, table: str) -> Row:
    """One table; NotFound if there is none."""
    card = site.read(lambda connection: store.table_card(connection, table))
    (row,) = site.read(lambda connection: store.survey_tables(connection, [table], 0))
    return {**row, **_owned_tables(site).get(table, {}), "private": card["private"], "created": card["created"]}


def list_people(site: Site) -> Sequence[Row]:
    """Who is connected, whoever hit limits most or has the most sockets first."""
    told: dict[str, list[JsonObject]] = {}  # by processes, each by person
    for answer in site.order("people").values():
        for one in _rows(answer, "people"):
            told.setdefault(str(one["id"]), []).append(one)
    reports = list_reports(site)
    people: list[Row] = [
        {
            "id": person,
            "name": next((one["name"] for one in some if one["name"] is not None), None),
            "sockets": sum(_number(one, "sockets") for one in some),
            "tables": sorted({table for one in some for table in _texts(one, "tables")}),
            "limits_hit": sum(_number(one, "limits_hit") for one in some),
            "reports": _count(reports, person),
            "addresses": sorted({address for one in some for address in _texts(one, "addresses")}),
        }
        for person, some in told.items()
    ]
    return sorted(people, key=lambda one: (-_number(one, "limits_hit"), -_number(one, "sockets"), str(one["id"])))


def read_person(site: Site, person: str) -> Row:
    """One person; NotFound if there is none."""
    stored = site.read(lambda connection: store.read_person(connection, person))
    connected = next((one for one in list_people(site) if one["id"] == person), {})
    return {
        **stored,
        "sockets": connected.get("sockets", 0),
        "present": connected.get("tables", []),
        "addresses": connected.get("addresses", []),
        "limits_hit": connected.get("limits_hit", 0),
        "reports": _count(list_reports(site), person),
        "banned": any(ban["kind"] == "person" and ban["who"] == person for ban in list_bans(site)),
    }


def list_limits(site: Site) -> Sequence[Row]:
    """Who hit which limit, the most often first."""
    hits: dict[tuple[str, str], Row] = {}
    for answer in site.order("limits").values():
        for one in _rows(answer, "limits"):
            who, limit = str(one["who"]), str(one["limit"])
            before = hits.get((who, limit), {})
            hits[who, limit] = {
                "who": who,
                "limit": limit,
                "count": _number(before, "count") + _number(one, "count"),
                "last": max(_number(before, "last"), _number(one, "last")),
            }
    return sorted(hits.values(), key=lambda hit: -_number(hit, "count"))


def list_bans(site: Site) -> Sequence[Row]:
    """The bans that last."""
    return [
        {"kind": ban.kind, "who": ban.who, "at": ban.at, "until": ban.until, "reason": ban.reason}
        for ban in site.read(store.list_bans)
    ]


def list_reports(site: Site) -> Sequence[Row]:
    """Names that were reported and not dismissed."""
    return [dict(report) for report in site.read(store.list_reports)]


def list_audit(site: Site, most: int) -> Sequence[Row]:
    """What operators have changed."""
    return [dict(entry) for entry in site.read(lambda connection: store.list_audit(connection, most))]


def _count(reports: Sequence[Row], person: str) -> int:
    return int(sum(_number(report, "count") for report in reports if report["person"] == person))


def _rows(answer: JsonObject, name: str) -> Sequence[JsonObject]:
    """A list of objects in what a process has answered."""
    told = answer[name]
    return [row for row in told if isinstance(row, Mapping)] if isinstance(told, list) else []


def _texts(row: JsonObject, name: str) -> Sequence[str]:
    told = row[name]
    return [str(one) for one in told] if isinstance(told, list) else []


def _number(row: JsonObject, name: str) -> int | float:
    """A figure; 0 if a table or a person has none."""
    told = row.get(name)
    return told if isinstance(told, int | float) else 0
