"""The report of a comparison with a leaderboard in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bakeoff.leaderboards import RankedComparison
from bakeoff.report import methods, sections
from bakeoff.report.comparison import document as of_comparison
from bakeoff.report.comparison.methods import cited_keys, methods as comparison_methods
from bakeoff.report.data import finite, plain_data
from bakeoff.report.document import Document, Section, Sheets
from bakeoff.report.leaderboard import document as of_leaderboard, sentences


def verdict(found: RankedComparison) -> str:
    """That of the comparison."""
    return of_comparison.verdict(found.comparison)


def document(found: RankedComparison, command: str | None = None) -> Document:
    """The comparison, then the leaderboard, then methods and references of both."""
    whole = of_comparison.document(found.comparison, command)
    own = found.leaderboard.cautions
    said = methods.joined(comparison_methods(found.comparison), sentences.methods(found.leaderboard))
    made: list[Section] = []
    for section in whole.sections:
        if section.key == "cautions":
            continue
        if section.key == "methods":
            cautions = sections.cautions((*found.comparison.cautions, *own))
            made += [*of_leaderboard.board_sections(found.leaderboard), *([cautions] if cautions else [])]
            made.append(sections.methods(said))
        elif section.key == "references":
            made.append(sections.references(methods.cited(said, *cited_keys(found.comparison))))
        else:
            made.append(section)
    shown = [key for key in whole.on_screen if key != "cautions"]
    doubts = sections.doubts((*found.comparison.cautions, *own))
    return replace(whole, sections=tuple(made), on_screen=(*shown, "standings", "winner", "cautions"), doubts=doubts)


def to_dict(found: RankedComparison, command: str | None = None) -> dict[str, Any]:
    """The content of the comparison, and ``leaderboard``."""
    board = found.leaderboard
    more = of_leaderboard.content(board) | {"request": plain_data(board.request)}
    whole = of_comparison.to_dict(found.comparison, command)
    return whole | {"leaderboard": finite(more | {"cautions": plain_data(list(board.cautions))})}


def sheets(found: RankedComparison) -> Sheets:
    """Those of the comparison."""
    whole = of_comparison.sheets(found.comparison)
    return replace(whole, cautions=(*whole.cautions, *found.leaderboard.cautions))
