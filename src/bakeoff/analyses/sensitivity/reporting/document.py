"""From a Sensitivity to the format-free Document, to JSON, and to columns."""

from typing import Any

from bakeoff import numerals
from bakeoff.analyses.compare.reporting import sentences as of_comparison
from bakeoff.analyses.compare.reporting.methods import methods as comparison_methods
from bakeoff.analyses.compare.statistics import catalogue
from bakeoff.analyses.sensitivity.reporting.sentences import analysis_words, head, pair_sentence, verdict as verdict
from bakeoff.analyses.sensitivity.statistics import SensitivePair, Sensitivity
from bakeoff.analyses.sensitivity.statistics.results import decision
from bakeoff.report import sections
from bakeoff.report.data import plain_data
from bakeoff.report.document import (
    Block,
    ColumnSpec,
    Figure,
    Paragraph,
    Points,
    Section,
    Table,
    Text,
    number_column,
    text_column,
)
from bakeoff.report.methods import joined, text
from bakeoff.report.reporting import SIZES, Columns, Reporting, sheet_columns

GOODMAN = (
    "The share of second experiments estimates how often another sample of as many UNITs like these would give the "
    "same verdict. It is the power of this test averaged over the effects that the p-value leaves plausible, with "
    "prior N(0, ½²) in standard deviations [@goodman1992]. It is not a new test and decides nothing."
)


def body(result: Sensitivity) -> list[Section | None]:
    """Figure, sentences, the table of pairs, the analyses."""
    drawn = Figure(result, _basis(result), key="sensitivity")
    return [
        sections.figure("How solid are the verdicts?", drawn, "sensitivity-figure"),
        Section("sensitivity", "Would another analysis give another verdict?", _sentences(result)),
        Section("solid", "Sensitivity of each pair", tuple(table(result))),
        Section("analyses", "Analyses", _analyses(result)),
    ]


def _basis(result: Sensitivity) -> str:
    c = result.comparison
    sentence = f"Examined: {of_comparison.basis(c)}"
    varied = [f"{len(result.analyses)} analyses", f"each {c.unit} left out"]
    if result.scores.n_algorithms > 2:
        varied.append("each algorithm left out")
    if result.n_resamples:
        varied.append(f"{result.n_resamples} second experiments on {numerals.count(c.n_rows, c.unit)}")
    if result.decimals is not None:
        varied.append(f"scores to {numerals.count(result.decimals, 'decimal')}")
    return f"{sentence} Varied: {', '.join(varied)}."


def _ordered(result: Sensitivity) -> list[SensitivePair]:
    """Decided ones first, the smallest adjusted p first."""
    return sorted(result.pairs, key=lambda pair: (not decision(pair.verdict), pair.adjusted, pair.pvalue))


def _sentences(result: Sensitivity) -> tuple[Block, ...]:
    """Describe the differences shown, and other pairs that some change would make differ."""
    chosen = [pair for pair in _ordered(result) if decision(pair.verdict) or not pair.solid]
    points = tuple(("", f"{pair_sentence(result, pair)}.", "") for pair in chosen[: sections.WHOLE])
    blocks: list[Block] = [Points(points) if points else Paragraph((verdict(result),))]
    if result.n_resamples:
        blocks.append(Paragraph(text(GOODMAN.replace("UNIT", result.comparison.unit))))
    return tuple(blocks)


def table(result: Sensitivity) -> list[Table]:
    """A row per pair."""
    c = result.comparison

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

    method = "" if len(result.pairs) == 1 else f" ({catalogue.correction_of(c, c.primary).short})"
    critical = "the pair's own p against the largest raw p that would be rejected, all others as they are"
    shown: list[ColumnSpec[SensitivePair]] = [
        text_column("verdict", "verdict", head, wraps=True),
        number_column(
            "adjusted", f"adjusted p{method}", lambda p: numerals.pvalue(p.adjusted, None, c.alpha), strong=True
        ),
        number_column("analyses", "analyses", alike, rank=1, legend="analyses: how many give the same verdict."),
        number_column(
            "range", f"without one {c.unit}", lambda p: between(p.adjusted_range), rank=4, legend="Adjusted p."
        ),
        number_column(
            "flips",
            f"{c.unit}s that matter",
            lambda p: str(len(p.flips_without)),
            rank=2,
            legend="Each of them changes the verdict.",
        ),
        number_column("fewest", "fewest removed", fewest, rank=1, legend=f"Fewest removed: {c.unit}s; {critical}."),
    ]
    if result.n_resamples:
        shown.append(number_column("again", "again", share, legend="Again: in that share of second experiments."))
    if result.scores.n_algorithms > 2:
        shown.append(
            number_column("algorithms", "algorithms that matter", lambda p: str(len(p.flips_without_algorithm)), rank=3)
        )
    if result.decimals is not None:
        shown.append(text_column("rounded", "one decimal fewer", _rounded, rank=5))
    return sections.split_by_decision(_ordered(result), shown, _decided, "What would change each verdict")


