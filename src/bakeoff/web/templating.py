"""Templates to pages."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse

from bakeoff.errors import counted, plain
from bakeoff.web.static_files import HERE, address_of

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDERS = (HERE / "templates", HERE / "live" / "templates")


@cache
def environment() -> Environment:
    """Everything is escaped; a variable that does not exist is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from bakeoff.report.formats.html import unbroken

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
