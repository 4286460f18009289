"""From the result of ``bo.run`` to the format-free Document: Algorithm 2 of Campelo & Takahashi (2019) as a report."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.figures.geometry.experiment.quantiles import MeansPlot, QuantilePlot
from bakeoff.report.comparison.document import cautions_section, provenance_section, references_section, sizes
from bakeoff.report.comparison.methods import joined, software
from bakeoff.report.document import Cite, Document, Figure, Paragraph, Points, Section, Text
from bakeoff.report.experiment import sentences, tables
from bakeoff.running.analysis.power_profile import power_curve

CHECKED = 3  # pairs whose checks are drawn; a page of more is no longer looked at
KEYS = {"t": ("student1908",), "wilcoxon": ("wilcoxon1945",), "sign": ("dixonmood1946",)}


def document(result: Any, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    found = result.analysis
    looks = tables.looks(result)
    drawn = (Figure(result, "Differences with intervals."),) if _drawable(result) else ()
    sections = [
        Section(key="diagram", title="Differences", blocks=drawn) if drawn else None,
        cautions_section((*found.cautions, *result.cautions)),
        Section(key="pairs", title="Which is better, and by how much", blocks=(tables.effects(result),)),
        Section(key="power", title="Was the experiment large enough?", blocks=_power(result)),
        None if looks is None else Section(key="looks", title="Looks", blocks=(looks,)),
        _checks(result),
        Section(key="problems", title="What is known of each problem", blocks=(tables.problems(result),)),
        Section(key="methods", title="Methods, ready to paste", blocks=(Paragraph(methods(result)),)),
        references_section(cited_keys(result)),
        provenance_section(result.scores, command),
    ]
    return Document(
        title=sizes(result.scores),
        verdict=sentences.verdict(result),
        basis=sentences.basis(result),
        sections=tuple(section for section in sections if section is not None),
        read_first=("power",),
    )


def _drawable(result: Any) -> bool:
    if len(result.analysis.pairs) > 1:
        return any(p.effect is not None for p in result.analysis.pairs)
    return any(e.difference is not None for e in result.estimates)


def _power(result: Any) -> tuple[Any, ...]:
    said = Points(tuple((term, text, "") for term, text in sentences.power(result)))
    q, n = result.analysis.question, result.analysis.power_profile.n_problems
    curve = power_curve(q, n, len(result.algorithms)) if n >= 2 else None
    if curve is None:
        return (said,)
    return (said, Figure(curve, "Power against the true effect.", key="power"))


def _checks(result: Any) -> Section | None:
    """Shown and never acted on."""
    pairs = [p for p in result.analysis.pairs if p.checks is not None and len(p.differences) > 2]
    if not pairs:
        return None
    start = "The test was chosen before the first run and stays, whatever is seen here. "
    if result.analysis.question.test == "wilcoxon":
        start += "The signed-rank test assumes differences that are symmetric, not normal ones."
    else:
        start += "The t-test assumes that the mean of the differences is normal."
    blocks: list[Any] = [Paragraph((start,)), Points(tuple((_named(p, result), _said(p), "") for p in pairs))]
    for i, p in enumerate([p for p in pairs if _can_be_drawn(p)][:CHECKED], start=1):
        who = f"{numerals.plain(p.a)} – {numerals.plain(p.b)}: " if len(result.analysis.pairs) > 1 else ""
        c = p.checks
        qq = QuantilePlot(
            normal_quantiles=c.normal_quantiles,
            ordered=c.ordered,
            caption=f"{who}Normal QQ plot of the differences on {len(c.ordered)} problems; dashed, where a normal "
            "sample with this mean and spread would lie.",
        )
        means = MeansPlot(
            means=c.bootstrap_means,
            unit="mean difference",
            caption=f"{who}{len(c.bootstrap_means)} bootstrapped means (Algorithm 3); dashed, the normal law.",
        )
        blocks += [Figure(qq, qq.caption, key=f"quantiles-{i}"), Figure(means, means.caption, key=f"means-{i}")]
    return Section(key="checks", title="Do the assumptions hold?", blocks=tuple(blocks))


def _can_be_drawn(p: Any) -> bool:
    """Numbers near the ends of the scale have no axis with numbers on it."""
    size = max(abs(float(p.checks.ordered[0])), abs(float(p.checks.ordered[-1])))
    return 1e-100 < size < 1e100


def _named(p: Any, result: Any) -> str:
    return f"{numerals.plain(p.a)} – {numerals.plain(p.b)}" if len(result.analysis.pairs) > 1 else ""


def _said(p: Any) -> str:
    c = p.checks
    parts = []
    if c.shapiro is not None:
        w, phrase = numerals.decimals(c.shapiro.statistic, 3), numerals.p_phrase(c.shapiro.pvalue)
        parts.append(f"Shapiro–Wilk W = {w}, {phrase} (a large p does not show normality)")
    if c.skewness is not None:
        parts.append(f"skewness {numerals.decimals(c.skewness, 2)}")
    if c.bootstrap_skewness is not None:
        parts.append(f"of the bootstrapped means {numerals.decimals(c.bootstrap_skewness, 2)}")
    return ", ".join(parts) + "." if parts else "All differences are equal."


def methods(result: Any) -> Text:
    """The paragraph as text with citations."""
    q, found = result.analysis.question, result.analysis
    parts: list[Text] = [_sample(result), _runs(result)]
    who = "the control with each other one" if q.control is not None else "all pairs"
    pairs = f"; {who}, with Holm's correction " if found.correction == "holm" else ""
    test: list[Any] = [
        f"Before the first run a {sentences.SIDES[q.alternative]} {sentences.TESTS[q.test]} at α = {q.alpha:g} on the "
        f"{'percent' if q.differences == 'percent' else 'simple'} differences of {result.statistic}s was chosen ",
        Cite(KEYS[q.test]),
    ]
    test += [pairs, Cite(("holm1979",))] if pairs else []
    parts.append((*test, "."))
    if q.sequential is not None:
        how, key = (
            ("O'Brien–Fleming boundaries at half, three quarters and all of the problems ", "obrienfleming1979")
            if q.sequential == "group"
            else ("an e-process of the differences, looked at after every problem ", "ville1939")
        )
        order = ", on the problems in the order drawn in advance."
        parts.append((f"The experiment could stop early by {how}", Cite((key,)), order))
    if any(p.checks is not None and p.checks.shapiro is not None for p in found.pairs):
        parts.append(("Normality was judged by quantile plots, Shapiro–Wilk ", Cite(("shapirowilk1965",)), " and the "
                      "bootstrapped mean, without consequence for the test."))  # fmt: skip
    return joined([*parts, software()])


def _sample(result: Any) -> Text:
    n, drawn = result.n_problems, result.n_problems + result.n_dropped
    some = f" of {drawn}" if result.n_dropped else ""
    return (
        f"{numerals.count(len(result.algorithms), 'algorithm')} were run on {n}{some} "
        f"problem{'' if n == 1 and not some else 's'} ({result.scores.better} scores are better), "
        f"{numerals.count(result.n_runs, 'run')} in all.",
    )


def _runs(result: Any) -> Text:
    asked = result.contents.repetitions
    if asked is None:
        return (f"Every algorithm had {numerals.count(result.contents.spec['runs'], 'run')} on every problem.",)
    unit = f"{100 * asked.se:g} %" if asked.differences == "percent" else f"{asked.se:g}"
    return (
        f"On each problem runs were made until the standard error of the difference was {unit} or {asked.nmax} runs "
        f"were spent, from {asked.n0} of each algorithm on ",
        Cite(("campelotakahashi2019",)),
        f", with {result.method} standard errors.",
    )


def cited_keys(result: Any) -> tuple[str, ...]:
    """Keys of the bibliography; the procedure as a whole is that of Campelo & Takahashi."""
    keys = [key for part in methods(result) if isinstance(part, Cite) for key in part.keys]
    return tuple(dict.fromkeys(["campelotakahashi2019", *keys]))
