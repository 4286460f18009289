"""The table that an evaluation averages, in safe units, and its suites: the strata whose rows are independent."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from bakeoff.checks import choice
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, ScoreError, listing
from bakeoff.means.moments import compensated_means, run_noise
from bakeoff.means.serial import refuse_groups_of_series, serial_mean
from bakeoff.means.strata import Stratum, design_strata, one_stratum, stratum_of
from bakeoff.paired.shares import joined_wilson
from bakeoff.ranks import refuse_overflow
from bakeoff.ranks.problem_order import nested_order, problem_content
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, cluster_codes, codes_of, tasks_by_name
from bakeoff.scores.design import Design


def whole_suites(suites: Sequence[str]) -> list[Stratum]:
    """Strata of suites that are the sample: the problems of each, every one for itself."""
    of = codes_of(suites)
    names = list(dict.fromkeys(suites))
    return [stratum_of(np.flatnonzero(of == j), np.arange(len(of)), x, 1.0 / len(names)) for j, x in enumerate(names)]


def suite_labels(scores: Scores, suites: object) -> Sequence[object]:
    """What the user gave as the task of each problem: the labels, a mapping by problem, "clusters" or "prefix"."""
    if suites == "clusters" and scores.clusters is None:
        raise ScoreError('"clusters" needs scores with clusters, and these have none', parameter="suites")
    if isinstance(suites, str) and suites in ("clusters", "prefix"):
        return scores.clusters or () if suites == "clusters" else tasks_by_name(scores.problems)
    if isinstance(suites, Mapping):
        lacking = [name for name in scores.problems if name not in suites]
        if lacking:
            raise ScoreError(f"must name the suite of every problem; none for {listing(lacking)}", parameter="suites")
        return [suites[name] for name in scores.problems]
    labels = list(suites) if isinstance(suites, Iterable) and not isinstance(suites, str) else []
    if len(labels) != scores.n_problems:
        raise ScoreError(
            f"must be a label for each of the {scores.n_problems} problems, a mapping of problems to labels, "
            f"'clusters' or 'prefix'; got {suites!r}"[:300],
            parameter="suites",
        )
    return labels


NAME = "bo.evaluate"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationTable:
    """The rows that are averaged, in units of a power of two so that squares neither overflow nor vanish.

    Rows are in the order of their content, so that signs are drawn for what is in a row, and not for its place.
    """

    scores: Scores
    values: Array  # (rows, k): questions, or suites if these are the sample
    scales: Array
    oriented: Array  # higher is better
    strata: list[Stratum]
    of_suites: list[Stratum] | None  # where the rows are suites, these
    unit: Literal["cluster", "problem"]
    answers: bool  # right or wrong, one of each model to each question, and these independent
    binary: bool  # such answers in one table
    of_predictions: bool  # the rows are contributions to a metric of all items
    noise: tuple[Array, Array] | None  # (k,) variance within questions; (n, k) of their means
    exponent: int
    questions: Array  # (n, k)
    question_scales: Array

    @property
    def n_clusters(self) -> int:
        return sum(s.n_clusters for s in self.strata)

    @property
    def is_one_sample(self) -> bool:
        """Are the questions one sample, without suites?"""
        return self.of_suites is None and len(self.strata) == 1

    @property
    def is_dominated(self) -> bool:
        """Has one cluster of a suite more than twice its even share?"""
        return any(s.is_dominated for s in self.strata)

    @property
    def decides(self) -> bool:
        """Are there effective clusters enough, in one suite at least, for any verdict, and two units in each?"""
        return any(s.decides for s in self.strata) and min(s.n_clusters for s in self.strata) > 1

    def share_interval(self, column: int, z: float) -> tuple[float, float]:
        """The interval of the mean of right and wrong answers."""
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


def evaluation_table(scores: Scores, tasks: str, unit: str | None) -> EvaluationTable:
    if scores.n_problems < 2:
        rule = "has one problem, which does not show how problems vary; a mean over problems needs two or more"
        raise ScoreError(rule, parameter="scores")
    with np.errstate(over="ignore"):
        refuse_overflow(np.ptp(scores.values, keepdims=True), NAME)
    design, labels = scores.design, scores.design.tasks if scores.design.task_names else None
    used, codes = independent_units(scores, unit)
    of = cluster_codes(scores) if design.weights == "clusters" else codes if labels is None else codes_of(labels)
    order = nested_order(problem_content(scores), of, codes)
    mean = scores.serial or scores.predicted is None or scores.predicted.is_mean
    exponent = math.frexp(float(np.max(scores.scales)))[1]
    if scores.serial:
        refuse_groups_of_series(scores)
        order = np.arange(scores.n_problems)
    values, scales = (np.ldexp(part[order], -exponent) for part in (scores.values, scores.scales))
    rows, reach, of_suites = values, scales, None
    if scores.serial:  # the independent averages of rows in time, in place of the rows
        rows = np.ldexp(serial_mean(scores).averages.values, -exponent)
        reach, strata = np.broadcast_to(scales.max(axis=0), rows.shape), [one_stratum(np.arange(len(rows)))]
    elif (units := _units(design, tasks)) is None:
        strata = design_strata(design, codes, order)
        _refuse_one_cluster(scores, used, codes)
    else:
        of_suites = whole_suites([units[i] for i in order.tolist()])
        if len(of_suites) < 2:
            what = "task" if tasks == "new" else "cluster"
            raise ScoreError(f"has one {what} only, and a mean over {what}s needs two or more", parameter="scores")
        rows = np.array([compensated_means(values[suite.rows]) for suite in of_suites])
        reach = np.array([scales[suite.rows].max(axis=0) for suite in of_suites])
        strata = [one_stratum(np.arange(len(rows)))]
    alone = scores.runs is None and used == "problem" and of_suites is None and mean and not scores.serial
    answers = alone and bool(((scores.values == 0) | (scores.values == 1)).all())
    runs = None
    if scores.runs is not None and scores.run_kind not in ("split", "iteration") and not scores.serial:
        runs = np.ldexp(np.sort(scores.runs[order], axis=2), -exponent)
    return EvaluationTable(
        scores=scores,
        values=rows,
        scales=reach,
        oriented=rows if scores.better == "higher" else -rows,
        strata=strata,
        of_suites=of_suites,
        unit=used,
        answers=answers,
        binary=answers and len(strata) == 1,
        of_predictions=not mean,
        noise=run_noise(runs, scores.n_runs[order]),
        exponent=exponent,
        questions=values,
        question_scales=scales,
    )


def _units(design: Design, tasks: str) -> tuple[str, ...] | None:
    """Labels of the problems whose means are the sample: of new tasks, or of clusters that count equally."""
    if tasks == "new":
        if not design.task_names:
            raise ParameterError('"new" needs scores of several tasks; name their column with task=', parameter="tasks")
        if design.asked and design.weights != "tasks":
            raise ParameterError("'new' counts each task once; leave weights out", parameter="tasks")
        return design.tasks
    return design.clusters if design.weights == "clusters" else None


def independent_units(scores: Scores, unit: str | None) -> tuple[Literal["cluster", "problem"], Codes]:
    """What is independent: clusters, if there are any, unless the user says problems; and (n,) which of them it is.

    Clusters that are the tasks are no units: these are fixed, or a sample themselves.
    """
    choice("unit", unit or "problem", ("cluster", "problem"))
    if unit == "cluster" and scores.clusters is None:
        raise ParameterError('"cluster" needs scores with clusters, and these have none', parameter="unit")
    codes, design = cluster_codes(scores), scores.design
    if unit == "problem" or scores.clusters is None:
        return "problem", np.arange(scores.n_problems)
    if design.task_names and np.array_equal(codes, codes_of(design.tasks or ())):
        return "problem", np.arange(scores.n_problems)
    return "cluster", codes


def _refuse_one_cluster(scores: Scores, used: str, codes: Codes) -> None:
    if used == "cluster" and not codes.any():
        assert scores.clusters is not None
        raise ScoreError(
            f"has one cluster only, {scores.clusters[0]!r}, and an error over clusters needs two or more. If its "
            "problems are independent of each other, say unit='problem'",
            parameter="scores",
        )
