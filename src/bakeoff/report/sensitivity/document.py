"""From a Sensitivity to the format-free Document, to JSON, and to columns."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.comparison import catalogue
from bakeoff.report import methods, sections
from bakeoff.report.comparison import sentences as of_comparison
from bakeoff.report.comparison.methods import methods as comparison_methods
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import (
    Block,
    Brief,
    Document,
    Figure,
    Paragraph,
    Points,
    Section,
    Sheets,
    Shown,
    Text,
    numeric,
    words,
)
from bakeoff.report.methods import joined, text
from bakeoff.report.sensitivity.sentences import analysis_words, head, pair_sentence, verdict as verdict
from bakeoff.robustness import SensitivePair, Sensitivity
from bakeoff.robustness.results import decision

SCHEMA = "bakeoff.sensitivity/1"
BRIEF = Brief(title="Pairs that differ", more="that differ", rest="without a shown difference")
GOODMAN = (
    "The share of second experiments estimates how often another sample of as many UNITs like these would give the "
    "same verdict: the power of this test averaged over the effects that the p-value leaves probable, N(0, ½²) "
    "standard deviations a priori [@goodman1992]. It is not a new test: nothing is decided by it."
)


def document(found: Sensitivity, command: str | None = None) -> Document:
    """Sentences, figure, table, and what was varied."""
    return Document(
        title=f"Sensitivity: {sections.sizes(found.scores)}",
        verdict=verdict(found),
        basis=_basis(found),
        sections=sections.present(
            *body(found),
            sections.cautions(found.cautions),
            sections.methods(methods_text(found)),
            sections.references(methods.cited(methods_text(found))),
            sections.provenance(found.scores, command),
        ),
        on_screen=on_screen(found),
        doubts=sections.doubts(found.cautions),
    )


def body(found: Sensitivity) -> list[Section]:
    """The sections that a report of the comparison takes in as well."""
    return [
        Section(
            "sensitivity-figure",
            "How solid are the verdicts?",
            (Figure(found, _basis(found), key="sensitivity"),),
            role="figure",
        ),
        Section("sensitivity", "Would something else have been said?", _sentences(found)),
        Section("solid", "Sensitivity of each pair", tuple(table(found))),
        Section("analyses", "Analyses", _analyses(found)),
    ]


def on_screen(found: Sensitivity) -> tuple[str, ...]:
    """The table only where it is short."""
    return ("sensitivity", *(["solid"] if len(found.pairs) <= sections.FEW_PAIRS else []), "cautions")


def _basis(found: Sensitivity) -> str:
    c = found.comparison
    said = f"Examined: {of_comparison.basis(c)}"
    varied = [f"{len(found.analyses)} analyses", f"each {c.unit} left out"]
    if found.scores.n_algorithms > 2:
        varied.append("each algorithm left out")
    if found.resamples:
        varied.append(f"{found.resamples} second experiments on {numerals.count(c.n_rows, c.unit)}")
    if found.decimals is not None:
        varied.append(f"scores to {numerals.count(found.decimals, 'decimal')}")
    return f"{said} Varied: {', '.join(varied)}."


def _ordered(found: Sensitivity) -> list[SensitivePair]:
    """Decided ones first, the smallest adjusted p first."""
    return sorted(found.pairs, key=lambda pair: (not decision(pair.verdict), pair.adjusted, pair.pvalue))


def _sentences(found: Sensitivity) -> tuple[Block, ...]:
    """Of the differences shown, and of other pairs that something would make differ."""
    chosen = [pair for pair in _ordered(found) if decision(pair.verdict) or not pair.solid]
    points = tuple(("", f"{pair_sentence(found, pair)}.", "") for pair in chosen[: sections.WHOLE])
    blocks: list[Block] = [Points(points) if points else Paragraph((verdict(found),))]
    return (
        (*blocks, Paragraph(text(GOODMAN.replace("UNIT", found.comparison.unit)))) if found.resamples else tuple(blocks)
    )


def table(found: Sensitivity) -> list[Any]:
    """A row per pair."""
    c = found.comparison

    def share(pair: SensitivePair) -> str:
        got = pair.replicability
        return numerals.MISSING if got is None else f"{min(max(100 * got.estimate, 1), 99):.0f} %"

    def fewest(pair: SensitivePair) -> str:
        got = pair.fragility
        if got is None:
            return numerals.MISSING
        if got.n is None:
            return "none" if got.exact else numerals.MISSING
        return str(got.n) if got.exact else f"≤ {got.n}"

    def between(limits: tuple[float, float] | None) -> str:
        if limits is None:
            return numerals.MISSING
        return " to ".join(numerals.pvalue(p, None, c.alpha) for p in limits)

    def alike(pair: SensitivePair) -> str:
        return f"{len(pair.analyses) - len(pair.contradicting)} of {len(pair.analyses)}"

    method = "" if len(found.pairs) == 1 else f" ({catalogue.correction_of(c, c.primary).short})"
    critical = "the pair's own p against the largest raw p that would be rejected, all others as they are"
    shown: list[Shown[SensitivePair]] = [
        words("verdict", "verdict", head, wraps=True),
        numeric("adjusted", f"adjusted p{method}", lambda p: numerals.pvalue(p.adjusted, None, c.alpha), strong=True),
        numeric("analyses", "analyses", alike, rank=1, legend="analyses: how many decide alike."),
        numeric("range", f"without one {c.unit}", lambda p: between(p.adjusted_range), rank=4, legend="Adjusted p."),
        numeric(
            "flips",
            f"{c.unit}s that matter",
            lambda p: str(len(p.flips_without)),
            rank=2,
            legend="Each of them changes the verdict.",
        ),
        numeric("fewest", "fewest removed", fewest, rank=1, legend=f"Fewest removed: {c.unit}s; {critical}."),
    ]
    if found.resamples:
        shown.append(numeric("again", "again", share, legend="Again: in that share of second experiments."))
    if found.scores.n_algorithms > 2:
        shown.append(
            numeric("algorithms", "algorithms that matter", lambda p: str(len(p.flips_without_algorithm)), rank=3)
        )
    if found.decimals is not None:
        shown.append(words("rounded", "one decimal fewer", _rounded, rank=5))
    note = " ".join(column.legend for column, _ in shown if column.legend)

    def caption(n: int, decided: bool) -> str:
        return f"The {n} pairs {'with' if decided else 'without'} a shown difference"

    return sections.in_two(
        _ordered(found),
        shown,
        lambda p: bool(decision(p.verdict)),
        "What would change each verdict",
        caption,
        note,
        BRIEF,
    )


def _rounded(pair: SensitivePair) -> str:
    return numerals.MISSING if pair.rounded is None else "same" if pair.rounded == pair.verdict else pair.rounded


def _analyses(found: Sensitivity) -> tuple[Block, ...]:
    """What was varied, how often each analysis decides otherwise, and what was left out."""
    items = []
    for name in found.analyses:
        other = sum(decision(p.analyses[name]) != decision(p.verdict) for p in found.pairs)
        said = (
            "the one examined"
            if name == found.analyses[0]
            else "decides alike"
            if not other
            else f"decides {other} of {len(found.pairs)} otherwise"
        )
        items.append((analysis_words(name), said, ""))
    blocks: list[Block] = [Points(tuple(items))]
    kept = (
        "Every test of pairs with every correction that keeps the family-wise error rate. z tests on ranks keep it "
        "where all algorithms are alike only; they are here because papers use them. None of this chooses an analysis."
    )
    blocks.append(Paragraph((kept,)))
    if found.left_out:
        left = [
            (analysis_words(name), f"left out: {numerals.plain(why).rstrip('.')}", "")
            for name, why in found.left_out.items()
        ]
        blocks.append(Points(tuple(left)))
    return tuple(blocks)


def methods_text(found: Sensitivity) -> Text:
    """The paragraph of the comparison, and one on what was varied."""
    return joined(comparison_methods(found.comparison), own_methods(found))


def own_methods(found: Sensitivity) -> Text:
    """What was varied."""
    said = [
        f"The sensitivity of each verdict was examined under {len(found.analyses)} analyses (a multiverse "
        f"[@steegen2016], reported and not used to choose one), and by leaving out each {found.comparison.unit}"
        + (" and each algorithm" if found.scores.n_algorithms > 2 else "")
        + f" in turn; by the least number of {found.comparison.unit}s whose removal takes a pair's p-value "
        "across its critical one (after the fragility index [@walsh2014])"
    ]
    if found.resamples:
        said.append(
            f"; and by the probability that a second experiment on as many {found.comparison.unit}s gives the same "
            "verdict, the effect in standard deviations being N(0, ½²) a priori [@goodman1992]"
        )
    if found.decimals is not None:
        said.append(f"; and with scores rounded to {numerals.count(found.decimals, 'decimal')}")
    return text("".join(said) + ".")


def to_dict(found: Sensitivity, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    c, s = found.comparison, found.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "control": c.control,
        "alpha": c.alpha,
        "pairwise": c.pairwise,
        "primary": c.primary,
        "recipe": c.recipe,
        **varied(found),
    }
    return finite(content | origin(s, found.cautions, methods.cited(methods_text(found)), command)) | asked(found)


def varied(found: Sensitivity) -> dict[str, Any]:
    """The part that is about sensitivity, for the report of a comparison too."""
    pairs = [plain_data(pair) | {"sentence": f"{pair_sentence(found, pair)}."} for pair in found.pairs]
    return {
        "analyses": list(found.analyses),
        "left_out": dict(found.left_out),
        "resamples": found.resamples,
        "decimals": found.decimals,
        "pairs": pairs,
    }


def sheets(found: Sensitivity) -> Sheets:
    """A row per pair; the verdict under each analysis."""
    pairs = found.pairs
    columns: dict[str, list[Any]] = {key: [getattr(p, key) for p in pairs] for key in ("a", "b", "verdict", "pvalue")}
    columns |= {key: [getattr(p, key) for p in pairs] for key in ("adjusted", "critical")}
    columns["analyses_alike"] = [len(p.analyses) - len(p.contradicting) for p in pairs]
    columns["flips_without"] = [", ".join(p.flips_without) for p in pairs]
    columns["flips_without_algorithm"] = [", ".join(p.flips_without_algorithm) for p in pairs]
    columns["fewest_removed"] = [p.fragility and p.fragility.n for p in pairs]
    columns["fewest_exact"] = [p.fragility and p.fragility.exact for p in pairs]
    columns["removed"] = ["" if p.fragility is None else ", ".join(p.fragility.problems) for p in pairs]
    columns["replicability"] = [p.replicability and p.replicability.estimate for p in pairs]
    columns["standard_error"] = [p.replicability and p.replicability.standard_error for p in pairs]
    columns["rounded"] = [p.rounded for p in pairs]
    listed = [("a", "b", *found.analyses), *((p.a, p.b, *p.analyses.values()) for p in pairs)]
    return Sheets(pairs=columns, ranking=listed, cautions=found.cautions)
