"""From Curves to the format-free Document, to JSON, and to columns."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.anytime import CurvePair, Curves, CurveTable
from bakeoff.anytime.segments import budget_text
from bakeoff.report import methods, sections
from bakeoff.report.curves import sentences
from bakeoff.report.curves.sentences import differs_somewhere, verdict as verdict
from bakeoff.report.data import finite, origin, plain_data
from bakeoff.report.document import Brief, Document, Figure, Section, Sheets, Shown, Table, numeric, tabulate, words

SCHEMA = "bakeoff.curves/1"
BRIEF = Brief(title="Pairs that differ", more="that differ", rest="without a shown difference")


def document(found: Curves, command: str | None = None) -> Document:
    """The curves, where they differ, and the area under them."""
    told = sentences.methods(found)
    caption = f"Means over problems; {methods.direction(found.scores)}"
    return Document(
        title=f"Curves: {sections.sizes(found.scores)}",
        verdict=verdict(found),
        basis=sentences.basis(found),
        sections=sections.present(
            sections.figure("Curves", Figure(found, caption, key="curves"), "curves-figure"),
            Section("areas", "Area under the curve", (areas(found),)),
            Section("pairs", "Each pair", tuple(pairs(found))),
            sections.cautions(found.cautions),
            sections.methods(told),
            sections.references(methods.cited(told)),
            sections.provenance(found.scores, command),
        ),
        on_screen=("areas", *(["pairs"] if len(found.pairs) <= sections.FEW_PAIRS else []), "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def areas(found: Curves) -> Table:
    """A row per algorithm, the best area first."""
    order = found.ranked
    means = found.means
    texts = {
        key: dict(zip(order, numerals.alike([float(x) for x in values[order]]), strict=True))
        for key, values in (("area", found.areas), ("first", means[:, 0]), ("last", means[:, -1]))
    }
    names, unit = found.table.algorithms, numerals.plain(found.table.budget_name)
    low, high = (budget_text(float(found.t[i])) for i in (0, -1))
    what = sentences.scores_words(found)
    shown: list[Shown[int]] = [
        words("name", "algorithm", lambda j: numerals.plain(names[j])),
        numeric("area", "area", lambda j: texts["area"][j], strong=True),
        numeric("first", f"at {low}", lambda j: texts["first"][j], rank=1),
        numeric("last", f"at {high}", lambda j: texts["last"][j]),
    ]
    axis = f"the logarithm of {unit}" if found.table.spacing == "log" else unit
    note = (
        f"Means over problems of the {what}. Area: mean height over {axis}, from {low} to {high}. The order shows no "
        "difference; the pairs below do."
    )
    return tabulate("areas", "Mean curves in numbers, the best area first", shown, order, note=note)


def pairs(found: Curves) -> list[Table]:
    """A row per pair."""
    alpha = found.alpha
    shown: list[Shown[CurvePair]] = [
        words("pair", "pair", lambda p: f"{numerals.plain(p.a)} – {numerals.plain(p.b)}", wraps=True),
        words("verdict", "verdict", lambda p: p.verdict, wraps=True),
        numeric("adjusted", "smallest adjusted p", lambda p: numerals.pvalue(float(p.adjusted.min()), None, alpha)),
        numeric("last", "difference at the end", lambda p: numerals.score(float(p.difference[-1])), rank=1),
    ]
    note = (
        f"Adjusted over all pairs and budgets. Between two budgets of the grid ({len(found.t)} of them) a verdict is "
        "about the grid alone. Differences are positive where the first is better."
        if not found.table.whole
        else "Adjusted over all pairs and budgets. Differences are positive where the first is better."
    )

    def caption(n: int, differing: bool) -> str:
        return f"The {n} pairs {'with' if differing else 'without'} a shown difference"

    return sections.in_two(found.pairs, shown, differs_somewhere, "Where which one is better", caption, note, BRIEF)


def to_dict(found: Curves, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want, and the curves that it was computed from."""
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": found.table.better,
        "n_problems": found.scores.n_problems,
        "n_algorithms": found.scores.n_algorithms,
        "n_units": found.n_units,
        "unit": found.unit,
        "control": found.control,
        "alpha": found.alpha,
        "exact": found.exact,
        "t": found.t.tolist(),
        "areas": dict(zip(found.table.algorithms, found.areas.tolist(), strict=True)),
        "pairs": plain_data(list(found.pairs)),
    }
    whence = origin(found.scores, found.cautions, methods.cited(sentences.methods(found)), command)
    asked = {
        "request": plain_data(found.request),
        "added_cautions": plain_data(list(found.added)),
        "curves": curves_data(found.table),
    }
    return finite(content | whence | asked)


def curves_data(table: CurveTable) -> dict[str, Any]:
    """The curves on the grid; ``values``: problems × algorithms × budgets."""
    data: dict[str, Any] = plain_data(table)
    return data


def sheets(found: Curves) -> Sheets:
    """A row per pair and stretch; the areas as a ranking."""
    keys = ("a", "b", "low", "high", "better", "smallest adjusted p", "verdict")
    rows = []
    for p in found.pairs:
        least = float(p.adjusted.min())
        stretches: list[tuple[Any, ...]] = [(s.low, s.high, p.a if s.better == "a" else p.b) for s in p.segments]
        rows += [(p.a, p.b, *each, least, p.verdict) for each in stretches or [(None, None, None)]]
    names, means, under = found.table.algorithms, found.means, found.areas
    listed: list[tuple[Any, ...]] = [("algorithm", "area", "at the first budget", "at the last budget")]
    listed += [(names[j], float(under[j]), float(means[j, 0]), float(means[j, -1])) for j in found.ranked]
    columns = {key: [row[i] for row in rows] for i, key in enumerate(keys)}
    return Sheets(pairs=columns, ranking=listed, cautions=found.cautions)
