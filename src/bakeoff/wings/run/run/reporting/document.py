"""The result of ``bo.run`` as the format-free Document: Algorithm 2 of Campelo & Takahashi (2019) as a report."""

from pathlib import Path
from typing import Any, ClassVar

from bakeoff import numerals
from bakeoff.analyses import by_kind
from bakeoff.dataclass import dataclass
from bakeoff.designed import estimand_of
from bakeoff.errors import Caution, counted
from bakeoff.paired import PAIRED
from bakeoff.plan.differences import KINDS
from bakeoff.report import sections
from bakeoff.report.data import Keys, plain_data
from bakeoff.report.document import Block, Figure, Paragraph, Points, Section, Text
from bakeoff.report.methods import cited, joined, mark, software, text, versions
from bakeoff.report.reporting import Reporting, values_of
from bakeoff.report.sections import one_block
from bakeoff.reportable import Reportable
from bakeoff.scores.design import Estimand
from bakeoff.wings.run._run import Estimate, RunResult
from bakeoff.wings.run.analysis.results import Checks, ExperimentAnalysis, PairAnalysis, power_curve
from bakeoff.wings.run.run.figure import MeansPlot, QuantilePlot
from bakeoff.wings.run.run.reporting import sentences, tables
from bakeoff.wings.run.run.reporting.sentences import verdict as verdict
from bakeoff.wings.run.schedulers import REASONS

# The methods paragraph of an experiment's report, ready to paste, and whom to cite.


def methods(result: RunResult) -> Text:
    """The paragraph as text with citations."""
    q, analysis = result.analysis.question, result.analysis
    parts: list[Text] = [_sample(result), _runs(result)]
    who = "the control with each other one" if q.control is not None else "all pairs"
    pairs = f"; {who}, with Holm's correction [@holm1979]" if analysis.correction == "holm" else ""
    test = f"a {sentences.sides(q)} {PAIRED[q.test].noun} at α = {q.alpha:g} on the {q.kind.of(result.statistic)}"
    parts.append(text(f"Before the first run {test} was chosen{mark(PAIRED[q.test])}{pairs}."))
    if not q.about_equality:
        null = f"The null hypothesis was that the {sentences.tested_centre(q)} is {q.null_words}"
        better = "above × 1" if q.kind.logs else "positive"
        parts.append(text(f"{null} ({better} where the first algorithm is better) [@campelotakahashi2019]."))
    if q.kind.logs:
        parts.append(("Ratios are the exponentials of differences of logarithms.",))
    if q.sequential is not None:
        how = {
            "group": "O'Brien–Fleming boundaries at half, three quarters and all of the problems [@obrienfleming1979]",
            "anytime": "an e-process of the differences, looked at after every problem [@ville1939]",
        }[q.sequential]
        parts.append(text(f"The experiment could stop early by {how}, with the problems in an order drawn in advance."))
    if any(p.checks is not None and p.checks.shapiro is not None for p in analysis.pairs):
        checks = "quantile plots, the Shapiro–Wilk test [@shapirowilk1965] and the bootstrapped mean"
        parts.append(text(f"Normality was checked by {checks}; the test did not depend on it."))
    return joined(*parts, software())


def _sample(result: RunResult) -> Text:
    n, drawn = result.n_problems, result.n_problems + result.n_dropped
    some = f" of {drawn}" if result.n_dropped else ""
    return (
        f"{numerals.count(len(result.algorithms), 'algorithm')} were run on {n}{some} "
        f"problem{'' if n == 1 and not some else 's'} ({result.scores.better} scores are better), "
        f"{numerals.count(result.n_runs, 'run')} in all.",
    )


def _runs(result: RunResult) -> Text:
    repetitions = result.contents.repetitions
    if repetitions is None:
        return (f"Every algorithm had {numerals.count(result.contents.spec['runs'], 'run')} on every problem.",)
    kind = KINDS[repetitions.differences]
    unit = f"{100 * repetitions.se:g} %" if kind.relative else f"{repetitions.se:g}"
    what = "log ratio" if kind.logs else "difference"
    return text(
        f"On each problem, starting with {repetitions.n0} runs of each algorithm, runs were made until the standard "
        f"error of the {what} was {unit} or {repetitions.nmax} runs were spent [@campelotakahashi2019], with "
        f"{result.method} standard errors."
    )


def cited_keys(result: RunResult) -> tuple[str, ...]:
    """Keys of the bibliography; the procedure as a whole is that of Campelo & Takahashi."""
    return tuple(dict.fromkeys(["campelotakahashi2019", *cited(methods(result))]))


# An experiment as JSON: the analysis under its own names, and every problem.


KEYS: Keys = {
    ExperimentAnalysis: ("question", "correction", "stopped_early", "looks"),
    Estimate: ("problem", "n_runs", "reason", "pairs"),
}
_SIZES = ("n_problems", "n_planned", "n_dropped")
_RUNS = ("n_runs", "n_failed", "n_beyond", "reasons", "digest")


