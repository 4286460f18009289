"""The first page is answered once to nobody, before the address is printed."""

from __future__ import annotations

import asyncio

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bakeoff.wings.page.application import rehearse
from bakeoff.wings.page.guard import Guard
from bakeoff.wings.page.settings import Settings


def test_the_first_page_is_asked_as_a_browser_would_and_followed_to_its_end() -> None:
    """It took two seconds of imports and style sheets on a busy machine; the promise is 300 ms."""
    asked: list[str] = []

    async def answer(request: Request) -> Response:
        asked.append(str(request.url))
        return RedirectResponse("/table/x?better=lower", 303) if request.url.path == "/" else PlainTextResponse("here")

    settings = Settings(port=8123)
    routes = [Route("/", answer), Route("/table/{source}", answer)]
    asyncio.run(rehearse(Starlette(routes=routes, middleware=[Middleware(Guard, settings=settings)]), settings))
    assert asked == ["http://127.0.0.1:8123/", "http://127.0.0.1:8123/table/x?better=lower"]
