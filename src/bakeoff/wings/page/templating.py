"""Templates to pages."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse

from bakeoff.errors import counted, plain
from bakeoff.wings.page.static_files import HERE, address_of

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

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
