"""The link between processes: whoever does not know the site's key gets nothing."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ludotheque.server.database import open_database
from ludotheque.server.registry import TableRegistry
from ludotheque.server.relay import KEY_HEADER, PREFIX
from ludotheque.server.relay_server import serve_relay
from ludotheque.server.settings import ServerSettings
from server.test_leases import NEW

KEY = "the key of the site"


def test_only_processes_that_know_the_sites_key_are_let_in(tmp_path: Path) -> None:
    async def evening() -> None:
        address = f"sqlite:///{tmp_path / 'tables.sqlite'}"
        registry = TableRegistry(open_database(address), ServerSettings(database=address, workers=1, warm_up=False), "")
        relay = await serve_relay(registry, KEY, "127.0.0.1")
        try:
            table = (await registry.open(NEW, {"id": "anna", "name": "Anna"})).state.id
            port = next(iter(relay.sockets)).getsockname()[1]
            there = f"ws://127.0.0.1:{port}{PREFIX}{table}"
            for headers in ({}, {KEY_HEADER: ""}, {KEY_HEADER: KEY[:-1]}, {KEY_HEADER: "clé"}):
                with pytest.raises(InvalidStatus) as refused:
                    await connect(there, additional_headers=headers, proxy=None)
                assert refused.value.response.status_code == 403, headers
            async with connect(there, additional_headers={KEY_HEADER: KEY}, proxy=None) as link:
                await link.send(json.dumps({"do": "hello", "version": 1}))
                assert json.loads(await link.recv())["what"] == "welcome"
        finally:
            relay.close()
            await relay.wait_closed()
            await registry.close()

    asyncio.run(evening())
