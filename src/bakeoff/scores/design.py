"""The design of an experiment: what problems share, what counts equally, which runs there are; and what is estimated.

A reader, or whoever makes ``Scores``, says the design once. No analysis derives any of it from names.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Literal, cast, get_args

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, number
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError

Weights = Literal["tasks", "problems", "clusters"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)
"""What counts equally in a mean."""
Labels = tuple[str, ...] | None
Places = tuple[float, ...] | None
Runs = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What a table of scores says of its problems and runs.

    Attributes
    ----------
    tasks : tuple of str, or None
        The task (suite, benchmark) of each problem: fixed strata, not a sample.
    clusters : tuple of str, or None
        The source of each problem: those of one cluster are not independent.
    weights : {"tasks", "problems", "clusters"}
        What counts equally: tasks where there are several, else problems, unless something else was asked for.
    asked : bool
        Whether it was.
    runs : tuple of (str, str or None)
        Name and kind of each level of runs, outermost first. Inner levels are averaged when a table is read.
    folds : float, or None
        Share of the data in each test set, where runs are folds that share training data.
    order : tuple of float, or None
        The place of each problem in time.
    serial : bool
        Whether the rows are one series in time, whose mean is judged by the series' own dependence.
    classes : tuple of str, or None
        The class of each problem, where those of each class are a sample of their own (the AUC of predictions).
    """

    tasks: Labels = None
    clusters: Labels = None
    weights: Weights = "problems"
    asked: bool = False
    runs: Runs = ()
    folds: float | None = None
    order: Places = None
    serial: bool = False
    classes: Labels = None

    @property
    def task_names(self) -> tuple[str, ...]:
        """The different tasks in order of first appearance, if there are several."""
        names = tuple(dict.fromkeys(self.tasks or ()))
        return names if len(names) > 1 else ()

    @property
    def has_clusters(self) -> bool:
        """Does any cluster hold two problems?"""
        return self.clusters is not None and len(set(self.clusters)) < len(self.clusters)


def design_of(tasks: Labels, clusters: Labels, weights: Weights | None, **about: Any) -> Design:
    """The design with the usual weights, unless some were asked for; ``about``: runs, folds, order, serial."""
    usual: Weights = "tasks" if len(set(tasks or ())) > 1 else "problems"
    return Design(tasks=tasks, clusters=clusters, weights=weights or usual, asked=weights is not None, **about)


def test_fraction(fraction: object, one_run: bool) -> float | None:
    """The share of the data in each test set, of folds that the table has."""
    if fraction is None:
        return None
    rule = "a number above 0 and below 1, the share of the data in each test set"
    share = number("folds", fraction, above=0.0, below=1.0, what=rule)
    if one_run:
        text = "needs the scores of two folds or more in each cell: values of shape (data sets, algorithms, folds)"
        raise ParameterError(text, parameter="folds")
    return share


def places_in_time(order: Iterable[float] | None, problems: tuple[str, ...]) -> Places:
    """A finite number per problem."""
    if order is None:
        return None
    try:
        places = tuple(map(float, order))
    except (TypeError, ValueError):
        places = ()
    if len(places) != len(problems) or not all(map(math.isfinite, places)):
        rule = f"must be a number for each of the {len(problems)} problems, its place in time; got {order!r}"[:200]
        raise ParameterError(rule, parameter="order")
    return places


def check_weights(weights: object, tasks: object, clusters: object) -> Weights | None:
    """Weights that were asked for, of units that the table has."""
    if weights is None:
        return None
    known = choice("weights", weights, WEIGHTS)
    if known == "tasks" and tasks is None:
        raise ParameterError('"tasks" needs a task for each problem; name their column with task=', parameter="weights")
    if known == "clusters" and clusters is None:
        rule = '"clusters" needs a cluster for each problem; name their column with cluster='
        raise ParameterError(rule, parameter="weights")
    return cast(Weights, known)


def shares(design: Design, weights: str, n: int) -> npt.NDArray[np.float64]:
    """(n,) by which each problem enters a mean in which these count equally; they sum to 1."""
    labels = {"tasks": design.tasks, "clusters": design.clusters, "problems": None}[weights]
    if labels is None:
        return np.full(n, 1.0 / n)
    _, codes, sizes = np.unique(np.array(labels), return_inverse=True, return_counts=True)
    return np.asarray(1.0 / len(sizes) / sizes[codes])


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimand:
    """What a number of a report is about.

    Attributes
    ----------
    weights : str
        What counts equally: "tasks", "problems", "clusters", "runs", "folds" of one data set, or "rows" in time.
    what : str
        "mean acc"; empty of ranks within problems.
    over : str
        "2 tasks (400 and 12 problems)".
    runs : str
        What a score of several runs is: "each score is the mean of 4 runs"; empty with one.
    """

    weights: str
    what: str = ""
    over: str = ""
    runs: str = ""

    @property
    def sentence(self) -> str:
        """``Mean acc over 2 tasks (400 and 12 problems), each task counting the same``."""
        one, run = self.weights.removesuffix("s"), f"; {self.runs}" if self.runs else ""
        if not self.what:
            return f"Each {one} counts the same{run}"
        return f"{self.what[:1].upper()}{self.what[1:]} over {self.over}, each {one} counting the same{run}"
