"""The first page, the upload, and what is said where there is nothing."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from bakeoff.errors import BakeoffError
from bakeoff.wings.page.analysis import view_page
from bakeoff.wings.page.first import EXAMPLE, EXAMPLES, add_example
from bakeoff.wings.page.refusals import refused


async def first_page(request: Request) -> Response:
    """The table that the server was started with, else the shipped example with its verdict."""
    desk = request.app.state.desk
    if desk.settings.store is not None:
        return RedirectResponse("/live", 303)
    if desk.opened is not None:
        direction = "" if desk.better is None else f"/compare?better={desk.better}"
        return RedirectResponse(f"/table/{desk.opened}{direction}", 303)
    return await view_page(request, add_example(desk, EXAMPLE), "compare", (("better", "lower"),), first=True)


async def upload(request: Request) -> Response:
    """Keep the file; which direction is good is asked on its own page."""
    desk = request.app.state.desk
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
                return RedirectResponse(f"/table/{desk.uploads.add(file.filename, content)}", 303)
            except BakeoffError as error:
                return refused(request, str(error), 422)
    if example not in EXAMPLES:
        return refused(request, "No file was chosen. Choose one, then send it.", 422)
    return RedirectResponse(f"/table/{add_example(desk, example)}", 303)
