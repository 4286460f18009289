"""The evaluation below a leaderboard whose claims are for these problems: runs vary, problems do not."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import listing
from bakeoff.means.run_means import RunMeans, RunPairs, refuse_single_runs, run_means, run_pairs
from bakeoff.posthoc.groups import rank_intervals
from bakeoff.randomness import generator
from bakeoff.ranks.cautions import alone_undecided, dependent_runs, input_cautions
from bakeoff.scores import Scores
from bakeoff.scores.design import shares
from bakeoff.scores.pair_family import family_of, shown_better
from bakeoff.special import stdtrit
from bakeoff.wings.boards.evaluate.statistics import Evaluation, EvaluationPair, ModelEstimate
from bakeoff.wings.boards.evaluate.statistics.records import detectable_ratio, tied_sets


def evaluated_over_runs(
    scores: Scores, alpha: float, seed: int | None, n_resamples: int
) -> tuple[Evaluation, RunMeans]:
    """As ``evaluate`` gives it over problems, and the means themselves."""
    refuse_single_runs(scores, scores.n_runs, "over='problems'")
    assert scores.runs is not None
    exponent = math.frexp(float(np.max(scores.scales)))[1]  # squares then neither overflow nor vanish
    weights = scores.design.weights
    of_each = None if weights == "problems" else shares(scores.design, weights, scores.n_problems)
    means = run_means(np.sort(np.ldexp(scores.runs, -exponent), axis=2), of_each)
    family = family_of(scores.n_algorithms, None)
    a, b = (np.array(side) for side in zip(*family, strict=True))
    by_name = sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__)
    pairs = run_pairs(means, (a, b), alpha, by_name, n_resamples, generator(seed))
    estimates = tuple(_estimates(scores, means, alpha, exponent))
    rows = alone_undecided(scores, _pairs(scores, means, pairs, family, alpha, exponent))
    groups, beyond = tied_sets(estimates, rows, scores.better)
    constant = [e.algorithm for e in estimates if e.standard_error == 0]
    judged = Evaluation(
        scores=scores,
        correction="max-t",
        alpha=alpha,
        unit="run",
        tasks="fixed",
        weights=weights,
        n_resamples=n_resamples,
        rng=seed,
        n_clusters=int(scores.n_runs.sum(axis=0).min()),
        exact=False,
        critical=pairs.critical if math.isfinite(pairs.critical) else None,
        estimates=estimates,
        pairs=rows,
        rank_intervals=rank_intervals(scores.algorithms, rows),
        groups=groups,
        cautions=(
            *input_cautions(scores),
            *dependent_runs(scores.run_kind, "runs"),
            *([caution_of("no-variation", "board-runs", names=listing(constant))] if constant else []),
            *beyond,
        ),
    )
    return judged, means


def _estimates(scores: Scores, means: RunMeans, alpha: float, exponent: int) -> Iterator[ModelEstimate]:
    reach = -stdtrit(means.df, alpha / 2) * means.errors
    of_each = np.ldexp([means.means, means.errors, means.means - reach, means.means + reach], exponent).T.tolist()
    for j, (mean, error, *interval) in enumerate(of_each):
        yield ModelEstimate(
            algorithm=scores.algorithms[j],
            mean=mean,
            standard_error=error,
            interval=(interval[0], interval[1]),
            df=float(means.df[j]),
            method="t",
            n=scores.n_problems,
            n_clusters=int(scores.n_runs[:, j].sum()),
        )


def _pairs(
    scores: Scores, means: RunMeans, pairs: RunPairs, family: list[tuple[int, int]], alpha: float, exponent: int
) -> Iterator[EvaluationPair]:
    sign = 1.0 if scores.better == "higher" else -1.0
    for p, (a, b) in enumerate(family):
        difference, error, df = sign * float(pairs.means[p]), float(pairs.errors[p]), float(pairs.df[p])
        reach, wide = -float(stdtrit(df, alpha / 2)) * error, pairs.critical * error
        ends = (difference - reach, difference + reach, difference - wide, difference + wide, difference, error)
        low, high, lowest, highest, back, spread = np.ldexp(ends, exponent).tolist()
        leads = scores.costs[:, b] - scores.costs[:, a]
        known = error > 0 and math.isfinite(pairs.critical)
        yield EvaluationPair(
            a=scores.algorithms[a],
            b=scores.algorithms[b],
            difference=back,
            statistic=sign * float(pairs.t[p]),
            standard_error=spread,
            df=df,
            interval=(low, high),
            method="t",
            simultaneous=(lowest, highest) if known else None,
            pvalue=float(pairs.pvalues[p]),
            t_pvalue=float(pairs.pvalues[p]),
            test="t",
            adjusted=float(pairs.adjusted[p]),
            unpaired_error=spread,
            noise_share=1.0 if error > 0 else None,
            detectable=math.ldexp(detectable_ratio(df, pairs.critical) * error, exponent) if known else None,
            wins=int((leads > 0).sum()),
            losses=int((leads < 0).sum()),
            verdict=shown_better(float(pairs.adjusted[p]) <= alpha, difference),
        )
