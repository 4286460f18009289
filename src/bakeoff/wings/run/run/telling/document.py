"""From the result of ``bo.run`` to the format-free Document: Algorithm 2 of Campelo & Takahashi (2019) as a report."""

from bakeoff import numerals
from bakeoff.report import sections
from bakeoff.report.document import Block, Figure, Paragraph, Points, Section
from bakeoff.report.sections import one_block
from bakeoff.report.telling import Telling
from bakeoff.wings.run.analysis.normality_checks import Checks
from bakeoff.wings.run.analysis.power_profile import power_curve
from bakeoff.wings.run.results import RunResult
from bakeoff.wings.run.run.figure.quantiles import MeansPlot, QuantilePlot
from bakeoff.wings.run.run.telling import sentences, tables
from bakeoff.wings.run.run.telling.data import content, known_cautions, protocol
from bakeoff.wings.run.run.telling.methods import cited_keys, methods
from bakeoff.wings.run.run.telling.sentences import verdict as verdict

CHECKED = 3  # pairs whose checks are drawn


def _drawable(result: RunResult) -> bool:
    if len(result.analysis.pairs) > 1:
        return any(p.effect is not None for p in result.analysis.pairs)
    return any(e.difference is not None for e in result.estimates)


def _power(result: RunResult) -> tuple[Block, ...]:
    sentence = Points(tuple((term, text, "") for term, text in sentences.power_sentence(result)))
    q, n = result.analysis.question, result.analysis.power_profile.n_problems
    curve = power_curve(q, n, len(result.algorithms)) if n >= 2 else None
    return (sentence, *([Figure(curve, "Power against the true effect.", key="power", small=True)] if curve else []))


def _checks(result: RunResult) -> Section | None:
    """Shown and never acted on."""
    pairs = [(p, p.checks) for p in result.analysis.pairs if p.checks is not None and len(p.differences) > 2]
    if not pairs:
        return None
    start = "The test was chosen before the first run; nothing here changes it. "
    if result.analysis.question.test == "wilcoxon":
        start += "The signed-rank test assumes symmetric differences, not normal ones."
    else:
        start += "The t-test assumes that the mean of the differences is normal."
    several = len(result.analysis.pairs) > 1
    named = [(f"{numerals.plain(p.a)} – {numerals.plain(p.b)}" if several else "", c) for p, c in pairs]
    blocks: list[Block] = [Paragraph((start,)), Points(tuple((name, _said(c), "") for name, c in named))]
    for i, (name, c) in enumerate([drawn for drawn in named if _can_be_drawn(drawn[1])][:CHECKED], start=1):
        who = f"{name}: " if name else ""
        qq = QuantilePlot(
            normal_quantiles=c.normal_quantiles,
            ordered=c.ordered,
            caption=f"{who}Normal QQ plot of the differences on {len(c.ordered)} problems; dashed: a normal sample "
            "with this mean and spread.",
        )
        means = MeansPlot(
            means=c.bootstrap_means,
            unit="mean difference",
            caption=f"{who}{len(c.bootstrap_means)} bootstrapped means (Algorithm 3); dashed: the normal distribution.",
        )
        blocks += [
            Figure(qq, qq.caption, key=f"quantiles-{i}", small=True),
            Figure(means, means.caption, key=f"means-{i}", small=True),
        ]
    return Section("checks", "Do the assumptions hold?", tuple(blocks), role="aside")


def _can_be_drawn(checks: Checks) -> bool:
    """Numbers near the ends of the scale have no axis with numbers on it."""
    size = max(abs(float(checks.ordered[0])), abs(float(checks.ordered[-1])))
    return 1e-100 < size < 1e100


def _said(c: Checks) -> str:
    parts = []
    if c.shapiro is not None:
        w, phrase = numerals.decimals(c.shapiro.statistic, 3), numerals.p_phrase(c.shapiro.pvalue)
        parts.append(f"Shapiro–Wilk W = {w}, {phrase} (a large p does not show normality)")
    if c.skewness is not None:
        parts.append(f"skewness {numerals.decimals(c.skewness, 2)}")
    if c.bootstrap_skewness is not None:
        parts.append(f"of the bootstrapped means {numerals.decimals(c.bootstrap_skewness, 2)}")
    return ", ".join(parts) + "." if parts else "All differences are equal."


def _body(result: RunResult) -> list[Section | None]:
    drawn = Figure(result, "Differences with intervals.") if _drawable(result) else None
    return [
        sections.figure("Differences", drawn),
        sections.cautions(known_cautions(result)),
        one_block("pairs", "Which is better, and by how much", tables.effects(result)),
        Section("power", "Was the experiment large enough?", _power(result)),
        one_block("looks", "Looks", tables.looks(result), "aside"),
        _checks(result),
        one_block("problems", "Problem by problem", tables.problems(result)),
    ]


TELLING = Telling[RunResult](
    schema="bakeoff.experiment/1",
    verdict=verdict,
    basis=sentences.basis,
    body=_body,
    on_screen=("power", "pairs"),
    methods=methods,
    works=cited_keys,
    keys=content,
    cautions=known_cautions,
    more=protocol,
    source=None,
    main=tables.pair_columns,
    second=tables.mean_scores,
)
