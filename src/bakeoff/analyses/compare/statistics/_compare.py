"""compare(): from a table of scores to a verdict, nothing chosen silently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from bakeoff.analyses.compare.statistics import catalogue, stages
from bakeoff.analyses.compare.statistics.cautions import add_cautions
from bakeoff.analyses.compare.statistics.margins.claims import add_margins
from bakeoff.analyses.compare.statistics.recipes import ALSO
from bakeoff.analyses.compare.statistics.results import Choice, Comparison, Step
from bakeoff.analyses.compare.statistics.state import Comparing, Request
from bakeoff.analyses.compare.statistics.units import sample_phrase
from bakeoff.effects._contrast_estimation import contrast_table, exact_means, median_differences
from bakeoff.effects._kendall_w import concordance
from bakeoff.omnibus import OMNIBUS
from bakeoff.paired.many_pairs import Progress
from bakeoff.posthoc._critical_difference import of_correction
from bakeoff.posthoc.pairs import RANKINGS
from bakeoff.ranks.cautions import has_differences
from bakeoff.scores import Array, Scores
from bakeoff.takes_table import takes_table

STAGES: tuple[Callable[[Comparing], None], ...] = (
    stages.add_tables,
    stages.add_choices,
    stages.add_ranks,
    stages.add_omnibus,
    stages.add_pair_tests,
    stages.add_corrections,
    stages.add_verdicts,
    stages.add_bounds,
    stages.add_sizes,
    add_margins,
    stages.add_pairs,
    stages.add_groups,
    add_cautions,
)
"""In this order each adds what its name says, of complete tables and of those with missing scores."""


@takes_table
def compare(
    scores: Scores,
    control: str | int | None = None,
    omnibus: str = "iman-davenport",
    pairwise: str | None = None,
    posthoc: str | Sequence[str] | None = None,
    alpha: float = 0.05,
    recipe: str | None = None,
    *,
    standard_error: Literal["permutation", "papers"] | None = None,
    transform: Literal["log", "minmax"] | None = None,
    effect: Literal["difference", "percent", "log-ratio", "a12"] = "difference",
    intervals: Literal["simultaneous", "single"] = "simultaneous",
    missing: Literal["bounds", "common"] | None = None,
    margin: float | str | None = None,
    also: str | Sequence[str] | None = None,
    unit: Literal["cluster", "problem"] = "cluster",
    rng: int | np.random.Generator | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Which algorithms differ, which is better, by how much, and could this experiment have told?

    For several algorithms on several independent problems, or clusters of problems; runs are averaged.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms).
    control : str or int, optional
        Compare every algorithm with this one, fixed beforehand; else all pairs.
    omnibus : {"iman-davenport", "friedman", "aligned", "quade", "anova", "skillings-mack"}
        "Does any differ?", tie-corrected. A non-rejecting omnibus is a caution, not a gate.
    pairwise : {"wilcoxon", "sign", "sign-without-ties", "mcnemar", "t", "mean-ranks", "aligned", "quade"}, optional
        The raw test of a pair. Default: Wilcoxon's. Those on ranks look at all algorithms at once.
    posthoc : str, sequence of str, or "all", optional
        Corrections; the first decides. With a control (default Holm): those of :func:`adjust`, and dunnett. All pairs
        (default Bergmann–Hommel; Shaffer beyond 12; Holm for signs): of :func:`adjust_pairwise`, tukey, nemenyi.
    alpha : float
        Family-wise level of the verdicts; default 0.05.
    recipe : {"demsar-2006", "garcia-2010", "derrac-2011"}, optional
        The paper whose statistics, corrections and gate are followed.
    standard_error : {"permutation", "papers"}, optional
        Of tests on ranks: from the observed ranks, ties included (default), or as the papers print it.
    transform : {"log", "minmax"}, optional
        Take differences of logarithms of the scores; or of scores normalised to [0, 1] over the algorithms, problem by
        problem.
    effect : {"difference", "percent", "log-ratio", "a12"}
        Scale of the effects.
    intervals : {"simultaneous", "single"}
        Of the effects: all together at 1 − alpha, or each by itself.
    margin : float or str, optional
        The smallest difference that matters: a number in score units, or a percentage such as "5%".
    also : {"contrast", "multiple-sign"} or both, optional
        Report contrast estimation, or both rules of the multiple sign test with the control, beside the verdicts.
    unit : {"cluster", "problem"}
        Where scores have clusters, means over each cluster are tested (ranks within problems ranked again).
    missing : {"bounds", "common"}, optional
        On kept holes: what holds whatever the missing scores are; or pairs on the problems both have. Default: common,
        but where the holes gather, verdicts must hold in both.
    rng : int or Generator, optional
        Sample the distribution of the omnibus test from this seed where the exact one takes long.
    progress : callable, optional
        Called with (pairs done, pairs in all).

    Returns
    -------
    Comparison
        ``.pairs``, each with a verdict: "a better", "b better" (adjusted p ≤ alpha), "no difference shown", "cannot
        tell" (out of reach); with a margin "practically equal", "a not worse", "b not worse"; ``.omnibus``, ….

    Raises
    ------
    UnknownNameError, ParameterError, InfiniteScoreError, TooLargeError
        An algorithm or name that does not exist or fit; what was asked for by name and cannot be computed.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE")
    >>> [f"{p.b}: {p.verdict}" for p in result.pairs if p.verdict == "a better"]
    ['PSO: a better', 'CHC: a better', 'SSGA: a better']
    """
    arguments = {name: value for name, value in locals().items() if name not in ("scores", "progress")}
    arguments["also"] = None if not also else tuple(dict.fromkeys([also] if isinstance(also, str) else also))
    c = Comparing(scores=scores, request=Request(**arguments), progress=progress)
    for stage in STAGES:
        stage(c)
    return _result(c)


