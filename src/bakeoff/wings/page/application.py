"""The ASGI application of ``bakeoff serve``, and every address of it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from bakeoff.wings.page import analysis, templating
from bakeoff.wings.page.app_state import AppState
from bakeoff.wings.page.guard import Guard
from bakeoff.wings.page.live import pages
from bakeoff.wings.page.settings import Settings

ROUTES: list[BaseRoute] = [
    Route("/", analysis.first_page, methods=["GET"]),
    Route("/upload", analysis.upload, methods=["POST"]),
    Route("/static/{name}", templating.static_file, methods=["GET"]),
    *pages.ROUTES,
    Route("/table/{source}", analysis.question, methods=["GET"]),
    Route("/table/{source}/{view}", analysis.view, methods=["GET"]),
    Route("/table/{source}/{view}/part", analysis.part, methods=["GET"]),
    Route("/table/{source}/{view}/save/{suffix}", analysis.save, methods=["GET"]),
]
"""Every address, in the order in which they are tried."""

MOST_STEPS = 3  # from the first page to where it leads


def app(settings: Settings | None = None, app_state: AppState | None = None) -> Starlette:
    """The application; ``app_state`` (uploads and processes) is opened and closed with it unless it is given."""
    chosen = Settings() if settings is None else settings

    @contextlib.asynccontextmanager
    async def open_app_state(application: Starlette) -> AsyncIterator[dict[str, Any]]:
        used = AppState(chosen) if app_state is None else app_state
        application.state.app_state = used
        try:
            yield {}
        finally:
            if app_state is None:
                used.close()

    made = Starlette(
        routes=ROUTES,
        middleware=[Middleware(Guard, settings=chosen)],
        exception_handlers=templating.EXCEPTIONS,
        lifespan=open_app_state,
    )
    if app_state is not None:
        made.state.app_state = app_state
    return made


async def rehearse(application: Starlette, settings: Settings) -> None:
    """Answer the first page to nobody: whatever it needs is then loaded before somebody asks."""
    place = "/"
    for _ in range(MOST_STEPS):
        place = await _led_to(application, settings, place)
        if not place:
            return


async def _led_to(application: Starlette, settings: Settings, place: str) -> str:
    """Ask for one page; where it leads, empty if nowhere."""
    address = urlsplit(place)
    host, cookie = urlsplit(settings.address).netloc, f"{settings.cookie}={settings.token}"
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": address.path,
        "raw_path": address.path.encode(),
        "root_path": "",
        "query_string": address.query.encode(),
        "headers": [(b"host", host.encode()), (b"cookie", cookie.encode())],
        "client": None,
        "server": None,
    }
    led = ""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal led
        for name, value in message.get("headers", ()):
            led = value.decode() if name == b"location" else led

    await application(scope, receive, send)
    return led
