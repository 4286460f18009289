"""What an evaluation averages: the table in safe units, and what of it is independent."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.means.moments import compensated_means, run_noise
from bakeoff.means.strata import Stratum, one_stratum
from bakeoff.paired.shares import joined_wilson
from bakeoff.ranks import refuse_overflow
from bakeoff.ranks.problem_order import nested_order, problem_content
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import cluster_codes, codes_of
from bakeoff.wings.boards.evaluate.statistics.results import Evaluation
from bakeoff.wings.boards.evaluate.statistics.strata import suite_strata, whole_suites

NAME = "bo.evaluate"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationTable:
    """What is averaged, in units of a power of two so that squares neither overflow nor vanish.

    Rows are in the order of their content, so that signs are drawn for what is in a row, and not for its place.
    """

    values: Array  # (rows, k): questions, or suites if these are the sample
    scales: Array
    oriented: Array  # higher is better
    strata: list[Stratum]
    of_suites: list[Stratum] | None  # where the rows are suites, these
    unit: Literal["cluster", "problem"]
    answers: bool  # right or wrong, one of each model to each question, and these independent
    binary: bool  # such answers in one table
    noise: tuple[Array, Array] | None  # (k,) variance within questions; (n, k) of their means
    exponent: int
    questions: Array  # (n, k)
    question_scales: Array

    @property
    def n_clusters(self) -> int:
        return sum(s.n_clusters for s in self.strata)

    @property
    def is_dominated(self) -> bool:
        """Has one cluster of a suite more than twice its even share?"""
        return any(s.is_dominated for s in self.strata)

    @property
    def decides(self) -> bool:
        """Are there effective clusters enough, in one suite at least, for any verdict?"""
        return any(s.decides for s in self.strata)

    def share_interval(self, column: int, z: float) -> tuple[float, float]:
        """Of the mean of right and wrong answers."""
        hits = [self.back(float(self.values[s.rows, column].sum())) for s in self.strata]
        return joined_wilson([(s.weight, hit, s.n) for s, hit in zip(self.strata, hits, strict=True)], z)

    def back(self, value: float) -> float:
        """In the unit of the scores."""
        with np.errstate(over="ignore", under="ignore"):
            return float(np.ldexp(value, self.exponent))

    def squared(self, value: float) -> float:
        """A variance in the unit of the scores; infinite where squares of these are beyond a float."""
        with np.errstate(over="ignore", under="ignore"):
            return float(np.ldexp(value, 2 * self.exponent))


def ranked_table(judged: Evaluation) -> EvaluationTable:
    """What an evaluation over problems averaged."""
    return evaluation_table(judged.scores, judged.suites, judged.tasks, judged.unit, judged.weights)


def evaluation_table(
    scores: Scores, labels: tuple[str, ...] | None, tasks: str, unit: str | None, weights: str | None = None
) -> EvaluationTable:
    if scores.n_problems < 2:
        rule = "has one problem, which does not show how problems vary; a mean over problems needs two or more"
        raise ScoreError(rule, parameter="scores")
    with np.errstate(over="ignore"):
        refuse_overflow(np.ptp(scores.values, keepdims=True), NAME)
    used = _unit(scores, unit)
    codes = cluster_codes(scores) if used == "cluster" else np.arange(scores.n_problems)
    if labels is not None and used == "cluster" and np.array_equal(codes, codes_of(labels)):
        used, codes = "problem", np.arange(scores.n_problems)  # the clusters are the suites: tasks are fixed, or units
    order = nested_order(problem_content(scores), codes if labels is None else codes_of(labels), codes)
    exponent = math.frexp(float(np.max(scores.scales)))[1]
    values, scales = (np.ldexp(part[order], -exponent) for part in (scores.values, scores.scales))
    rows, reach, strata, of_suites = values, scales, [one_stratum(codes[order])], None
    if labels is None:
        if weights is not None:
            raise ParameterError("applies to suites: name them with suites=", parameter="weights")
        if tasks == "new":
            raise ParameterError('"new" applies to suites: name them with suites=', parameter="tasks")
        _refuse_one_cluster(scores, used, codes)
    elif tasks == "fixed":
        _refuse_shared_clusters(scores, codes, labels)
        strata = suite_strata(codes[order], [labels[i] for i in order.tolist()], weights == "question")
    elif weights == "question":
        raise ParameterError("\"question\" is of tasks='fixed': of new tasks, each counts once", parameter="weights")
    else:
        of_suites = whole_suites([labels[i] for i in order.tolist()])
        if len(of_suites) < 2:
            raise ScoreError("has one suite only, and new tasks need two or more", parameter="suites")
        rows = np.array([compensated_means(values[suite.rows]) for suite in of_suites])
        reach = np.array([scales[suite.rows].max(axis=0) for suite in of_suites])
        strata = [one_stratum(np.arange(len(rows)))]
    alone = scores.runs is None and used == "problem" and of_suites is None
    answers = alone and bool(((scores.values == 0) | (scores.values == 1)).all())
    independent = scores.run_kind not in ("split", "iteration")
    runs = None
    if scores.runs is not None and independent:
        runs = np.ldexp(np.sort(scores.runs[order], axis=2), -exponent)
    return EvaluationTable(
        values=rows,
        scales=reach,
        oriented=rows if scores.better == "higher" else -rows,
        strata=strata,
        of_suites=of_suites,
        unit=used,
        answers=answers,
        binary=answers and labels is None,
        noise=run_noise(runs, scores.n_runs[order]),
        exponent=exponent,
        questions=values,
        question_scales=scales,
    )


def _unit(scores: Scores, unit: str | None) -> Literal["cluster", "problem"]:
    if unit is None:
        return "problem" if scores.clusters is None else "cluster"
    choice("unit", unit, ("cluster", "problem"))
    if unit == "cluster" and scores.clusters is None:
        raise ParameterError('"cluster" needs scores with clusters, and these have none', parameter="unit")
    return cast(Literal["cluster", "problem"], unit)


def _refuse_one_cluster(scores: Scores, used: str, codes: npt.NDArray[np.int64]) -> None:
    if used == "cluster" and not codes.any():
        assert scores.clusters is not None
        raise ScoreError(
            f"has one cluster only, {scores.clusters[0]!r}, and an error over clusters needs two or more. If its "
            "problems are independent of each other, say unit='problem'",
            parameter="scores",
        )


def _refuse_shared_clusters(scores: Scores, codes: npt.NDArray[np.int64], labels: tuple[str, ...]) -> None:
    suite = codes_of(labels)
    for code in range(int(codes.max()) + 1):
        if len(set(suite[codes == code].tolist())) > 1:
            assert scores.clusters is not None
            name = scores.clusters[int(np.flatnonzero(codes == code)[0])]
            raise ScoreError(
                f"must keep the problems of a cluster together; those of {name!r} are in several suites",
                parameter="suites",
            )
