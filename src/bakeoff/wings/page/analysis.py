"""The start page, the upload, and the pages of a table: which direction is good, choices of an analysis, files."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bakeoff.errors import BakeoffError
from bakeoff.wings.page import form
from bakeoff.wings.page.app_state import EXAMPLE, EXAMPLES, AppState, facts_question, page_question
from bakeoff.wings.page.calculators import NoAnswerError
from bakeoff.wings.page.templating import html_page, refused
from bakeoff.wings.page.uploads import file_argument
from bakeoff.wings.page.views import VIEWS, View
from bakeoff.wings.page.views.view import READING, Values

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
    source, name, query, answer = await _asked(request)
    if "refused" in answer:
        return _unreadable(request, source, name, query, answer)
    if not answer["asks_direction"] or any(key == "better" for key, _ in query):
        place = f"/table/{source}/{_main_view(answer)}"
        return RedirectResponse(place + (f"?{urlencode(query)}" if query else ""), 303)
    fields = [(key, value) for key, value in query if value]
    main = _main_view(answer)
    settings = _app_state(request).settings
    return html_page(
        "question.html.j2", name=name, source=source, facts=answer, asked=fields, main=main, settings=settings
    )


async def view(request: Request) -> Response:
    """An analysis with its choices; as a piece of it where htmx asks."""
    return await _view_page(request, _view(request), *await _asked(request))


async def _view_page(
    request: Request,
    view: View,
    source: str,
    name: str,
    query: list[tuple[str, str]],
    facts: dict[str, Any],
    first: bool = False,
) -> Response:
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
    tabs, more = form.tabs(view, source, chosen, known)
    variables = {
        "name": name,
        "source": source,
        "view": view,
        "tabs": tabs,
        "more": more,
        "earlier": _seen_before(request, source, view, answer),
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
        "settings": _app_state(request).settings,
        "first": first,
    }
    if request.headers.get("hx-request") == "true" and request.headers.get("hx-history-restore-request") != "true":
        return html_page("view_part.html.j2", 200, {"HX-Push-Url": address, "Vary": "HX-Request"}, **variables)
    return html_page("view.html.j2", 200, {"Vary": "HX-Request"}, **variables)


def _seen_before(request: Request, source: str, view: View, answer: dict[str, Any]) -> str:
    """The first analysis of this table whose verdict was shown, if that was another one; empty if this is it."""
    if "refused" in answer or not view.of_table:
        return ""
    first = _app_state(request).first_analyses.setdefault(source, view.title)
    return "" if first == view.title else first


async def part(request: Request) -> Response:
    """The verdict and the diagram of an analysis beside another one."""
    view, (source, _, query, found) = _view(request), await _asked(request)
    values: Values = {}
    if "refused" not in found:
        values = form.with_defaults(view, view.chosen(query, found), found)
        found = await _answer(request, source, view, values, found, brief=True)
    return html_page("part.html.j2", view=view, found=found, address=form.address(source, view.name, values))


async def save(request: Request) -> Response:
    """The file that the command line writes, to the byte."""
    view, suffix = _view(request), request.path_params["suffix"]
    if suffix not in SAVED:
        raise HTTPException(404)
    source, name, query, facts = await _asked(request)
    if "refused" in facts:
        return refused(request, facts["refused"], 422)
    values = form.with_defaults(view, view.chosen(query, facts), facts)
    arguments = view.arguments(file_argument(name), values, facts)
    path = form.report_name(view, name, suffix)
    question = {"ask": "save", "source": source, "arguments": arguments, "path": path}
    try:
        answer = await _app_state(request).ask(question, view.slow)
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


async def _asked(request: Request) -> tuple[str, str, list[tuple[str, str]], dict[str, Any]]:
    """The table in the address: its identifier and name, the choices, and its facts."""
    source, query = request.path_params["source"], request.query_params.multi_items()
    return source, _name(request, source), query, await _facts(request, source, query)


async def _facts(request: Request, source: str, query: Iterable[tuple[str, str]]) -> dict[str, Any]:
    app_state = _app_state(request)
    try:
        return await app_state.ask(facts_question(source, form.reading(READING, query), app_state.settings.cells))
    except NoAnswerError as error:
        return {"refused": str(error)}


def _unreadable(request: Request, source: str, name: str, query: list[tuple[str, str]], answer: Any) -> Response:
    """The message of the command line, and the choices of reading, one of which may help."""
    answer = {"missing": 1, "others": answer.get("columns", ()), **answer}
    values = {c.name: tuple(v for k, v in query if k == c.name and v) for c in READING}
    controls = form.controls_of(READING, {k: v for k, v in values.items() if v}, answer)
    sheets = answer.get("sheets", ()) if len(answer.get("sheets", ())) > 1 else ()
    more = {"name": name, "source": source, "controls": controls, "sheets": sheets}
    return refused(request, answer["refused"], 422, **more, asked=[(k, v) for k, v in query if v and k != "sheet"])


def _main_view(facts: dict[str, Any]) -> str:
    """The view that a table opens with."""
    return "curves" if facts.get("curves") else "compare"


def _view(request: Request) -> View:
    view = VIEWS.get(request.path_params["view"])
    if view is None:
        raise HTTPException(404)
    return view


def _name(request: Request, source: str) -> str:
    name = _app_state(request).uploads.name(source)
    if name is None:
        raise HTTPException(404, "This file is no longer available: choose it again.")
    return name


def _app_state(request: Request) -> AppState:
    app_state: AppState = request.app.state.app_state
    return app_state


async def first_page(request: Request) -> Response:
    """The table that the server was started with, else the shipped example with its verdict."""
    app_state = _app_state(request)
    if app_state.settings.store is not None:
        return RedirectResponse("/live", 303)
    if app_state.opened is not None:
        direction = "" if app_state.better is None else f"/compare?better={app_state.better}"
        return RedirectResponse(f"/table/{app_state.opened}{direction}", 303)
    source, query = app_state.add_example(EXAMPLE), [("better", "lower")]
    facts = await _facts(request, source, query)
    return await _view_page(request, VIEWS["compare"], source, f"{EXAMPLE}.csv", query, facts, first=True)


async def upload(request: Request) -> Response:
    """Keep the file; which direction is good is asked on its own page."""
    app_state, example = _app_state(request), None
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
    return RedirectResponse(f"/table/{app_state.add_example(example)}", 303)
