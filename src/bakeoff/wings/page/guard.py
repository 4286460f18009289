"""Check who may ask (Host of the request, token, origin of a form), and limit what a browser does with the answer."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from bakeoff.wings.page.settings import LOOPBACK, Settings

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
TOKEN = "token"
BESIDE = 65_536  # bytes of a form beside its file


class TooMuch(Exception):
    """The body of a request is longer than allowed."""


class Guard:
    """The outermost layer of the application; streams pass through it as they come."""

    def __init__(self, app: Any, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no web sockets here
        request, guarded = Request(scope), self._with_headers(scope, send)
        if not self._is_own_host(request.headers.get("host", "")):
            await _refusal(421, "This server does not answer to that host name.")(scope, receive, guarded)
            return
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = dict(query).get(TOKEN)
        if token is not None and scope["method"] == "GET" and self._is_token(token):
            kept = self._keep_token(scope["path"], [(name, value) for name, value in query if name != TOKEN])
            await kept(scope, receive, guarded)
            return
        if not self._is_token(request.cookies.get(self.settings.cookie, "")):
            text = "Open the address that bakeoff serve printed: it holds the key to this page."
            await _refusal(403, text)(scope, receive, guarded)
            return
        if scope["method"] not in ("GET", "HEAD") and not self._same_origin(request.headers):
            await _refusal(403, "This form was sent from another site.")(scope, receive, guarded)
            return
        await self._limited(scope, receive, guarded)

    def _is_own_host(self, requested: str) -> bool:
        """Another name for this address may be an attacker's (DNS rebinding); a number cannot be."""
        host, _, port = requested.lower().rpartition(":") if _has_port(requested) else (requested.lower(), "", "80")
        host = host.removeprefix("[").removesuffix("]")
        if port != str(self.settings.port):
            return False
        own = self.settings.host.lower()
        if own in LOOPBACK:
            return host in LOOPBACK
        return host in (*LOOPBACK, own) or _is_number(host)

    def _is_token(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.settings.token.encode())

    def _keep_token(self, path: str, query: list[tuple[str, str]]) -> Response:
        """A cookie in place of the token, so that nobody reads it over a shoulder or copies it with a link."""
        kept = f"{self.settings.cookie}={self.settings.token}; Path=/; HttpOnly; SameSite=Strict"
        place = "/" + quote(path.lstrip("/\\")) + (f"?{urlencode(query)}" if query else "")
        return Response(status_code=303, headers={"location": place, "set-cookie": kept})

    def _same_origin(self, headers: Mapping[str, str]) -> bool:
        """A page without a referrer policy of its own says "null" as its origin, and Sec-Fetch-Site beside it."""
        origin = headers.get("origin", "null")
        if origin == "null":
            return headers.get("sec-fetch-site") == "same-origin"
        return origin == f"http://{headers.get('host', '')}" and headers.get("sec-fetch-site", "same-origin") in (
            "same-origin",
            "none",
        )

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Bodies longer than an upload may be are not read to their end."""
        most, read = self.settings.most_bytes + BESIDE, 0
        started = False

        async def counting() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise TooMuch
            return message

        async def noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, counting, noting)
        except TooMuch:
            if not started:
                text = f"This file is larger than {self.settings.megabytes:g} MB, the limit of this page."
                await _refusal(413, text)(scope, receive, send)

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                message = {**message, "headers": headers.raw}
            await send(message)

        return sending


def _has_port(host: str) -> bool:
    return host.rpartition(":")[2].isdigit() and (host.count(":") == 1 or "]:" in host)


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _refusal(status: int, text: str) -> Response:
    return PlainTextResponse(f"{text}\n", status)
