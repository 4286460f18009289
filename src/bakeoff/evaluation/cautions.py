"""What a reader of an evaluation must know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bakeoff.errors import Caution, counted, listing
from bakeoff.evaluation.results import EvaluationPair
from bakeoff.evaluation.table import EvaluationTable
from bakeoff.means.cautions import mean_cautions, skewed_differences
from bakeoff.means.skewness import long_tails
from bakeoff.means.strata import Stratum
from bakeoff.nulls.binomial import clopper_pearson
from bakeoff.scores import Scores
from bakeoff.scores.clusters import Codes, cluster_codes, codes_of
from bakeoff.scores.run_pairing import unpaired_problems

MILLER = "Miller (2024), Adding error bars to evals, arXiv 2411.00640"


def design_cautions(
    scores: Scores,
    strata: Sequence[Stratum],
    unit: str,
    suites: Sequence[str] | None,
    reachable: bool,
    alpha: float,
    tasks: str,
) -> list[Caution]:
    """Of the numbers of problems and clusters, and of what the runs are."""
    groups = sum(s.n_clusters for s in strata)
    one = "suite" if tasks == "new" else unit
    found = []
    hint = _suites_hint(scores) if one == "cluster" and suites is None else ""
    if not reachable:
        text = f"With {counted(groups, one)} no choice of signs has a p-value below {2.0 ** (1 - groups):.3g}, so that "
        text += f"nothing can be told at {alpha:g} without taking the {one} means for normal: get more {one}s.{hint}"
        found.append(Caution(code="cannot-tell", text=text, severity="stop"))
    of_units = mean_cautions([s.sizes for s in strata], one, [s.name for s in strata])
    found += [replace(c, text=c.text + hint) if reachable and c.code == "few-clusters" else c for c in of_units]
    are_suites = suites is not None and np.array_equal(codes_of(suites), cluster_codes(scores))
    if scores.clusters is not None and unit == "problem" and tasks == "fixed" and not are_suites:
        text = "The problems are in clusters, which were not used: standard errors are too small if problems of a "
        text += "cluster resemble each other."
        found.append(Caution(code="clusters-ignored", text=text, reference=MILLER))
    return found + _runs(scores)


def skewness_cautions(
    table: EvaluationTable, pairs: Sequence[EvaluationPair], columns: tuple[Codes, Codes]
) -> list[Caution]:
    """Of differences so skewed that t misleads."""
    names = skewed_pairs(table, pairs, columns)
    return skewed_differences(names, "suites" if table.of_suites is not None else f"{table.unit}s")


def skewed_pairs(table: EvaluationTable, pairs: Sequence[EvaluationPair], columns: tuple[Codes, Codes]) -> list[str]:
    """None of right and wrong answers: differences of equal shares are symmetric, and intervals are Tango's."""
    if table.binary:
        return []
    tails = long_tails(table.oriented, columns, table.strata)
    return [f"{p.a} and {p.b}" for p, tail in zip(pairs, tails.tolist(), strict=True) if tail]


def _on_the_edge(p: float, alpha: float, draws: int) -> bool:
    """Is alpha within the 99 % interval of a p-value from so many draws?"""
    low, high = clopper_pearson(max(0, round(p * (draws + 1)) - 1), draws)
    return low <= alpha <= high


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
    found = []
    if scores.run_kind in ("split", "iteration"):
        what = {"split": "splits of the same data", "iteration": "iterations within a process"}[scores.run_kind]
        text = f"The runs are {what} and not independent: they are averaged, and nothing is said of their own variance."
        found.append(Caution(code="dependent-runs", text=text, severity="note"))
    if scores.run_kind == "seed":
        text = (
            "Each score is a mean over seeds. If a seed is one training that answers all problems, the intervals are "
        )
        text += "about these trainings on new problems, not about new trainings."
        found.append(Caution(code="these-seeds", text=text))
    rows = unpaired_problems(scores) if scores.run_kind == "split" else []
    if rows:
        names = listing(scores.problems[i] for i in rows)
        text = f"Algorithms were not run on the same splits of {counted(len(rows), 'problem')} ({names}): these "
        text += "differences contain that of the splits."
        found.append(Caution(code="not-paired", text=text))
    return found


def result_cautions(
    scores: Scores, constant: Sequence[str], pairs: Sequence[EvaluationPair], n_sampled: int, alpha: float
) -> list[Caution]:
    """Of what the scores gave; ``n_sampled``: choices of signs that decide, 0 if all of them or none do."""
    found = []
    near = [f"{p.a} and {p.b}" for p in pairs if n_sampled and _on_the_edge(p.adjusted, alpha, n_sampled)]
    if near:
        text = f"From {n_sampled} choices of signs, the adjusted p of {listing(near)} is so near to {alpha:g} that "
        text += f"another seed may decide otherwise; n_resamples={10 * n_sampled} is more precise."
        found.append(Caution(code="sampled", text=text))
    if constant:
        text = (
            f"Every {'mean' if scores.runs is not None else 'score'} of {listing(constant)} is the same: the standard "
        )
        text += "error of 0 says that none of these problems shows a variation, and not that there is none."
        found.append(Caution(code="constant-scores", text=text))
    equal = [f"{p.a} and {p.b}" for p in pairs if p.standard_error == 0 and p.difference != 0]
    if equal:
        text = f"All differences of {listing(equal)} are equal and not 0, so that t and its interval say nothing, and "
        text += "sign flips decide: perhaps the scores are not independent measurements."
        found.append(Caution(code="zero-variance", text=text))
    negative = sum(p.omega2 is not None and p.omega2 < 0 for p in pairs)
    if negative:
        text = (
            f"The variance between questions is estimated below 0 for {counted(negative, 'pair')}: it is small beside "
        )
        text += "that of the answers, and shown as 0. The JSON holds the estimates as they are."
        found.append(Caution(code="negative-variance", text=text, severity="note"))
    return found
