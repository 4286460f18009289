"""A result as pieces of a page: its verdict, and the report's own sections without any style of theirs."""

from __future__ import annotations

import re
from typing import Any

from bakeoff.report import document
from bakeoff.reportable import Reportable

_ADVICE = re.compile(r"""\b([a-z_]+)=["']?([\w-]+)["']?""")
"""A choice that a caution names: ``pairwise="sign"``."""


def pieces_of(result: Reportable, brief: bool = False) -> dict[str, Any]:
    """``brief``: the verdict, the diagram and the cautions."""
    from bakeoff.report.formats import html

    report = document(result)
    above, below = html.render_strict(report)
    cautions = (*getattr(result, "cautions", ()), *getattr(result, "added", ()))
    return {
        "advice": list(dict.fromkeys(pair for caution in cautions for pair in _ADVICE.findall(caution.text))),
        "title": report.title,
        "verdict": report.verdict,
        "basis": report.basis,
        "above": above,
        "below": "" if brief else below,
    }
