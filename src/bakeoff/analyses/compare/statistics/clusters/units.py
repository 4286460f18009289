"""What counts as one observation: a problem, or a cluster of problems that are not independent of each other."""

from dataclasses import dataclass, replace
from typing import Literal

from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.ranks.cluster_ranks import ranks_by_cluster
from bakeoff.ranks.measured_scores import measured_scores
from bakeoff.ranks.table_cautions import table_cautions
from bakeoff.scores import Scores
from bakeoff.scores.clusters import by_cluster, cluster_names, without_clusters

Unit = Literal["cluster", "problem"]
UNITS = ("cluster", "problem")


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """The tables that tests take, a row per unit."""

    unit: Unit
    original: Scores
    problems: Scores  # a row per problem, with clusters only if these are the unit
    measured_problems: Scores  # of what differences are taken of: the scores or their logarithms
    measured: Scores  # the same, a row per unit: cluster means
    rows: Scores  # who won: the scores; of clusters the means of what differences are taken of
    ranked: Scores  # for tests on ranks: the scores; of clusters the mean ranks within their problems

    def for_test(self, pairwise: str) -> Scores:
        """What a test of pairs takes."""
        if pairwise == "mean-ranks":
            return self.ranked
        return self.rows if pairwise == "sign" else self.measured


def units_of(scores: Scores, unit: str, transform: str | None, recipe: str | None, pairwise: str | None) -> Units:
    """Clusters where there are some, unless ``unit`` says that every problem counts for itself."""
    choice("unit", unit, UNITS)
    if scores.clusters is None or unit == "problem":
        alone = without_clusters(scores)
        return replace(plain_units(alone, measured_scores(alone, transform)), original=scores)
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
        unit="cluster",
        original=scores,
        problems=scores,
        measured_problems=measured,
        measured=rows,
        rows=rows,
        ranked=ranks_by_cluster(scores),
    )


def sample_phrase(scores: Scores, unit: str) -> str:
    """``350 problems in 35 clusters``; ``350 problems`` where each counts for itself."""
    problems = counted(scores.n_problems, "problem")
    if unit == "problem" or scores.clusters is None:
        return problems
    return f"{problems} in {counted(len(cluster_names(scores)), 'cluster')}"


def unit_cautions(units: Units) -> list[Caution]:
    """Clusters that are known and not used; and what the table itself says."""
    cautions = table_cautions(units.original)
    ignored = units.unit == "problem" and units.original.clusters is not None
    return [clusters_ignored(units.original), *cautions] if ignored else cautions


def clusters_ignored(scores: Scores) -> Caution:
    """Every problem counts as independent, though that is known to be wrong."""
    return caution_of(
        "dependence", "clusters", n_problems=scores.n_problems, clusters=counted(len(cluster_names(scores)), "cluster")
    )


def each_for_itself(scores: Scores, unit: str) -> Scores:
    """A table with holes: means over what happens to be there would not compare like with like."""
    if scores.clusters is not None and choice("unit", unit, UNITS) == "cluster":
        rule = (
            "'cluster' needs a complete table: cluster means over different problems are no pairs. Leave problems with "
        )
        rule += "a missing score out (missing='drop'), or let each problem count, unit='problem'"
        raise ParameterError(rule, parameter="unit")
    return without_clusters(scores)


def plain_units(scores: Scores, measured: Scores) -> Units:
    """Problems as they are."""
    return Units(
        unit="problem",
        original=scores,
        problems=scores,
        measured_problems=measured,
        measured=measured,
        rows=scores,
        ranked=scores,
    )
