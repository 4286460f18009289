"""Cautions for a reader of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.means.assumptions import long_tails
from bakeoff.means.cautions import strata_cautions
from bakeoff.means.strata import FEWEST, Stratum
from bakeoff.nulls.tails import clopper_pearson
from bakeoff.ranks.cautions import dependent_runs
from bakeoff.scores import Scores
from bakeoff.scores.clusters import Codes, cluster_codes, codes_of
from bakeoff.scores.contents import unpaired_problems
from bakeoff.wings.boards.evaluate.statistics.results import EvaluationPair
from bakeoff.wings.boards.evaluate.statistics.table import EvaluationTable


def design_cautions(
    scores: Scores,
    strata: Sequence[Stratum],
    unit: str,
    suites: Sequence[str] | None,
    reachable: bool,
    alpha: float,
    tasks: str,
) -> list[Caution]:
    """Caution of the numbers of problems and clusters, and of the kind of runs."""
    groups = sum(s.n_clusters for s in strata)
    one = "task" if tasks == "new" else unit
    cautions = []
    hint = _suites_hint(scores) if one == "cluster" and suites is None else ""
    if not reachable:
        few, least = counted(groups, one), 2.0 ** (1 - groups)
        cautions.append(
            caution_of("out-of-reach", "sign-flips", count=few, groups=least, alpha=alpha, one=one, hint=hint)
        )
    cautions += strata_cautions(strata, one, hint if reachable else "", _ways_out(strata, one, suites))
    are_suites = suites is not None and np.array_equal(codes_of(suites), cluster_codes(scores))
    if scores.clusters is not None and unit == "problem" and tasks == "fixed" and not are_suites:
        cautions.append(caution_of("dependence", "means"))
    return cautions + _runs(scores)


def skewed_pairs(table: EvaluationTable, pairs: Sequence[EvaluationPair], columns: tuple[Codes, Codes]) -> list[str]:
    """None of right and wrong answers: differences of equal shares are symmetric, and intervals are Tango's. Nor of
    contributions, of which nobody asks who is ahead more often."""
    if table.binary or table.of_predictions:
        return []
    tails = long_tails(table.oriented, columns, table.strata)
    return [f"{p.a} and {p.b}" for p, tail in zip(pairs, tails.tolist(), strict=True) if tail]


def _on_the_edge(p: float, alpha: float, draws: int) -> bool:
    """Is alpha within the 99 % interval of a p-value from so many draws?"""
    low, high = clopper_pearson(max(0, round(p * (draws + 1)) - 1), draws)
    return low <= alpha <= high


def _ways_out(strata: Sequence[Stratum], one: str, suites: Sequence[str] | None) -> str:
    """Where one cluster is most of the problems: what each way counts."""
    if suites is not None or one != "cluster" or strata[0].decides or strata[0].n_clusters <= FEWEST:
        return ""
    return (
        " To let each cluster count the same, and claim something of others like them, say suites='clusters', "
        "tasks='new'; if problems of a cluster do not resemble each other, unit='problem'."
    )


def _suites_hint(scores: Scores) -> str:
    """Clusters after which problems are called, as tasks of a suite are: perhaps no sample of tasks is meant."""
    assert scores.clusters is not None
    pairs = zip(scores.problems, scores.clusters, strict=True)
    if not all(problem.startswith(f"{cluster}/") for problem, cluster in pairs):
        return ""
    return " If these clusters are tasks, and the claim is about these tasks alone, say suites='clusters'."


def _runs(scores: Scores) -> list[Caution]:
    if scores.runs is None:
        return []
    cautions = dependent_runs(scores.run_kind, "averaged-runs")
    if scores.run_kind == "seed":
        cautions.append(caution_of("these-seeds"))
    rows = unpaired_problems(scores) if scores.run_kind == "split" else []
    if rows:
        names = listing(scores.problems[i] for i in rows)
        cautions.append(caution_of("not-paired", "splits", problems=counted(len(rows), "problem"), names=names))
    return cautions


def result_cautions(
    scores: Scores, constant: Sequence[str], pairs: Sequence[EvaluationPair], n_sampled: int, alpha: float
) -> Iterator[Caution]:
    """Caution of what the scores gave; ``n_sampled``: choices of signs that decide, 0 if all of them or none do."""
    near = [f"{p.a} and {p.b}" for p in pairs if n_sampled and _on_the_edge(p.adjusted, alpha, n_sampled)]
    if near:
        named, draws = listing(near), 10 * n_sampled
        yield caution_of("sampled", "adjusted", n_sampled=n_sampled, names=named, alpha=alpha, draws=draws)
    if constant and (scores.predicted is None or scores.predicted.is_mean):
        which = "mean" if scores.runs is not None else "score"
        yield caution_of("no-variation", "scores", which=which, names=listing(constant))
    equal = [f"{p.a} and {p.b}" for p in pairs if p.standard_error == 0 and p.difference != 0]
    if equal:
        yield caution_of("no-variation", "mean-differences", names=listing(equal))
    negative = sum(p.omega2 is not None and p.omega2 < 0 for p in pairs)
    if negative:
        yield caution_of("negative-variance", "questions", pairs=counted(negative, "pair"))