def _result(c: Comparing) -> Comparison:
    """Gather what the stages found."""
    request, k, law = c.request, c.scores.n_algorithms, str(getattr(c.test, "method", ""))
    return Comparison(
        scores=c.scores,
        alpha=request.alpha,
        control=None if c.control is None else c.scores.algorithms[c.control],
        recipe=request.recipe,
        omnibus=c.test,
        companion=c.companion,
        ranking=c.ranking,
        mean_ranks=c.mean_ranks,
        pairwise=c.chosen.name,
        posthoc=c.correction.methods,
        primary=c.correction.primary,
        pairs=c.pairs,
        groups=c.groups,
        standard_error=c.forms[0] if c.chosen.name in RANKINGS else None,
        transform=request.transform,
        effect=c.scale,
        intervals=request.intervals,
        margin=c.margin,
        critical_difference=of_correction(c.correction.primary, c.tested.tests, k, request.alpha) if k > 2 else None,
        contrasts=_contrasts(c),
        kendall_w=_kendall_w(c),
        unit=c.units.unit,
        steps=_steps(c),
        choices=_choices(c, law),
        cautions=c.cautions,
        request=request.as_data(c.seed if law == "permutation" else None, c.planned),
        missing=(request.missing or "common") if c.incomplete else "",
    )


def _contrasts(c: Comparing) -> Array | None:
    if c.incomplete or c.units.depend or not has_differences(c.units.rows.values):
        return None
    return contrast_table(exact_means(median_differences(c.units.measured.values)))


def _kendall_w(c: Comparing) -> float | None:
    if c.incomplete or c.units.depend:
        return None
    return concordance(c.doubled, "none" if c.recipe else "corrected")


def _choices(c: Comparing, law: str) -> tuple[Choice, ...]:
    """Everything decided on the way, and why."""
    scores, unit, record = c.units.original, c.units.unit, OMNIBUS[c.test.name]
    reason = record.reason
    if c.dependence is not None and record.name == "anova":
        reason = f"means are compared: the rows are {c.dependence.what}"
    if c.incomplete:
        reason = "takes missing scores; without any it is Friedman's test corrected for ties"
    choices = [("omnibus", record.name, reason)]
    if (record.permuted and c.recipe is None) or c.incomplete:
        choices.append(("distribution", *catalogue.distribution(law)))
    if record.takes_ties:
        value = "uncorrected" if c.recipe else "tie-corrected"
        why_ties = "as the paper prints it" if c.recipe else "tied ranks shrink the variance of the omnibus statistic"
        choices.append(("ties", value, why_ties))
    choices.append(("pairwise", c.chosen.name, c.chosen.reason))
    if c.chosen.name in RANKINGS and not c.incomplete:
        why_error = "as the papers print it" if c.forms[0] == "papers" else "from the observed ranks, ties included"
        choices.append(("standard_error", c.forms[0], why_error))
    choices.append(("posthoc", ", ".join(c.planned.methods), c.planned.reason))
    if c.bounded:
        choices.append(("missing", "bounds", "requested: which verdicts hold whatever the missing scores are"))
    elif c.incomplete:
        how = "each pair is compared on the problems that both have"
        choices.append(("missing", "pairs on common problems", how))
    if c.dependence is not None:
        choices.append(("unit", unit, f"the rows are {c.dependence.what}"))
    elif scores.runs is not None:
        counts = scores.n_runs[~scores.holes]
        low, high = int(counts.min()), int(counts.max())
        runs = f"{low if low == high else f'{low} to {high}'} runs per cell"
        choices.append(("runs", "averaged", f"{runs}; {unit}s are the sample"))
    if scores.clusters is not None and not c.incomplete and not c.units.depend:
        known = f"the table has clusters ({sample_phrase(scores, 'cluster')})"
        why = f"{known}: means over their problems are tested, and clusters count equally"
        choices.append(("unit", unit, why if unit == "cluster" else f"asked for; {known}"))
    return tuple(Choice(parameter=parameter, value=value, reason=reason) for parameter, value, reason in choices)


def _steps(c: Comparing) -> tuple[Step, ...]:
    """The steps of the recipe, or the procedures asked for besides."""
    if c.recipe is None:
        return tuple(step(c) for name in c.request.also or () for step in ALSO[name])
    steps = c.recipe.steps_pairs if c.control is None else c.recipe.steps_control
    return tuple(step(c) for step in steps)
