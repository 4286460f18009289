"""The units that count as one observation, problems or clusters, and those that each pair is compared on."""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.means.serial import serial_mean
from bakeoff.ranks.measured_scores import measured_scores
from bakeoff.ranks.problem_order import ranks_by_cluster
from bakeoff.scores import Scores
from bakeoff.scores.clusters import by_cluster, cluster_names, without_clusters
from bakeoff.scores.pair_family import Family

Unit = Literal["cluster", "problem", "fold", "row"]
UNITS = ("cluster", "problem")
ANOVA = "anova"  # the omnibus test of rows that depend on each other


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependence:
    """What makes rows depend on each other, and which tests of pairs take that into account, the usual one first."""

    unit: Unit
    what: str
    tests: Sequence[str]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """The tables that tests take, a row per unit."""

    unit: Unit
    original: Scores
    problems: Scores  # a row per problem, with clusters only if these are the unit
    measured: Scores  # of what differences are taken of: the scores or their logarithms; of clusters their means
    rows: Scores  # who won: the scores; of clusters the means of what differences are taken of
    ranked: Scores  # for ranks: the scores; of clusters the mean ranks within their problems
    independent: Callable[[Scores], Scores] = by_cluster  # of scores like ``problems`` the rows that a t-test takes

    @property
    def depend(self) -> bool:
        """Are the rows folds of one data set, or in time, so that only ``measured`` may be tested?"""
        return self.unit in ("fold", "row")

    def for_test(self, pairwise: str) -> Scores:
        """The table that a test of pairs takes."""
        if pairwise == "mean-ranks":
            return self.ranked
        return self.rows if pairwise in ("sign", "5x2cv-t", "5x2cv-f") else self.measured


def units_of(scores: Scores, unit: str, transform: str | None, recipe: str | None, pairwise: str | None) -> Units:
    """Clusters where there are some, unless ``unit`` says that every problem counts for itself."""
    choice("unit", unit, UNITS)
    if scores.clusters is None or unit == "problem":
        alone = scores if scores.clusters is None else without_clusters(scores)
        measured = alone if transform is None else measured_scores(alone, transform)
        return replace(plain_units(alone, measured), original=scores)
    if recipe is not None:
        rule = f"takes problems as independent, and this table has clusters: leave it out, or recipe={recipe!r} with "
        raise ParameterError(f"{rule}unit='problem', which a caution then accompanies", parameter="recipe")
    if pairwise == "mcnemar":
        rule = "'mcnemar' counts single right and wrong answers as independent, and the mean of a cluster is no such "
        rule += "answer: 'sign', 'wilcoxon' and 't' test cluster means; or let each problem count, unit='problem'"
        raise ParameterError(rule, parameter="pairwise")
    measured = measured_scores(scores, transform)
    rows = by_cluster(measured)
    return Units(
        unit="cluster", original=scores, problems=scores, measured=rows, rows=rows, ranked=ranks_by_cluster(scores)
    )


def sample_phrase(scores: Scores, unit: str) -> str:
    """``350 problems in 35 clusters``; ``350 problems`` where each counts for itself."""
    problems = counted(scores.n_problems, "problem")
    if unit == "fold":
        return f"{counted(int(scores.n_runs.max()), 'fold')} of one data set"
    if unit == "row":
        averages = serial_mean(scores).averages.n_problems
        return f"{counted(scores.n_problems, 'row')} in time, judged by {averages} independent averages"
    if unit == "problem" or scores.clusters is None:
        return problems
    return f"{problems} in {counted(len(cluster_names(scores)), 'cluster')}"


def ignored_clusters(units: Units) -> list[Caution]:
    """Clusters that are known and not used: every problem counts as independent, though that is known to be wrong."""
    scores = units.original
    if units.unit != "problem" or scores.clusters is None:
        return []
    clusters = counted(len(cluster_names(scores)), "cluster")
    return [caution_of("dependence", "clusters", n_problems=scores.n_problems, clusters=clusters)]


def units_with_holes(scores: Scores, unit: str) -> Units:
    """Problems: means over what happens to be there would not compare like with like."""
    if choice("unit", unit, UNITS) == "cluster" and scores.clusters is not None:
        rule = "'cluster' needs a complete table: cluster means over different problems are no pairs. Leave problems "
        rule += "with a missing score out (missing='drop'), or let each problem count, unit='problem'"
        raise ParameterError(rule, parameter="unit")
    alone = without_clusters(scores)
    return replace(plain_units(alone, alone), original=scores)


def plain_units(scores: Scores, measured: Scores) -> Units:
    """Problems as they are."""
    return Units(unit="problem", original=scores, problems=scores, measured=measured, rows=scores, ranked=scores)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharedRows:
    """Pairs that are compared on the same problems: of a complete table all of them."""

    units: Units | None  # None: they have no problem in common
    family: Family  # columns of ``units``
    places: Sequence[int]  # of these pairs in the family of the table
    n_missing: int = 0  # problems on which a score of theirs is missing

    @property
    def n(self) -> int:
        return 0 if self.units is None else self.units.rows.n_problems


def shared_rows(units: Units, family: Family, transform: str | None, incomplete: bool) -> list[SharedRows]:
    """All pairs on all rows; if scores are missing, each pair on the problems that both have."""
    if not incomplete:
        return [SharedRows(units=units, family=family, places=range(len(family)))]
    return [_common(units.rows, place, pair, transform) for place, pair in enumerate(family)]


def _common(scores: Scores, place: int, pair: tuple[int, int], transform: str | None) -> SharedRows:
    both = ~scores.holes[:, list(pair)].any(axis=1)
    units = None
    if both.any():
        two = scores.select(pair, np.flatnonzero(both).tolist())
        units = plain_units(two, measured_scores(two, transform))
    return SharedRows(units=units, family=[(0, 1)], places=(place,), n_missing=int(np.sum(~both)))
