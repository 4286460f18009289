"""What a screen reader needs and Sphinx or its extensions leave out: no empty header of a table."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

EMPTY = re.compile(r"<th([^>]*)>(?:<p></p>)?</th>")


def without_empty_headers(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    if "body" in context:
        context["body"] = EMPTY.sub(r"<td\1></td>", context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", without_empty_headers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