def known_cautions(result: RunResult) -> tuple[Caution, ...]:
    """The cautions of the analysis, and of the runs."""
    return (*result.analysis.cautions, *result.cautions)


def content(result: RunResult) -> dict[str, Any]:
    """The JSON of a run."""
    return {
        **values_of(result, ("scores.better", "algorithms")),
        **values_of(result.analysis, _SIZES),
        **values_of(result, _RUNS),
        **plain_data(result.analysis, KEYS),
        "power": plain_data(result.analysis.power_profile),
        "pairs": [_pair(p) for p in result.analysis.pairs],
        "estimates": plain_data(result.estimates, KEYS),
    }


def _pair(p: PairAnalysis) -> dict[str, Any]:
    shapiro = None if p.checks is None else p.checks.shapiro
    return {
        "a": p.a,
        "b": p.b,
        "verdict": p.verdict,
        "statistic": None if p.test is None else float(p.test.statistic),
        "pvalue": p.pvalue,
        "adjusted": p.adjusted,
        "effect": plain_data(p.effect),
        "shapiro": None if shapiro is None else {"statistic": shapiro.statistic, "pvalue": shapiro.pvalue},
        "skewness": None if p.checks is None else p.checks.skewness,
        "bootstrap_skewness": None if p.checks is None else p.checks.bootstrap_skewness,
        "differences": dict(zip(p.problems, p.differences.tolist(), strict=True)),
    }


def protocol(result: RunResult) -> list[tuple[str, str]]:
    """The experiment is the protocol of its run: its digest, as ``bakeoff protocol seal`` prints it before."""
    return [("protocol SHA-256", result.contents.spec_hash)]


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
    blocks: list[Block] = [Paragraph((start,)), Points(tuple((name, _checks_text(c), "") for name, c in named))]
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
            unit="mean log ratio" if result.analysis.question.kind.logs else "mean difference",
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


def _checks_text(c: Checks) -> str:
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
        one_block("looks", "Looks", tables.interim_looks(result), "aside"),
        _checks(result),
        one_block("problems", "Problem by problem", tables.problems(result)),
    ]


REPORT = Reporting[RunResult](
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


# The page that ``bakeoff run`` prints when the runs are made: the answer, what was run, and each problem.


_OF_RUN = (
    *("algorithms", "n_problems", "n_runs", "n_failed", "n_retried", "reasons"),
    *("differences", "statistic", "method", "allocation", "digest"),
)
_FROM_REPORT = ("verdict", "question", "pairs", "looks", "stopped_early", "n_beyond", "power")


@dataclass(frozen=True, slots=True, repr=False)
class RunPage(Reportable):
    """A finished run and the store that keeps it."""

    kind: ClassVar[str] = "run"
    result: RunResult
    store: Path

    @property
    def decision(self) -> str:
        """As of the result."""
        return self.result.decision


def estimand_of_page(page: RunPage) -> Estimand | None:
    """That of the result."""
    return estimand_of(by_kind()["experiment"], page.result)


def _runs_in_words(result: RunResult) -> list[tuple[str, str]]:
    k, n = len(result.algorithms), result.n_problems
    failed = f", {result.n_failed} failed" if result.n_failed else ""
    size = f"{counted(k, 'algorithm')}, {counted(n, 'problem')}, {counted(result.n_runs, 'run')}{failed}"
    return [
        ("", size),
        *((reason, f"{counted(n, 'problem')}: {REASONS[reason]}") for reason, n in result.reasons.items()),
    ]


def _page_body(page: RunPage) -> list[Section | None]:
    """Shorter than the report of the same result."""
    result = page.result
    return [
        sections.points("power", "Was the experiment large enough?", sentences.power_sentence(result)[:1]),
        sections.points("runs", "Runs", _runs_in_words(result)),
        sections.one_block("problems", "Problem by problem", tables.problems(result)),
    ]


def _page_content(page: RunPage) -> dict[str, Any]:
    result, report = page.result, REPORT.to_dict(page.result)
    others = {name: version for name, version in result.contents.versions.items() if name != "bakeoff"}
    return {
        "store": str(page.store),
        "better": result.scores.better,
        **values_of(result, _OF_RUN),
        **{key: report[key] for key in _FROM_REPORT},
        "estimates": plain_data(result.estimates, KEYS),
        "cautions": report["cautions"],
        "versions": {"bakeoff": versions()["bakeoff"]} | others,
    }


PAGE = Reporting[RunPage](
    schema="bakeoff.run/1",
    title=lambda page: sections.sizes(page.result.scores),
    verdict=lambda page: verdict(page.result),
    basis=lambda page: sentences.basis(page.result),
    body=_page_body,
    on_screen=("power", "runs", "problems"),
    cautions=lambda page: known_cautions(page.result),
    table=lambda page: page.result.scores,
    more=lambda page: [*protocol(page.result), ("SHA-256 of all runs", page.result.digest)],
    whole=_page_content,
    main=lambda page: tables.pair_columns(page.result),
    second=lambda page: tables.mean_scores(page.result),
)
