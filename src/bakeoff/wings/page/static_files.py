"""Style sheet and scripts: few files, known by name, sent as they are."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

HERE = Path(__file__).parent
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
FILES = ("serve.css", "htmx.min.js", "serve.js", "icon.svg")
LIVE = HERE / "live" / "static"


@cache
def content_of(name: str) -> bytes:
    """Of the style sheet: that of the reports, then our own."""
    file = HERE / "static" / name
    own = (file if file.is_file() else LIVE / name).read_bytes()
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
    return name in FILES or (name.rpartition(".")[2] in TYPES and name in {p.name for p in LIVE.glob("*")})


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
