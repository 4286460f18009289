"""What is said where there is nothing, or something is not possible."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from bakeoff.wings.page.templating import html_page


def refused(request: Request, text: str, status: int, **more: Any) -> Response:
    """A page that says what is wrong, with a way on."""
    return html_page("refused.html.j2", status, said=text, settings=request.app.state.desk.settings, **more)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    usual = {404: "There is no such page.", 405: "This page cannot be asked that way."}
    own = error.detail != HTTPStatus(error.status_code).phrase  # which Starlette fills in
    text = error.detail if own else usual.get(error.status_code, error.detail)
    return refused(request, str(text), error.status_code)


async def _gone(request: Request, error: Exception) -> Response:
    """Nobody reads the answer to an upload that broke off, and it is no error of this program."""
    return Response(status_code=400)


async def _unexpected(request: Request, error: Exception) -> Response:
    return refused(request, f"Internal error: {type(error).__name__}. The terminal shows more; please report it.", 500)


EXCEPTIONS: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    HTTPException: _http,
    ClientDisconnect: _gone,
    Exception: _unexpected,
}
