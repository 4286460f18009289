"""Server-sent events: a stream of pieces of a page, each with an identifier that a browser sends when it reconnects."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

from bakeoff.wings.page.live.watching import HEARTBEAT, Seen, Watcher

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

AGAIN = 2000  # milliseconds after which a browser reconnects
MOST_STREAMS = 100

_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


def event(name: str, data: str, identifier: str = "") -> str:
    """One event; every line of its data is a line of the stream, so that no text can begin another event."""
    lines = [f"event: {name}", *([f"id: {identifier}"] if identifier else [])]
    return "\n".join([*lines, *(f"data: {line}" for line in data.splitlines() or [""])]) + "\n\n"


class Streams:
    """The open streams of one watched store."""

    def __init__(self, watcher: Watcher, written: Callable[[Seen], str], heartbeat: float = HEARTBEAT) -> None:
        self.watcher, self._written, self._heartbeat = watcher, written, heartbeat
        self.open = 0

    async def __call__(self, request: Request) -> ASGIApp:
        """Endpoint: the stream, from where the browser left off; counted before anything of it is sent."""
        from starlette.responses import PlainTextResponse, StreamingResponse

        if self.open >= MOST_STREAMS:
            return PlainTextResponse("Too many pages are watching this experiment: close one.\n", 503)
        known = request.headers.get("last-event-id") or request.query_params.get("seen", "")
        self.open += 1
        stream = StreamingResponse(self._events(known), media_type="text/event-stream", headers=_HEADERS)

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await stream(scope, receive, send)
            finally:
                self.open -= 1

        return counted

    async def _events(self, known: str) -> AsyncGenerator[str]:
        yield f"retry: {AGAIN}\n\n"
        async with aclosing(self.watcher.changes(known, self._heartbeat)) as changes:
            async for view in changes:
                yield ": still here\n\n" if view is None else event("state", self._written(view), view.identifier)
