"""sensitivity(): would another choice, or other problems, have said something else?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from bakeoff.analyses.compare.statistics import Comparison, compare
from bakeoff.analyses.compare.statistics.results import Verdict
from bakeoff.analyses.sensitivity.statistics.analysis import (
    Decided,
    ExaminedAnalysis,
    ExaminedTable,
    Rows,
    examined_table,
)
from bakeoff.analyses.sensitivity.statistics.decisions import ManyDecisions, Progress, critical_pvalues, decide_many
from bakeoff.analyses.sensitivity.statistics.fragility import OwnTest, fragility
from bakeoff.analyses.sensitivity.statistics.many_tables import decimal_places, rounded
from bakeoff.analyses.sensitivity.statistics.multiverse import multiverse
from bakeoff.analyses.sensitivity.statistics.replicability import SecondExperiments, own_critical, same_verdict
from bakeoff.analyses.sensitivity.statistics.results import Fragility, Replicability, SensitivePair, Sensitivity
from bakeoff.checks import FEWER_RESAMPLES, integer
from bakeoff.designed import refuse_features
from bakeoff.errors import BakeoffError, ParameterError, by_severity
from bakeoff.nulls.tails import share_error
from bakeoff.places import load
from bakeoff.randomness import generator, integer_seed
from bakeoff.ranks.cautions import without_evidence
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.takes_table import takes_table

EXAMINED = ("control", "omnibus", "pairwise", "posthoc", "alpha", "recipe", "standard_error", "transform", "unit")
"""Arguments of ``bo.compare`` that decide a verdict."""
NOT_EXAMINED = {"effect": "difference", "intervals": "simultaneous", "margin": None, "rng": None}
"""Its other arguments, and what they are in the comparison whose verdicts are examined."""


@takes_table
def sensitivity(
    scores: Scores | Comparison,
    control: str | int | None = None,
    omnibus: str = "iman-davenport",
    pairwise: str | None = None,
    posthoc: str | Sequence[str] | None = None,
    alpha: float = 0.05,
    recipe: str | None = None,
    *,
    standard_error: Literal["permutation", "papers"] | None = None,
    transform: Literal["log", "minmax"] | None = None,
    unit: Literal["cluster", "problem"] = "cluster",
    n_resamples: int = FEWER_RESAMPLES["sensitivity"],
    rng: int | np.random.Generator | None = None,
    progress: Progress | None = None,
) -> Sensitivity:
    """Would another reasonable analysis, or slightly other problems, have given another verdict?

    Use it before quoting a verdict of ``bo.compare``. Never to choose an analysis: the one examined is the one that was
    decided on beforehand.

    Parameters
    ----------
    scores : Scores or Comparison
        (n_problems, n_algorithms); or the result of ``bo.compare``, whose choices are then examined as they are: which
        algorithms differ, not what it says of a margin.
    control : str or int, optional
        Of the comparison examined: compare every algorithm with this one; else all pairs.
    omnibus : str
        Its test of all algorithms at once, as in ``bo.compare``.
    pairwise : str, optional
        Its test of a pair, as in ``bo.compare``; default: Wilcoxon's.
    posthoc : str or sequence of str, optional
        Its correction, as in ``bo.compare``; of several the first decides.
    alpha : float
        Its family-wise level; default 0.05.
    recipe : str, optional
        The paper whose protocol it follows, as in ``bo.compare``.
    standard_error : {"permutation", "papers"}, optional
        Of its tests on ranks, as in ``bo.compare``.
    transform : {"log", "minmax"}, optional
        It takes differences of logarithms of the scores.
    unit : {"cluster", "problem"}
        What is independent: clusters if there are any, else problems.
    n_resamples : int
        Second experiments on as many problems (or clusters) drawn for ``replicability``; 0 for none.
    rng : int or numpy.random.Generator, optional
        Of these. The same seed draws the same ones.
    progress : callable, optional
        Called with (tables done, tables in all).

    Returns
    -------
    Sensitivity
        ``.pairs``: for each ``.verdict``, ``.analyses`` {name: verdict}, ``.flips_without`` (problems),
        ``.flips_without_algorithm``, ``.fragility``, ``.replicability``, ``.rounded``.

    Raises
    ------
    UnknownNameError, ParameterError, InfiniteScoreError, TooLargeError
        As ``bo.compare``; options beside a Comparison.

    Notes
    -----
    Fragility: removals against the pair's critical p in the full table (cf. Walsh et al. 2014; Broderick et al. 2020).
    Replicability: the power of the same design averaged over the posterior of the effect, N(0, ½²) a priori (Goodman
    1992; van Zwet & Goodman 2022): docs/methods/sensitivity.md. Proofs and the list of analyses: docs/trust/solid.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> found = bo.sensitivity(bo.datasets.load("derrac_cec2005"), control="SaDE", n_resamples=0)
    >>> pair = found.pair("SaDE", "CHC")
    >>> pair.verdict, pair.flips_without, pair.fragility.n
    ('a better', (), 5)
    """
    n_resamples = integer("n_resamples", n_resamples, 0, 1_000_000)
    values = control, omnibus, pairwise, posthoc, alpha, recipe, standard_error, transform, unit
    options: dict[str, Any] = dict(zip(EXAMINED, values, strict=True))
    if isinstance(scores, Comparison):
        _refuse_options(options)
        refuse_features(check_scores(scores.scores), load("analyses:by_function")()["bo.sensitivity"])
        comparison = _of_differences(scores)
    else:
        comparison = compare(check_scores(scores), **options)
    return _examined(comparison, n_resamples, rng, progress)


def _refuse_options(options: Mapping[str, object]) -> None:
    defaults = (None, "iman-davenport", None, None, 0.05, None, None, None, "cluster")
    for (name, value), default in zip(options.items(), defaults, strict=True):
        if value != default:
            raise ParameterError("is fixed by the comparison; leave it out, or give the scores", parameter=name)


def _of_differences(comparison: Comparison) -> Comparison:
    """Without a margin and kinds of effects: they decide no difference, and what is said of them is not examined."""
    if all(comparison.request.get(name) == default for name, default in NOT_EXAMINED.items()):
        return comparison
    request: Mapping[str, Any] = comparison.request
    plain = compare(comparison.scores, **{name: request[name] for name in EXAMINED})
    cautions = tuple(by_severity((*comparison.added, *plain.cautions)))
    return replace(plain, cautions=cautions, added=comparison.added)


def _examined(
    comparison: Comparison, n_resamples: int, rng: int | np.random.Generator | None, progress: Progress | None
) -> Sensitivity:
    analysis, table = ExaminedAnalysis.of(comparison), examined_table(comparison)
    whole_table = analysis.decide(table)
    n = table.scores.n_problems
    seed = integer_seed(rng)
    test = analysis.chosen.name
    second = SecondExperiments.draw(test, n, n_resamples, generator(seed)) if n_resamples else None
    out = decide_many(table, analysis, _one_out(n), progress) if n > 1 else None
    own = tuple(pair.verdict for pair in comparison.pairs)
    verdicts, left_out = multiverse(table, analysis, own)
    critical = critical_pvalues(table, analysis, whole_table.tests)
    others = _without_algorithms(table, analysis)
    shown = decimal_places(comparison.scores)
    coarse = _rounded(table, analysis, shown) if shown else None
    pairs = []
    for i, pair in enumerate(comparison.pairs):
        sign, limit = int(whole_table.signs[i]), None if critical is None else float(critical[i])
        a, b = table.family[i]
        own_p, raw = limit, whole_table.tests
        if own_p is None:
            own_p = own_critical(float(raw.pvalue[i]), float(whole_table.adjusted[i]), analysis.alpha)
        share = 1.0
        if n_resamples and not whole_table.unable:
            share = same_verdict(second, test, n, float(raw.log_pvalue[i]), float(raw.direction[i]), own_p, sign)
        others_of = {name: left for (name, gone), each in others.items() if gone not in (a, b) for left in [each[a, b]]}
        adjusted_others = [adjusted for adjusted, _ in others_of.values()]
        flips, adjusted_range = list[int](), None
        if out is not None:
            flips = np.flatnonzero(out.signs[:, i] != sign).tolist()
            adjusted_range = (float(out.adjusted[:, i].min()), float(out.adjusted[:, i].max()))
        pairs.append(
            SensitivePair(
                a=pair.a,
                b=pair.b,
                verdict=own[i],
                pvalue=pair.pvalue,
                adjusted=pair.adjusted[comparison.primary],
                critical=limit,
                analyses={name: each[i] for name, each in verdicts.items()},
                flips_without=tuple(table.scores.problems[row] for row in flips),
                adjusted_range=adjusted_range,
                flips_without_algorithm=tuple(name for name, (_, other) in others_of.items() if other != sign),
                adjusted_range_algorithms=(min(adjusted_others), max(adjusted_others)) if adjusted_others else None,
                fragility=_fragility(table, analysis, whole_table, i, limit, out),
                replicability=_replicability(share, n_resamples) if n_resamples else None,
                rounded=None if coarse is None else coarse[i],
            )
        )
    return Sensitivity(
        comparison=comparison,
        pairs=_with_evidence(comparison.scores, pairs),
        analyses=tuple(verdicts),
        left_out=left_out,
        n_resamples=n_resamples,
        decimals=None if not shown else shown - 1,
        cautions=comparison.cautions,
        added=comparison.added,
        request={name: comparison.request[name] for name in EXAMINED} | {"n_resamples": n_resamples, "rng": seed},
    )


def _with_evidence(scores: Scores, pairs: Iterable[SensitivePair]) -> tuple[SensitivePair, ...]:
    """With one process a side no analysis, no problem and no resample tells anything."""
    return tuple(
        replace(
            pair,
            analyses=dict.fromkeys(pair.analyses, pair.verdict),
            flips_without=(),
            flips_without_algorithm=(),
            fragility=None,
            replicability=None,
            rounded=None,
        )
        if without_evidence(scores, [scores.pair(pair.a, pair.b)])[0]
        else pair
        for pair in pairs
    )


def _one_out(n: int) -> Rows:
    """(n, n − 1): each problem in turn is left out."""
    places = np.arange(n)
    return np.array([np.delete(places, i) for i in places], dtype=np.intp)


def _replicability(share: float, drawn: int) -> Replicability:
    """As a share of draws, and one more that is half of each: never 0 or 1."""
    estimate = (drawn * share + 0.5) / (drawn + 1.0)
    return Replicability(estimate=estimate, standard_error=float(share_error(estimate, drawn)), n_resamples=drawn)


def _fragility(
    table: ExaminedTable,
    analysis: ExaminedAnalysis,
    decided: Decided,
    i: int,
    limit: float | None,
    out: ManyDecisions | None,
) -> Fragility | None:
    if limit is None or out is None or analysis.gated(table):
        return None
    if decided.unable:
        return Fragility(n=None, problems=(), exact=True)
    single: Array = np.column_stack([out.pvalue[:, i], out.direction[:, i]])
    return fragility(
        OwnTest(
            table=table,
            analysis=analysis,
            pair=table.family[i],
            place=i,
            critical=limit,
            sign=int(decided.signs[i]),
            single=single,
        )
    )


Left = dict[tuple[int, int], tuple[float, int]]  # by pair of columns: adjusted p, sign


def _without_algorithms(table: ExaminedTable, analysis: ExaminedAnalysis) -> dict[tuple[str, int], Left]:
    """By algorithm left out: what is decided about the pairs that stay."""
    k = table.scores.n_algorithms
    verdicts: dict[tuple[str, int], Left] = {}
    if k == 2:
        return verdicts
    for gone in range(k):
        if gone == table.control:
            continue
        smaller = table.without_algorithm(gone)
        decided = analysis.decide(smaller)
        kept = [j for j in range(k) if j != gone]
        verdicts[table.scores.algorithms[gone], gone] = {
            (kept[a], kept[b]): (float(adjusted), int(sign))
            for (a, b), adjusted, sign in zip(smaller.family, decided.adjusted, decided.signs, strict=True)
        }
    return verdicts


def _rounded(table: ExaminedTable, analysis: ExaminedAnalysis, shown: int) -> tuple[Verdict, ...] | None:
    try:
        return analysis.decide(table.with_scores(rounded(table.units.original, shown - 1))).verdicts
    except BakeoffError:
        return None  # the logarithm of a score rounded to 0
