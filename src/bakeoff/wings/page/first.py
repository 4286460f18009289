"""The questions of the first page, asked before the address is printed."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

EXAMPLE = "derrac_cec2005"
EXAMPLES = {
    "derrac_cec2005": "9 optimisers on the 25 functions of CEC’2005 (mean error, lower is better)",
    "demsar_2006": "4 variants of C4.5 on 14 data sets (AUC, higher is better)",
    "garcia_2010": "4 classifiers on 24 data sets (accuracy, higher is better)",
}


def add_example(desk: Any, name: str) -> str:
    """A shipped table among the uploads; its identifier."""
    source: str = desk.uploads.add(f"{name}.csv", files("bakeoff.datasets").joinpath(f"{name}.csv").read_bytes())
    return source


def facts_question(source: str, reading: dict[str, Any], cells: int) -> dict[str, Any]:
    return {"ask": "facts", "source": source, "reading": reading, "cells": cells}


def page_question(source: str, arguments: list[str], brief: bool = False) -> dict[str, Any]:
    return {"ask": "page", "source": source, "arguments": arguments, "brief": brief}


def first_questions(desk: Any) -> list[dict[str, Any]]:
    """Of the table that was named, else of the example with its verdict."""
    cells = desk.settings.cells
    if desk.settings.store is not None:
        return []
    if desk.opened is not None:
        return [facts_question(desk.opened, {}, cells)]
    source = add_example(desk, EXAMPLE)
    arguments = ["compare", f"{EXAMPLE}.csv", "--better", "lower"]
    return [facts_question(source, {}, cells), page_question(source, arguments)]
