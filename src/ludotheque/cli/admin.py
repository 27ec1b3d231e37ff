"""`ludotheque admin …`: the operator's commands against a running server. The order travels through the site's database.

What is done is in `ludotheque.server.admin`; this reads arguments and shows answers. docs/operating.md describes every command.
"""

import getpass
import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ludotheque.cli.translator import LanguageOption, Translator, translator_of
from ludotheque.core import BadRequest, Json, JsonObject, languages, readable_name

if TYPE_CHECKING:
    from ludotheque.server.admin.client import Site

commands = typer.Typer(name="admin", help="help.admin", no_args_is_help=True)

DatabaseOption = Annotated[str | None, typer.Option("--database", help="help.admin.database")]
JsonOption = Annotated[bool, typer.Option("--json", help="help.admin.json")]
ReasonOption = Annotated[str | None, typer.Option("--reason", help="help.admin.reason")]
LimitOption = Annotated[int, typer.Option("--limit", min=1, max=10_000, help="help.admin.limit")]
PersonArgument = Annotated[str, typer.Argument(help="help.admin.person-id", show_default=False)]
TableArgument = Annotated[str, typer.Argument(help="help.admin.table-id", show_default=False)]

UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}  # seconds
LONGEST_REASON: Final = 500
LONGEST_NOTICE: Final = 1000
IPV6_BITS: Final = 64  # of an address that one customer has all of
MOMENTS: Final = frozenset({"at", "began", "created", "last", "touched", "until"})  # columns that are moments
ENDING_SECONDS: Final = 20.0  # that a process takes to stop, at most


class Who(StrEnum):
    """Who can be banned."""

    PERSON = "person"
    ADDRESS = "address"
    NETWORK = "network"


class TableOrder(StrEnum):
    """What tables are sorted by."""

    TOUCHED = "touched"
    PEOPLE = "people"
    SPECTATORS = "spectators"
    ACTIONS = "actions"
    REQUESTS = "requests"
    SECONDS = "seconds"
    BOT_SECONDS = "bot_seconds"


class Switch(StrEnum):
    """On or off."""

    ON = "on"
    OFF = "off"


@contextmanager
def _site(database: str | None) -> "Iterator[Site]":
    from ludotheque.server.admin.client import open_site  # noqa: PLC0415 - `--help` needs no database
    from ludotheque.server.settings import default_database  # noqa: PLC0415

    with open_site(database or default_database(), getpass.getuser()) as site:
        yield site


# How it is shown


