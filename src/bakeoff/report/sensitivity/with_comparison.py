"""The report of a comparison with that of its sensitivity in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bakeoff.report import methods, sections
from bakeoff.report.comparison import document as of_comparison
from bakeoff.report.comparison.methods import cited_keys, methods as comparison_methods
from bakeoff.report.data import finite, plain_data
from bakeoff.report.document import Document, Section, Sheets
from bakeoff.report.sensitivity import document as of_sensitivity
from bakeoff.robustness import ExaminedComparison


def verdict(found: ExaminedComparison) -> str:
    """That of the comparison."""
    return of_comparison.verdict(found.comparison)


def document(found: ExaminedComparison, command: str | None = None) -> Document:
    """The comparison, then the sensitivity of its verdicts, then methods and references of both."""
    whole = of_comparison.document(found.comparison, command)
    own = of_sensitivity.body(found.sensitivity)
    cautions = sections.cautions((*found.comparison.cautions, *found.sensitivity.own_cautions))
    said = methods.joined(comparison_methods(found.comparison), of_sensitivity.own_methods(found.sensitivity))
    made: list[Section] = []
    for section in whole.sections:
        if section.key == "cautions":
            continue
        if section.key == "methods":
            made += [*own, *([cautions] if cautions else []), sections.methods(said)]
        elif section.key == "references":
            keys = methods.cited(said, *cited_keys(found.comparison))
            made.append(sections.references(keys))
        else:
            made.append(section)
    shown = [key for key in whole.on_screen if key != "cautions"]
    return replace(whole, sections=tuple(made), on_screen=(*shown, *of_sensitivity.on_screen(found.sensitivity)))


def to_dict(found: ExaminedComparison, command: str | None = None) -> dict[str, Any]:
    """The content of the comparison, and ``sensitivity``."""
    content = of_comparison.to_dict(found.comparison, command)
    examined = of_sensitivity.varied(found.sensitivity)
    own = found.sensitivity.own_cautions
    asked = {name: found.sensitivity.request[name] for name in ("resamples", "rng")}
    more = {"verdict": of_sensitivity.verdict(found.sensitivity), **examined, "request": asked}
    return content | {"sensitivity": finite(more | {"cautions": plain_data(list(own))})}


def sheets(found: ExaminedComparison) -> Sheets:
    """The columns of both, pair by pair."""
    whole, own = of_comparison.sheets(found.comparison), of_sensitivity.sheets(found.sensitivity)
    return replace(
        whole, pairs={**own.pairs, **whole.pairs}, cautions=(*whole.cautions, *found.sensitivity.own_cautions)
    )
