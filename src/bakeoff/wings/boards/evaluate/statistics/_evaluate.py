"""evaluate(): means of models over questions, and which of their differences are shown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np

from bakeoff.checks import N_RESAMPLES, choice, draw_count, probability
from bakeoff.means.cautions import skewed_differences
from bakeoff.means.contributions import contribution_cautions
from bakeoff.means.max_t import flip_law
from bakeoff.means.moments import suite_moments
from bakeoff.means.pair_moments import pair_moments
from bakeoff.means.serial import serial_cautions
from bakeoff.posthoc.groups import rank_intervals
from bakeoff.randomness import generator, integer_seed
from bakeoff.ranks.cautions import alone_undecided, input_cautions
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.design import Weights
from bakeoff.scores.pair_family import family_of
from bakeoff.takes_table import takes_table
from bakeoff.wings.boards.evaluate.statistics.cautions import design_cautions, result_cautions, skewed_pairs
from bakeoff.wings.boards.evaluate.statistics.records import (
    estimate_records,
    judged_pairs,
    means_of_suites,
    pair_records,
    rows_for_half,
    tied_sets,
)
from bakeoff.wings.boards.evaluate.statistics.results import Correction, Evaluation
from bakeoff.wings.boards.evaluate.statistics.table import NAME, evaluation_table, suite_labels

CORRECTIONS = ("max-t", "holm", "bonferroni")


@takes_table
def evaluate(
    scores: Scores,
    control: str | int | None = None,
    correction: Correction = "max-t",
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    *,
    suites: Iterable[object] | Mapping[str, object] | Literal["clusters", "prefix"] | None = None,
    tasks: Literal["fixed", "new"] = "fixed",
    weights: Weights | Literal["task", "question"] | None = None,
    unit: Literal["cluster", "problem"] | None = None,
    n_resamples: int = N_RESAMPLES,
) -> Evaluation:
    """Which model answers better on average, by how much, and would more questions or more answers tell?

    Use it for means over many questions of one metric; where sizes of scores differ between problems, ``bo.compare``.

    Parameters
    ----------
    scores : Scores
        (n_questions, n_models) or with answers as a third axis, which are averaged first; ``clusters`` are respected.
    control : str or int, optional
        Compared with each other model; else all pairs.
    correction : {"max-t", "holm", "bonferroni"}
        "max-t": distribution of the largest |t| of all pairs, from signs of clusters shared by all models.
    alpha : float
        Error rate of the family; default 0.05.
    n_resamples : int
        Choices of signs drawn; all 2^(G − 1) of G clusters where they are no more.
    rng : int or Generator, optional
        Seed or Generator of the signs; seed 0 if absent.
    suites : sequence, mapping, "clusters" or "prefix", optional
        Task of each problem, in place of ``scores.tasks``; "prefix": its name up to the first slash.
    tasks : {"fixed", "new"}
        "fixed": of these suites, SE = √Σ SE_b²/B. "new": of others like them, the suites' means are the sample.
    weights : {"tasks", "problems", "clusters"}, optional
        What counts equally, in place of ``scores.design.weights``. A task of one problem keeps its weight: then every
        verdict is "cannot tell", as its error is unknown.
    unit : {"cluster", "problem"}, optional
        What is independent; by default clusters, if there are any.

    Returns
    -------
    Evaluation
        ``.estimates``, ``.pairs``, ``.rank_intervals`` {name: (best, worst)}, ``.groups`` (tied sets), ``.detectable``.

    Raises
    ------
    MissingScoreError, InfiniteScoreError, ScoreError, ParameterError
        A missing or infinite cell, named; one problem, or one cluster; suites that are no labels.

    Notes
    -----
    V = (G − 1)/G · Σ_g (w_g r_g/(1 − w_g))², of differences too, with t(G* − 1), G* = 1/Σ w_g²; w_g, r_g: share
    and residual mean of a cluster (MacKinnon, Nielsen & Webb 2023). Share above 2/G: sign flips too; G* < 3: none. 0/1
    scores with one answer and no clusters: intervals of Wilson and Tango, McNemar's exact test. Max-t: the larger of p
    itself and the distributions of flipped differences (exact if symmetric) and of flipped residuals. Ranks: [1 +
    number shown better, k − number shown worse], with the error rate of the family (Klein, Wright & Wieczorek 2020).

    Examples
    --------
    >>> import bakeoff as bo
    >>> answers = [[1, 1, 0]] * 9 + [[1, 0, 0]] * 8 + [[0, 1, 1]] * 3
    >>> found = bo.evaluate(bo.Scores(answers, ["A", "B", "C"], better="higher"))
    >>> [(p.a, p.b, round(p.difference, 2), p.verdict) for p in found.pairs][1], found.rank_intervals["A"]
    (('A', 'C', 0.7, 'a better'), (1, 2))
    """
    scores = check_scores(scores)
    scores.require_finite(NAME)
    column = None if control is None else scores.index(control, "control")
    choice("correction", correction, CORRECTIONS)
    choice("tasks", tasks, ("fixed", "new"))
    alpha = probability("alpha", alpha)
    size, seed = draw_count("n_resamples", n_resamples, math.ceil(1 / alpha)), integer_seed(rng)
    scores = _designed(scores, suites, weights)
    table = evaluation_table(scores, tasks, unit)
    labels = scores.design.tasks if len(table.strata) > 1 or tasks == "new" else None
    family = family_of(scores.n_algorithms, column)
    pairs = np.array([a for a, _ in family]), np.array([b for _, b in family])

    of_each = suite_moments(table.values, table.scales, table.strata)
    moments = pair_moments(table.oriented, table.scales, pairs, table.strata)
    law = flip_law(table.oriented, pairs, moments, table.strata, generator(seed), size)
    judged = judged_pairs(table, moments, law, correction, alpha)
    estimates = estimate_records(scores, table, of_each, alpha)
    rows = alone_undecided(scores, pair_records(scores, table, of_each, moments, law, pairs, judged, alpha))
    groups, beyond = ((), []) if column is not None else tied_sets(estimates, rows, scores.better)
    by_flips = table.is_dominated or (correction == "max-t" and len(rows) > 1)
    sampled = 0 if law.exact or not by_flips or not judged.reachable else size
    reached = judged.reachable or not table.decides
    of_design = design_cautions(scores, table.strata, table.unit, labels, reached, alpha, tasks)
    cautions = (
        *(c for c in input_cautions(scores) if labels is None or c.code != "one-stem"),
        *serial_cautions(scores, alpha),
        *(c for c in of_design if not (scores.serial and c.code == "too-few")),
        *result_cautions(scores, [e.algorithm for e in estimates if e.standard_error == 0], rows, sampled, alpha),
        *contribution_cautions(scores, [(e.algorithm, e.mean, e.standard_error) for e in estimates], table.strata),
        *skewed_differences(skewed_pairs(table, rows, pairs), "suites" if table.of_suites else f"{table.unit}s"),
        *beyond,
    )
    return Evaluation(
        scores=scores,
        control=None if column is None else scores.algorithms[column],
        correction=correction,
        alpha=alpha,
        unit=table.unit,
        suites=labels,
        tasks=tasks,
        weights=scores.design.weights,
        n_resamples=size,
        rng=seed,
        n_clusters=table.n_clusters,
        exact=law.exact,
        critical=judged.critical if math.isfinite(judged.critical) else None,
        estimates=estimates,
        pairs=rows,
        rank_intervals=rank_intervals(scores.algorithms, rows),
        groups=groups,
        suite_means=means_of_suites(table, labels),
        n_for_half=rows_for_half(table, moments, judged, rows),
        cautions=cautions,
    )


def _designed(scores: Scores, suites: object, weights: str | None) -> Scores:
    """The scores with the tasks and weights of the call."""
    changed: dict[str, object] = {} if suites is None else {"tasks": suite_labels(scores, suites)}
    changed |= {} if weights is None else {"weights": {"task": "tasks", "question": "problems"}.get(weights, weights)}
    return scores.with_design(**changed) if changed else scores
