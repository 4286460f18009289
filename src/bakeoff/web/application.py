"""The ASGI application of ``bakeoff serve``."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware

from bakeoff.web.desk import Desk
from bakeoff.web.guard import Guard
from bakeoff.web.routing import EXCEPTIONS, all_routes
from bakeoff.web.settings import Settings


def app(settings: Settings | None = None, desk: Desk | None = None) -> Starlette:
    """The application; ``desk`` (uploads and processes) is opened and closed with it unless it is given."""
    wanted = Settings() if settings is None else settings

    @contextlib.asynccontextmanager
    async def open_desk(application: Starlette) -> AsyncIterator[dict[str, Any]]:
        used = Desk(wanted) if desk is None else desk
        application.state.desk = used
        try:
            yield {}
        finally:
            if desk is None:
                used.close()

    return Starlette(
        routes=all_routes(),
        middleware=[Middleware(Guard, settings=wanted)],
        exception_handlers=EXCEPTIONS,
        lifespan=open_desk,
    )