def _cell(name: str, value: Json, translator: Translator) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return translator.say("admin.yes" if value else "admin.no")
    if name in MOMENTS and isinstance(value, int | float):
        return datetime.fromtimestamp(value / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return str(value)


def _show_list(rows: Sequence[JsonObject], columns: Sequence[str], translator: Translator, *, as_json: bool) -> None:
    """A list as aligned columns, or as JSON with everything that is known."""
    if as_json:
        typer.echo(json.dumps(list(rows), ensure_ascii=False, indent=1))
        return
    if not rows:
        typer.echo(translator.say("admin.none"))
        return
    lines = [[translator.say(f"admin.column.{name.replace('_', '-')}") for name in columns]]
    lines += [[_cell(name, row.get(name), translator) for name in columns] for row in rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    for line in lines:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _show_one(thing: JsonObject, translator: Translator, *, as_json: bool) -> None:
    """One thing, a line for each of its facts."""
    if as_json:
        typer.echo(json.dumps(thing, ensure_ascii=False, indent=1))
        return
    titles = {name: translator.say(f"admin.column.{name.replace('_', '-')}") for name in thing}
    width = max(map(len, titles.values()))
    for name, value in thing.items():
        typer.echo(f"{titles[name]:{width}}  {_cell(name, value, translator)}")


# What is typed


def seconds_of(text: str) -> int:
    """A duration such as 30m, 12h or 7d."""
    found = re.fullmatch(r"(\d{1,6})([smhdw])", text.strip())
    if found is None or int(found[1]) == 0:
        raise BadRequest("admin.bad-duration", given=text)
    return int(found[1]) * UNITS[found[2]]


def moment_of(text: str) -> int:
    """A moment in milliseconds: after a duration from now, or at a date and time, local unless it names its zone."""
    if re.fullmatch(r"\d+[a-z]", text.strip()):
        return int((time.time() + seconds_of(text)) * 1000)
    try:
        return int(datetime.fromisoformat(text.strip()).astimezone().timestamp() * 1000)
    except ValueError as error:
        raise BadRequest("admin.bad-moment", given=text) from error


def banned(kind: Who, who: str) -> tuple[str, str]:
    """The kind and the name under which a ban is stored. An IPv6 address stands for its /64."""
    try:
        if kind is Who.NETWORK:
            return "network", str(ip_network(who.strip(), strict=False))
        if kind is Who.ADDRESS:
            address = ip_address(who.strip())
            mapped = getattr(address, "ipv4_mapped", None)
            if mapped is not None or address.version == 4:
                return "network", str(ip_network(mapped or address))
            return "network", str(ip_network((address, IPV6_BITS), strict=False))
    except ValueError as error:
        raise BadRequest("admin.not-an-address", given=who) from error
    return "person", who.strip()


def _text(text: str, most: int) -> str:
    """A text of the operator's for people."""
    if len(text) > most:
        raise BadRequest("admin.too-long", most=most)
    return text.strip()


def _reason(reason: str | None) -> str | None:
    return None if reason is None else _text(reason, LONGEST_REASON) or None


# What goes on


@commands.command("status", help="help.admin.status")
def status(
    ctx: typer.Context, as_json: JsonOption = False, database: DatabaseOption = None, language: LanguageOption = None
) -> None:
    """The processes of the site: sockets, queues, workers."""
    with _site(database) as site:
        rows = [{"process": process, **answer} for process, answer in sorted(site.order("status").items())]
    columns = ("process", "host", "pid", "began", "tables", "sockets", "writes_waiting", "workers", "work_waiting")
    more = ("question_workers", "questions_waiting", "read_only", "draining")
    _show_list(rows, (*columns, *more), translator_of(ctx, language), as_json=as_json)


@commands.command("tables", help="help.admin.tables")
def tables(
    ctx: typer.Context,
    sort: Annotated[TableOrder, typer.Option(help="help.admin.tables.sort")] = TableOrder.TOUCHED,
    limit: LimitOption = 20,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """The tables of the site, with their load."""
    from ludotheque.server.admin.lists import list_tables  # noqa: PLC0415 - `--help` needs no server

    with _site(database) as site:
        rows = list_tables(site, sort.value, limit)
    columns = ("id", "game", "status", "names", "people", "spectators", "actions", "requests", "seconds", "bot_seconds")
    _show_list(rows, (*columns, "owner", "touched"), translator_of(ctx, language), as_json=as_json)


@commands.command("table", help="help.admin.table")
def one_table(
    ctx: typer.Context,
    table: TableArgument,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Everything about one table."""
    from ludotheque.server.admin.lists import read_table  # noqa: PLC0415

    with _site(database) as site:
        _show_one(read_table(site, table), translator_of(ctx, language), as_json=as_json)


@commands.command("people", help="help.admin.people")
def people(
    ctx: typer.Context,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Who is connected."""
    from ludotheque.server.admin.lists import list_people  # noqa: PLC0415

    with _site(database) as site:
        rows = list_people(site)[:limit]
    columns = ("id", "name", "sockets", "tables", "limits_hit", "reports", "addresses")
    _show_list(rows, columns, translator_of(ctx, language), as_json=as_json)


@commands.command("person", help="help.admin.person")
def one_person(
    ctx: typer.Context,
    person: PersonArgument,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Everything about one person."""
    from ludotheque.server.admin.lists import read_person  # noqa: PLC0415

    with _site(database) as site:
        _show_one(read_person(site, person), translator_of(ctx, language), as_json=as_json)


@commands.command("limits", help="help.admin.limits")
def limits(
    ctx: typer.Context,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Which addresses and people hit which limits in the last hour."""
    from ludotheque.server.admin.lists import list_limits  # noqa: PLC0415

    with _site(database) as site:
        rows = list_limits(site)[:limit]
    _show_list(rows, ("who", "limit", "count", "last"), translator_of(ctx, language), as_json=as_json)


# What the operator does


@commands.command("close", help="help.admin.close")
def close(
    ctx: typer.Context,
    table: TableArgument,
    reason: ReasonOption = None,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Close a table: the people at it are told, and its record is kept."""
    with _site(database) as site:
        site.order("close", table=table, reason=_reason(reason))
    typer.echo(translator_of(ctx, language).say("admin.closed", table=table))


@commands.command("ban", help="help.admin.ban")
def ban(
    ctx: typer.Context,
    kind: Annotated[Who, typer.Argument(help="help.admin.ban.kind", show_default=False)],
    who: Annotated[str, typer.Argument(help="help.admin.ban.who", show_default=False)],
    duration: Annotated[str | None, typer.Option("--for", help="help.admin.ban.for")] = None,
    reason: ReasonOption = None,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Ban somebody: their sockets are closed at once."""
    stored, name = banned(kind, who)
    until = None if duration is None else int((time.time() + seconds_of(duration)) * 1000)
    with _site(database) as site:
        site.order("ban", kind=stored, who=name, until=until, reason=_reason(reason))
    typer.echo(translator_of(ctx, language).say("admin.banned", who=name))


@commands.command("unban", help="help.admin.unban")
def unban(
    ctx: typer.Context,
    kind: Annotated[Who, typer.Argument(help="help.admin.ban.kind", show_default=False)],
    who: Annotated[str, typer.Argument(help="help.admin.ban.who", show_default=False)],
    reason: ReasonOption = None,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """End a ban."""
    stored, name = banned(kind, who)
    with _site(database) as site:
        site.order("unban", kind=stored, who=name, reason=_reason(reason))
    typer.echo(translator_of(ctx, language).say("admin.unbanned", who=name))


@commands.command("bans", help="help.admin.bans")
def bans(
    ctx: typer.Context, as_json: JsonOption = False, database: DatabaseOption = None, language: LanguageOption = None
) -> None:
    """The bans that last."""
    from ludotheque.server.admin.lists import list_bans  # noqa: PLC0415

    with _site(database) as site:
        rows = list_bans(site)
    _show_list(rows, ("kind", "who", "at", "until", "reason"), translator_of(ctx, language), as_json=as_json)


@commands.command("rename", help="help.admin.rename")
def rename(
    ctx: typer.Context,
    person: PersonArgument,
    name: Annotated[str, typer.Argument(help="help.admin.rename.name", show_default=False)],
    reason: ReasonOption = None,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Give a person another name, wherever theirs is shown."""
    visible = readable_name(_text(name, 40))
    if not visible:
        raise BadRequest("server.empty-name")
    with _site(database) as site:
        site.order("rename", person=person, name=visible, reason=_reason(reason))
    typer.echo(translator_of(ctx, language).say("admin.renamed", person=person, name=visible))


@commands.command("delete", help="help.admin.delete")
def delete(
    ctx: typer.Context,
    person: PersonArgument,
    reason: ReasonOption = None,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Delete a person, as they could themselves."""
    with _site(database) as site:
        site.order("delete", person=person, reason=_reason(reason))
    typer.echo(translator_of(ctx, language).say("admin.deleted", person=person))


@commands.command("notice", help="help.admin.notice")
def notice(
    ctx: typer.Context,
    text: Annotated[str | None, typer.Argument(help="help.admin.notice.text", show_default=False)] = None,
    translation: Annotated[list[str] | None, typer.Option(help="help.admin.notice.translation")] = None,
    until: Annotated[str | None, typer.Option(help="help.admin.notice.until")] = None,
    clear: Annotated[bool, typer.Option("--clear", help="help.admin.notice.clear")] = False,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Tell everybody something, or no more."""
    if clear == (text is not None):
        raise BadRequest("admin.notice-or-clear")
    told = None
    if text is not None:
        words = dict.fromkeys(languages(), _text(text, LONGEST_NOTICE))
        for one in translation or ():
            name, equals, other = one.partition("=")
            if not equals or name not in words:
                raise BadRequest("admin.bad-translation", given=one, languages=", ".join(words))
            words[name] = _text(other, LONGEST_NOTICE)
        told = {"words": words, "until": None if until is None else moment_of(until)}
    with _site(database) as site:
        site.order("notice", notice=told, reason=None if text is None else _text(text, LONGEST_NOTICE)[:LONGEST_REASON])
    typer.echo(translator_of(ctx, language).say("admin.notice-cleared" if clear else "admin.noticed"))


@commands.command("read-only", help="help.admin.read-only")
def read_only(
    ctx: typer.Context,
    switch: Annotated[Switch, typer.Argument(help="help.admin.read-only.switch", show_default=False)],
    reason: ReasonOption = None,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Let nothing be changed, or let it again."""
    on = switch is Switch.ON
    with _site(database) as site:
        site.order("read-only", on=on, reason=_reason(reason))
    typer.echo(translator_of(ctx, language).say("admin.read-only-on" if on else "admin.read-only-off"))


@commands.command("drain", help="help.admin.drain")
def drain(
    ctx: typer.Context,
    process: Annotated[str | None, typer.Option(help="help.admin.drain.process")] = None,
    within: Annotated[str, typer.Option(help="help.admin.drain.within")] = "5m",
    reason: ReasonOption = None,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Empty a process and stop it."""
    seconds = seconds_of(within)
    with _site(database) as site:
        running = site.running()
        chosen = process or (running[0] if len(running) == 1 else None)
        if chosen is None or chosen not in running:
            raise BadRequest("admin.which-process", processes=", ".join(running))
        site.order("drain", process=chosen, within=seconds, reason=_reason(reason))
        if not site.await_end(chosen, seconds + ENDING_SECONDS):
            raise BadRequest("admin.not-drained", process=chosen)
    typer.echo(translator_of(ctx, language).say("admin.drained", process=chosen))


@commands.command("audit", help="help.admin.audit")
def audit(
    ctx: typer.Context,
    limit: LimitOption = 50,
    as_json: JsonOption = False,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """What operators have changed, the latest first."""
    from ludotheque.server.admin.lists import list_audit  # noqa: PLC0415

    with _site(database) as site:
        rows = list_audit(site, limit)
    _show_list(rows, ("at", "operator", "what", "subject", "reason"), translator_of(ctx, language), as_json=as_json)


@commands.command("reports", help="help.admin.reports")
def reports(
    ctx: typer.Context, as_json: JsonOption = False, database: DatabaseOption = None, language: LanguageOption = None
) -> None:
    """Names that players have reported."""
    from ludotheque.server.admin.lists import list_reports  # noqa: PLC0415

    with _site(database) as site:
        rows = list_reports(site)
    _show_list(rows, ("person", "name", "now", "count", "last"), translator_of(ctx, language), as_json=as_json)


@commands.command("dismiss", help="help.admin.dismiss")
def dismiss(
    ctx: typer.Context,
    person: PersonArgument,
    reason: ReasonOption = None,
    database: DatabaseOption = None,
    language: LanguageOption = None,
) -> None:
    """Put the reports of a person's names aside."""
    with _site(database) as site:
        site.order("dismiss", person=person, reason=_reason(reason))
    typer.echo(translator_of(ctx, language).say("admin.dismissed", person=person))
