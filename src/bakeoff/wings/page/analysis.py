"""The start page, the upload, and the pages of a table: which direction is good, choices of an analysis, files."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bakeoff.errors import BakeoffError
from bakeoff.wings.page import form
from bakeoff.wings.page.app_state import AppState
from bakeoff.wings.page.calculators import NoAnswerError
from bakeoff.wings.page.settings import Settings
from bakeoff.wings.page.templating import html_page, refused
from bakeoff.wings.page.uploads import file_argument
from bakeoff.wings.page.views import VIEWS, View
from bakeoff.wings.page.views.view import READING, Values

EXAMPLE = "derrac_cec2005"
EXAMPLES = {
    "derrac_cec2005": "9 optimisers on the 25 functions of CEC’2005 (mean error, lower is better)",
    "demsar_2006": "4 variants of C4.5 on 14 data sets (AUC, higher is better)",
    "garcia_2010": "4 classifiers on 24 data sets (accuracy, higher is better)",
}


def add_example(app_state: Any, name: str) -> str:
    """A shipped table among the uploads; its identifier."""
    source: str = app_state.uploads.add(f"{name}.csv", files("bakeoff.datasets").joinpath(f"{name}.csv").read_bytes())
    return source


def facts_question(source: str, reading: dict[str, Any], cells: int) -> dict[str, Any]:
    return {"ask": "facts", "source": source, "reading": reading, "cells": cells}


def page_question(source: str, arguments: list[str], brief: bool = False) -> dict[str, Any]:
    return {"ask": "page", "source": source, "arguments": arguments, "brief": brief}


def first_questions(app_state: Any) -> list[dict[str, Any]]:
    """Questions about the table that was named, else about the example with its verdict."""
    cells = app_state.settings.cells
    if app_state.settings.store is not None:
        return []
    if app_state.opened is not None:
        return [facts_question(app_state.opened, {}, cells)]
    source = add_example(app_state, EXAMPLE)
    arguments = ["compare", f"{EXAMPLE}.csv", "--better", "lower"]
    return [facts_question(source, {}, cells), page_question(source, arguments)]


SAVED = {
    "html": "text/html",
    "tex": "application/x-tex",
    "md": "text/markdown",
    "json": "application/json",
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
}


async def question(request: Request) -> Response:
    """ "40 problems × 6 algorithms, 2 missing": which direction is good? The file may say it."""
    source = request.path_params["source"]
    name = _name(request, source)
    query = request.query_params.multi_items()
    answer = await _facts(request, source, query)
    if "refused" in answer:
        return _unreadable(request, source, name, query, answer)
    if not answer["asks_direction"] or any(key == "better" for key, _ in query):
        place = f"/table/{source}/{_main_view(answer)}"
        return RedirectResponse(place + (f"?{urlencode(query)}" if query else ""), 303)
    fields = [(key, value) for key, value in query if value]
    main = _main_view(answer)
    return html_page(
        "question.html.j2", name=name, source=source, facts=answer, asked=fields, main=main, settings=_settings(request)
    )


async def view(request: Request) -> Response:
    """An analysis with its choices; as a piece of it where htmx asks."""
    source, name = request.path_params["source"], request.path_params["view"]
    return await view_page(request, source, name, request.query_params.multi_items())


async def view_page(
    request: Request, source: str, view_name: str, query: Iterable[tuple[str, str]], first: bool = False
) -> Response:
    """The page of one view."""
    name, query = _name(request, source), list(query)
    view = _view(view_name)
    facts = await _facts(request, source, query)
    if "refused" in facts:
        return _unreadable(request, source, name, query, facts)
    values = view.chosen(query, facts)
    carried = form.carried(view, query)
    if view.directed and facts["asks_direction"] and "better" not in values:
        return RedirectResponse(f"/table/{source}?{urlencode(query)}", 303)
    values = form.with_defaults(view, values, facts)
    known = {**facts, "control": bool(values.get("control"))}
    chosen = {**carried, **values}
    if facts["asks_direction"]:  # else the file says it
        known["better"] = chosen.get("better", (facts["better"],))[0]
    answer = await _answer(request, source, view, values, known)
    address = form.address(source, view.name, chosen)
    variables = {
        "name": name,
        "source": source,
        "view": view,
        "views": form.tabs(VIEWS.values(), view, source, chosen, known),
        "facts": known,
        "found": answer,
        "controls": form.controls(view, values, known),
        "carried": carried,
        "address": address,
        "shell": view.shell(file_argument(name), values, known),
        "python": view.python(name, values, known),
        "advised": form.advised(view, source, chosen, known, answer.get("advice", ())),
        "saves": form.saves(view, source, values, SAVED),
        "beside": [(VIEWS[b], form.part_address(source, VIEWS[b], values, view)) for b in view.beside],
        "examples": EXAMPLES,
        "settings": _settings(request),
        "first": first,
    }
    if request.headers.get("hx-request") == "true" and request.headers.get("hx-history-restore-request") != "true":
        return html_page("view_part.html.j2", 200, {"HX-Push-Url": address, "Vary": "HX-Request"}, **variables)
    return html_page("view.html.j2", 200, {"Vary": "HX-Request"}, **variables)


async def part(request: Request) -> Response:
    """The verdict and the diagram of an analysis beside another one."""
    source, view = request.path_params["source"], _view(request.path_params["view"])
    query = request.query_params.multi_items()
    _name(request, source)
    facts = await _facts(request, source, query)
    if "refused" in facts:
        facts_shown: dict[str, Any] = facts
        values: Values = {}
    else:
        values = form.with_defaults(view, view.chosen(query, facts), facts)
        facts_shown = await _answer(request, source, view, values, facts, brief=True)
    whole = form.address(source, view.name, values)
    return html_page("part.html.j2", view=view, found=facts_shown, address=whole)


async def save(request: Request) -> Response:
    """The file that the command line writes, to the byte."""
    source, suffix = request.path_params["source"], request.path_params["suffix"]
    name, view = _name(request, source), _view(request.path_params["view"])
    if suffix not in SAVED:
        raise HTTPException(404)
    query = request.query_params.multi_items()
    facts = await _facts(request, source, query)
    if "refused" in facts:
        return refused(request, facts["refused"], 422)
    values = form.with_defaults(view, view.chosen(query, facts), facts)
    arguments = view.arguments(file_argument(name), values, facts)
    path = form.report_name(view, name, suffix)
    try:
        answer = await _app_state(request).ask(
            {"ask": "save", "source": source, "arguments": arguments, "path": path}, view.slow
        )
    except NoAnswerError as error:
        return refused(request, str(error), 503)
    if "refused" in answer:
        return refused(request, answer["refused"], 422)
    headers = {"content-disposition": f'attachment; filename="{path}"'}
    return Response(base64.b64decode(answer["content"]), media_type=SAVED[suffix], headers=headers)


async def _answer(
    request: Request, source: str, view: View, values: Values, facts: Any, brief: bool = False
) -> dict[str, Any]:
    """The answer of the command; ``refused`` if it says no."""
    if why := view.why_not(facts) or view.lacking(values):
        return {"refused": why}
    arguments = view.arguments(file_argument(_name(request, source)), values, facts)
    try:
        return await _app_state(request).ask(page_question(source, arguments, brief), view.slow)
    except NoAnswerError as error:
        return {"refused": str(error)}


async def _facts(request: Request, source: str, query: Iterable[tuple[str, str]]) -> dict[str, Any]:
    app_state = _app_state(request)
    reading = form.reading(READING, query)
    try:
        return await app_state.ask(facts_question(source, reading, app_state.settings.cells))
    except NoAnswerError as error:
        return {"refused": str(error)}


def _unreadable(request: Request, source: str, name: str, query: list[tuple[str, str]], answer: Any) -> Response:
    """The message of the command line, and the choices of reading, one of which may help."""
    answer = {"missing": 1, "workbook": name.lower().endswith(".xlsx"), "others": answer.get("columns", ()), **answer}
    values = {c.name: tuple(v for k, v in query if k == c.name and v) for c in READING}
    controls = form.controls_of(READING, {k: v for k, v in values.items() if v}, answer)
    return refused(request, answer["refused"], 422, name=name, source=source, controls=controls)


def _main_view(facts: dict[str, Any]) -> str:
    """The view that a table opens with."""
    return "curves" if facts.get("curves") else "compare"


def _view(name: str) -> View:
    if name not in VIEWS:
        raise HTTPException(404)
    return VIEWS[name]


def _name(request: Request, source: str) -> str:
    name = _app_state(request).uploads.name(source)
    if name is None:
        raise HTTPException(404, "This file is no longer available: choose it again.")
    return name


def _app_state(request: Request) -> AppState:
    app_state: AppState = request.app.state.app_state
    return app_state


def _settings(request: Request) -> Settings:
    return _app_state(request).settings


async def first_page(request: Request) -> Response:
    """The table that the server was started with, else the shipped example with its verdict."""
    app_state = request.app.state.app_state
    if app_state.settings.store is not None:
        return RedirectResponse("/live", 303)
    if app_state.opened is not None:
        direction = "" if app_state.better is None else f"/compare?better={app_state.better}"
        return RedirectResponse(f"/table/{app_state.opened}{direction}", 303)
    return await view_page(request, add_example(app_state, EXAMPLE), "compare", (("better", "lower"),), first=True)


async def upload(request: Request) -> Response:
    """Keep the file; which direction is good is asked on its own page."""
    app_state = request.app.state.app_state
    example = None
    async with request.form(max_files=1, max_fields=8) as form:
        file = form.get("file")
        if isinstance(file, str) or file is None or not file.filename:
            example = str(form.get("example", ""))
        else:
            content = await file.read()
            if not content:
                return refused(request, f"{file.filename} is empty: it has no scores.", 422)
            try:
                return RedirectResponse(f"/table/{app_state.uploads.add(file.filename, content)}", 303)
            except BakeoffError as error:
                return refused(request, str(error), 422)
    if example not in EXAMPLES:
        return refused(request, "No file was chosen. Choose one, then send it.", 422)
    return RedirectResponse(f"/table/{add_example(app_state, example)}", 303)