def _decided(pair: SensitivePair) -> bool:
    return bool(decision(pair.verdict))


def _rounded(pair: SensitivePair) -> str:
    return numerals.MISSING if pair.rounded is None else "same" if pair.rounded == pair.verdict else pair.rounded


def _analyses(result: Sensitivity) -> tuple[Block, ...]:
    """List what was varied, how often each analysis decides otherwise, and what was left out."""
    items = []
    for name in result.analyses:
        other = sum(decision(p.analyses[name]) != decision(p.verdict) for p in result.pairs)
        words = (
            "the one examined"
            if name == result.analyses[0]
            else "decides the same"
            if not other
            else f"decides {other} of {len(result.pairs)} otherwise"
        )
        items.append((analysis_words(name), words, ""))
    blocks: list[Block] = [Points(tuple(items))]
    kept = (
        "Every test of pairs with every correction that keeps the family-wise error rate. Rank-based z tests control "
        "it only if no two algorithms differ; they are listed because papers use them. None of this is used to "
        "choose an analysis."
    )
    blocks.append(Paragraph((kept,)))
    if result.left_out:
        left = [
            (analysis_words(name), f"left out: {numerals.plain(why).rstrip('.')}", "")
            for name, why in result.left_out.items()
        ]
        blocks.append(Points(tuple(left)))
    return tuple(blocks)


def methods_text(result: Sensitivity) -> Text:
    """The paragraph of the comparison, and one on what was varied."""
    return joined(comparison_methods(result.comparison), _varied(result))


def _varied(result: Sensitivity) -> Text:
    """The paragraph on what was varied."""
    parts = [
        f"The sensitivity of each verdict was examined under {len(result.analyses)} analyses (a multiverse "
        f"[@steegen2016], reported and not used to choose one), and by leaving out each {result.comparison.unit}"
        + (" and each algorithm" if result.scores.n_algorithms > 2 else "")
        + f" in turn; by the smallest number of {result.comparison.unit}s whose removal takes a pair's p-value "
        "across its critical one (after the fragility index [@walsh2014])"
    ]
    if result.n_resamples:
        parts.append(
            f"; and by the probability that a second experiment on as many {result.comparison.unit}s gives the same "
            "verdict, the effect in standard deviations being N(0, ½²) a priori [@goodman1992]"
        )
    if result.decimals is not None:
        parts.append(f"; and with scores rounded to {numerals.count(result.decimals, 'decimal')}")
    return text("".join(parts) + ".")


def _on_screen(result: Sensitivity) -> tuple[str, ...]:
    """The table only where it is short."""
    return ("sensitivity", *sections.if_few(result.pairs, "solid"))


def _pairs(result: Sensitivity) -> list[dict[str, Any]]:
    return [plain_data(pair) | {"sentence": f"{pair_sentence(result, pair)}."} for pair in result.pairs]


def _of_pairs(result: Sensitivity) -> Columns:
    """A row per pair."""
    return sheet_columns(
        result.pairs,
        *("a", "b", "verdict", "pvalue", "adjusted", "critical"),
        ("analyses_alike", lambda p: len(p.analyses) - len(p.contradicting)),
        ("flips_without", lambda p: ", ".join(p.flips_without)),
        ("flips_without_algorithm", lambda p: ", ".join(p.flips_without_algorithm)),
        ("fewest_removed", "fragility.n"),
        ("fewest_exact", "fragility.exact"),
        ("removed", lambda p: "" if p.fragility is None else ", ".join(p.fragility.problems)),
        ("replicability", "replicability.estimate"),
        *("replicability.standard_error", "rounded"),
    )


REPORT = Reporting[Sensitivity](
    title=lambda result: f"Sensitivity: {sections.sizes(result.scores)}",
    verdict=verdict,
    basis=_basis,
    body=body,
    on_screen=_on_screen,
    methods=methods_text,
    keys=(
        *(*SIZES, "comparison.control", "comparison.alpha", "comparison.pairwise", "comparison.primary"),
        *("comparison.recipe", "analyses", "left_out", "n_resamples", "decimals", ("pairs", _pairs)),
    ),
    main=_of_pairs,
    second=lambda result: [("a", "b", *result.analyses), *((p.a, p.b, *p.analyses.values()) for p in result.pairs)],
)
