"""HTTP routes, one module a subject (docs/network.md lists them). A new module is named in ROUTERS."""

from typing import Final

from fastapi import APIRouter

from ludotheque.server.routes import learning, people, positions, records, site, tables
from ludotheque.server.routes.dependencies import ERRORS

ROUTERS: Final = (site.router, people.router, tables.router, records.router, positions.router, learning.router)

router = APIRouter(prefix="/api", responses=ERRORS)
for part in ROUTERS:
    router.include_router(part)
