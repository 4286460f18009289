"""Templates to pages, the style sheet and scripts that they load, and the page that refuses a request."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from bakeoff.errors import counted, plain

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


HERE = Path(__file__).parent
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
STATIC = (HERE / "static", HERE / "live" / "static")


@cache
def content_of(name: str) -> bytes:
    """Read a file; the style sheet is that of the reports, then our own."""
    own = next(folder / name for folder in STATIC if (folder / name).is_file()).read_bytes()
    if name != "serve.css":
        return own
    from bakeoff.report.formats import html

    return html.style_sheet().encode() + own


@cache
def version_of(name: str) -> str:
    """Changes with the content, so that a browser may keep the file."""
    return hashlib.sha256(content_of(name)).hexdigest()[:12]


def is_static_file(name: str) -> bool:
    """Ours, or of the live pages."""
    return name.rpartition(".")[2] in TYPES and any(name == p.name for folder in STATIC for p in folder.iterdir())


def address_of(name: str) -> str:
    return f"/static/{name}?v={version_of(name)}"


async def static_file(request: Request) -> Response:
    """With its version in the address it never changes."""
    name = request.path_params["name"]
    if not is_static_file(name):
        return Response("There is no such file.\n", 404, media_type="text/plain")
    kept = "private, max-age=31536000, immutable" if request.query_params.get("v") == version_of(name) else "no-cache"
    kind = TYPES[name.rpartition(".")[2]]
    return Response(content_of(name), media_type=kind, headers={"cache-control": kept})


FOLDERS = (HERE / "templates", HERE / "live" / "templates")


def unbroken(text: str) -> Markup:
    """A headline whose percentages and equations stay in one line; its characters are those of the text."""
    from markupsafe import Markup, escape

    return Markup(
        re.sub(
            r"\d+(?:\.\d+)? %|\b\w (?:=|≥|≤|&lt;|&gt;) \d+(?:\.\d+)?",
            r'<span class="nb">\g<0></span>',
            str(escape(text)),
        )
    )


@cache
def environment() -> Environment:
    """Everything is escaped; a variable that does not exist is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader([str(folder) for folder in FOLDERS], encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["plain"] = plain
    made.filters["counted"] = counted
    made.filters["unbroken"] = unbroken
    made.globals["static"] = address_of
    return made


def html_page(
    template: str, status: int = 200, headers: dict[str, str] | None = None, /, **variables: Any
) -> HTMLResponse:
    """A page, or a piece of one."""
    return HTMLResponse(environment().get_template(template).render(**variables), status, headers)


def refused(request: Request, text: str, status: int, **more: Any) -> Response:
    """A page that says what is wrong, with a way on."""
    return html_page("refused.html.j2", status, said=text, settings=request.app.state.app_state.settings, **more)


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
