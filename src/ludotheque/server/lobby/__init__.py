"""The lobby over HTTP, one module a subject. docs/network.md lists every address.

A new subject is a module with a `router`, named in ROUTERS; what is done at a table goes over its socket.
"""

from typing import Final

from fastapi import APIRouter

from ludotheque.server.lobby import learning, people, questions, records, site, tables
from ludotheque.server.lobby.asking import ERRORS

ROUTERS: Final = (site.router, people.router, tables.router, records.router, questions.router, learning.router)

router = APIRouter(prefix="/api", responses=ERRORS)
for part in ROUTERS:
    router.include_router(part)
