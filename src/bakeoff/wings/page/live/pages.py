"""The addresses of a watched experiment or race: its page, its stream, and its results once it is finished."""

from __future__ import annotations

import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio.to_thread
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from bakeoff.errors import BakeoffError
from bakeoff.report.document import Document
from bakeoff.report.formats import html
from bakeoff.wings.page.live.watching import Snapshot, Streams, Watcher
from bakeoff.wings.page.table_summary import STORES
from bakeoff.wings.page.templating import environment, html_page, refused


def streams_of(store: Path) -> Streams:
    """The streams of one store, for all pages that watch it."""
    return Streams(Watcher(store), piece)


def piece(view: Snapshot) -> str:
    """The part of the page that changes."""
    return environment().get_template("live_state.html.j2").render(view=view, body=_body(view.page))


def _body(report: Document | None) -> Markup:
    """A document's sections."""
    return Markup("") if report is None else Markup("".join(html.render_strict(report)))  # escaped by its own writer


async def live(request: Request) -> Response:
    """The state at this moment; a script keeps it up to date."""
    app_state = request.app.state.app_state
    view = await _streams(request).watcher.first()
    state = Markup(piece(view)) if view is not None else None
    seen = "" if view is None else view.identifier
    name = _streams(request).watcher.path.name
    return html_page("live.html.j2", name=name, state=state, seen=seen, settings=app_state.settings)


async def events(request: Request) -> ASGIApp:
    """The stream of changes."""
    return await _streams(request)(request)


async def results(request: Request) -> Response:
    """The result of a finished experiment: the analysis of its scores, as of a file; of a race, its report."""
    path, app_state = _streams(request).watcher.path, request.app.state.app_state
    view = await _streams(request).watcher.first()
    if view is not None and view.race:
        return await _race(request, path)
    name = path.name if path.suffix.lower() in STORES else f"{path.name}.sqlite"
    try:
        content = await anyio.to_thread.run_sync(copy_of, path)
        return RedirectResponse(f"/table/{app_state.uploads.add(name, content)}", 303)
    except (BakeoffError, OSError, sqlite3.Error) as error:
        return refused(request, str(error), 422)


async def _race(request: Request, path: Path) -> Response:
    try:
        report = await anyio.to_thread.run_sync(race_report, path)
    except (BakeoffError, OSError) as error:
        return refused(request, str(error), 422)
    return html_page("live_race.html.j2", name=path.name, said=report, settings=request.app.state.app_state.settings)


def race_report(path: Path) -> dict[str, Any]:
    """The text of the page of a race's result."""
    from bakeoff.wings.run._race import stored_race
    from bakeoff.wings.run.race.reporting import REPORT

    report = REPORT.document(stored_race(path))
    named = {name: getattr(report, name) for name in ("title", "verdict", "basis")}
    return named | {"body": _body(report), "command": shlex.join(["bakeoff", "race", str(path)])}


def copy_of(path: Path) -> bytes:
    """A store as one file, with what SQLite keeps beside it."""
    from bakeoff.wings.run.store.opening import open_for_reading

    with open_for_reading(path) as connection, closing(sqlite3.connect(":memory:")) as copy:
        connection.backup(copy)
        return copy.serialize()


def _streams(request: Request) -> Streams:
    streams: Streams | None = request.app.state.app_state.streams
    if streams is None:
        raise HTTPException(404)
    return streams


ROUTES: tuple[BaseRoute, ...] = (
    Route("/live", live, methods=["GET"]),
    Route("/live/events", events, methods=["GET"]),
    Route("/live/results", results, methods=["GET"]),
)
