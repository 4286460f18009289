"""A result as pieces of a page: its verdict, and the report's own sections without any style of theirs."""

from __future__ import annotations

from typing import Any

from bakeoff.report import document
from bakeoff.reportable import Reportable


def pieces_of(result: Reportable, brief: bool = False) -> dict[str, Any]:
    """``brief``: the verdict, the diagram and the cautions."""
    from bakeoff.report.formats import html

    report = document(result)
    above, below = html.render_strict(report)
    return {
        "title": report.title,
        "verdict": report.verdict,
        "basis": report.basis,
        "above": above,
        "below": "" if brief else below,
    }
