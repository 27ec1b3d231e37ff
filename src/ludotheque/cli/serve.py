"""`ludotheque serve` and `ludotheque backup`: tables on the network, and a copy of their database."""

import os
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli.translator import LanguageOption, translator_of


def run_server(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="help.serve.host")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="help.serve.port")] = 8000,
    database: Annotated[
        str | None,
        typer.Option(help="help.serve.database"),
    ] = None,
    seed_key: Annotated[Path | None, typer.Option(help="help.serve.seed-key")] = None,
    forget_seeds: Annotated[bool, typer.Option("--forget-seeds", help="help.serve.forget-seeds")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="help.serve.workers")] = None,
    processes: Annotated[int, typer.Option(min=1, help="help.serve.processes")] = 1,
    address: Annotated[str | None, typer.Option(help="help.serve.address")] = None,
    behind: Annotated[str | None, typer.Option(help="help.serve.behind")] = None,
    origin: Annotated[list[str] | None, typer.Option(help="help.serve.origin")] = None,
    program: Annotated[list[str] | None, typer.Option(help="help.serve.program")] = None,
    table_days: Annotated[int, typer.Option(min=1, help="help.serve.table-days")] = 30,
    link_host: Annotated[str, typer.Option(help="help.serve.link-host")] = "127.0.0.1",
    lease: Annotated[float, typer.Option(min=1, help="help.serve.lease")] = 8.0,
    limits: Annotated[bool, typer.Option(help="help.serve.limits")] = True,
    warm: Annotated[bool, typer.Option(help="help.serve.warm")] = True,
    browser: Annotated[bool, typer.Option(help="help.serve.browser")] = True,
    language: LanguageOption = None,
) -> None:
    """Open tables on the network: people join with their browser, programs as docs/network.md says."""
    from ludotheque.core import BadOption  # noqa: PLC0415 - only this command needs it
    from ludotheque.server.run import serve  # noqa: PLC0415
    from ludotheque.server.seed_key import VARIABLE  # noqa: PLC0415
    from ludotheque.server.settings import ServerSettings, default_database  # noqa: PLC0415

    translator = translator_of(ctx, language)
    programs: dict[str, str] = {}
    for one in program or []:
        name, equals, command = one.partition("=")
        if not equals or not name or not command:
            raise BadOption("server.run.program", given=one)
        programs[name] = command
    settings = ServerSettings(
        database=database or default_database(),
        seed_key=os.environ.get(VARIABLE) if seed_key is None else str(seed_key),
        forget_seeds=forget_seeds,
        host=host,
        port=port,
        **({} if workers is None else {"workers": workers}),
        address=address,
        origins=tuple(one.rstrip("/") for one in origin or []),
        programs=programs,
        table_days=table_days,
        link_host=link_host,
        lease_seconds=lease,
        rate_limits=limits,
        warm_up=warm,
    )
    serve(settings, processes=processes, browser=browser, forwarded=behind, language=translator.language)


def make_backup(
    ctx: typer.Context,
    target: Annotated[Path, typer.Argument(help="help.backup.target")],
    database: Annotated[str | None, typer.Option(help="help.backup.database")] = None,
    seed_key: Annotated[Path | None, typer.Option(help="help.backup.seed-key")] = None,
    language: LanguageOption = None,
) -> None:
    """Copy the database while the server runs, and its key: SQLite into another file, PostgreSQL by pg_dump."""
    from ludotheque.server.backup import back_up  # noqa: PLC0415 - only this command needs it
    from ludotheque.server.settings import default_database  # noqa: PLC0415

    translator = translator_of(ctx, language)
    copy = back_up(database or default_database(), target, None if seed_key is None else str(seed_key))
    typer.echo(translator.say("backup.done", file=str(target), size=copy.size))
    if copy.key is None:
        typer.echo(translator.say("backup.no-key", file=str(copy.key_source)))
    else:
        typer.echo(translator.say("backup.key", file=str(copy.key)))
