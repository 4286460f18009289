"""The table that an evaluation averages, in safe units, and its suites: the strata whose rows are independent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.errors import ParameterError, ScoreError, listing
from bakeoff.means.moments import compensated_means, run_noise
from bakeoff.means.strata import Stratum, one_stratum, stratum_of
from bakeoff.paired.shares import joined_wilson
from bakeoff.ranks import refuse_overflow
from bakeoff.ranks.problem_order import nested_order, problem_content
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, cluster_codes, cluster_sizes, codes_of
from bakeoff.wings.boards.evaluate.statistics.results import Evaluation


def suite_strata(codes: Codes, suites: Sequence[str], by_size: bool = False) -> list[Stratum]:
    """A stratum per suite, all with the same weight or by their sizes; each needs two independent units."""
    of = codes_of(suites)
    names, sizes = list(dict.fromkeys(suites)), cluster_sizes(of)
    weights = sizes / len(of) if by_size else np.full(len(names), 1.0 / len(names))
    of_each = zip(names, weights.tolist(), strict=True)
    strata = [stratum_of(np.flatnonzero(of == j), codes, name, weight) for j, (name, weight) in enumerate(of_each)]
    single = [stratum.name for stratum in strata if stratum.n_clusters < 2]
    if single:
        raise ScoreError(
            "must leave two or more independent problems (or clusters of them) in each suite; one only has "
            f"{listing(single)}. Leave it out, or take suites for the units: tasks='new'",
            parameter="suites",
        )
    return strata


def whole_suites(suites: Sequence[str]) -> list[Stratum]:
    """Strata of suites that are the sample: the problems of each, every one for itself."""
    of = codes_of(suites)
    names = list(dict.fromkeys(suites))
    return [stratum_of(np.flatnonzero(of == j), np.arange(len(of)), x, 1.0 / len(names)) for j, x in enumerate(names)]


def suite_labels(scores: Scores, suites: object) -> tuple[str, ...] | None:
    """A label per problem, from what the user gave: the labels, a mapping by problem, "clusters" or "prefix"."""
    if suites is None:
        return None
    if isinstance(suites, str):
        return _by_rule(scores, suites)
    if hasattr(suites, "keys"):
        lacking = [name for name in scores.problems if name not in suites]  # type: ignore[operator]
        if lacking:
            raise ScoreError(f"must name the suite of every problem; none for {listing(lacking)}", parameter="suites")
        labels = [suites[name] for name in scores.problems]  # type: ignore[index]
    else:
        try:
            labels = list(suites)  # type: ignore[call-overload]
        except TypeError:
            labels = []
    if len(labels) != scores.n_problems:
        raise ScoreError(
            f"must be a label for each of the {scores.n_problems} problems, a mapping of problems to labels, "
            f"'clusters' or 'prefix'; got {suites!r}"[:300],
            parameter="suites",
        )
    return tuple(map(str, labels))


def task_labels(scores: Scores, unit: str | None) -> tuple[str, ...] | None:
    """The tasks of a log of questions, where each has two independent units or more; None where they say nothing."""
    if not scores.read_as.by_task:
        return None
    labels = _by_rule(scores, "prefix")
    if scores.clusters is None or unit == "problem":
        units = dict.fromkeys(zip(labels, scores.problems, strict=True))
    else:
        units = dict.fromkeys(zip(labels, scores.clusters, strict=True))
        if len(units) > len(set(scores.clusters)):
            return None  # a cluster is in several tasks
    counts = Counter(label for label, _ in units)
    return labels if len(counts) > 1 and min(counts.values()) > 1 else None


def _by_rule(scores: Scores, rule: str) -> tuple[str, ...]:
    if rule == "clusters":
        if scores.clusters is None:
            raise ScoreError('"clusters" needs scores with clusters, and these have none', parameter="suites")
        return scores.clusters
    if rule != "prefix":
        text = f'must be "clusters", "prefix", or a label for each problem; got {rule!r}'
        raise ScoreError(text, parameter="suites")
    lacking = [name for name in scores.problems if "/" not in name]
    if lacking:
        text = f'"prefix" needs problems called suite/question; these have no slash: {listing(lacking)}'
        raise ScoreError(text, parameter="suites")
    return tuple(name.split("/", 1)[0] for name in scores.problems)


NAME = "bo.evaluate"


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationTable:
    """The rows that are averaged, in units of a power of two so that squares neither overflow nor vanish.

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
    def is_one_sample(self) -> bool:
        """Are the questions one sample, without suites?"""
        return self.of_suites is None and len(self.strata) == 1

    @property
    def is_dominated(self) -> bool:
        """Has one cluster of a suite more than twice its even share?"""
        return any(s.is_dominated for s in self.strata)

    @property
    def decides(self) -> bool:
        """Are there effective clusters enough, in one suite at least, for any verdict?"""
        return any(s.decides for s in self.strata)

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


def ranked_table(judged: Evaluation) -> EvaluationTable:
    """The table that an evaluation over problems averaged."""
    return evaluation_table(judged.scores, judged.suites, judged.tasks, judged.unit, judged.weights)


def evaluation_table(
    scores: Scores, labels: tuple[str, ...] | None, tasks: str, unit: str | None, weights: str | None = None
) -> EvaluationTable:
    if scores.n_problems < 2:
        rule = "has one problem, which does not show how problems vary; a mean over problems needs two or more"
        raise ScoreError(rule, parameter="scores")
    with np.errstate(over="ignore"):
        refuse_overflow(np.ptp(scores.values, keepdims=True), NAME)
    used = independent_unit(scores, unit)
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


def independent_unit(scores: Scores, unit: str | None) -> Literal["cluster", "problem"]:
    """What is independent: clusters, if there are any, unless the user says problems."""
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
            rule = f"must keep the problems of a cluster together; those of {name!r} are in several suites"
            raise ScoreError(rule, parameter="suites")
