"""per_problem(): on which problems is one algorithm better than another, judged by the runs on each."""

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.analyses.per_problem.statistics._mann_whitney import doubled_midranks, tested_ranks, untied_pvalues
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, flag, probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.effects import a12
from bakeoff.errors import Caution, ScoreError, counted, listing, plain
from bakeoff.means.assumptions import found_unequal, spread_pvalues
from bakeoff.means.folds import default_test, fold_table, widened_folds
from bakeoff.means.unit_mean import unit_mean
from bakeoff.nulls.rank_sum import COUNTED, counted_tails, least_rank_sum_pvalue, load_rank_sum_twin
from bakeoff.nulls.signed_rank import EXACT_LIMIT
from bakeoff.paired._wilcoxon import signed_rank_sums, two_sided
from bakeoff.paired.alternatives import smallest_pvalue
from bakeoff.paired.differences import Differences, ordered_differences
from bakeoff.paired.many_pairs import Progress
from bakeoff.paired.run_differences import paired_runs
from bakeoff.ranks import refuse_overflow
from bakeoff.ranks.cautions import WITHIN_PROBLEMS, dependent_runs, one_process, unequal_runs, without_evidence
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.pair_family import Turning, WithPairs, family_of
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.takes_table import takes_table

Sign = Literal["+", "-", "=", "?"]
SIGNS: Mapping[Sign, str] = {"+": "+", "-": "−", "=": "≈", "?": "?"}  # as they are printed
CORRECTIONS = ("holm", "fdr-bh", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemCell(Turning):
    """One pair on one problem."""

    problem: str
    a: str
    b: str
    verdict: Sign  # "+": a better, "-": b better, "=": no difference shown, "?": no outcome of these runs could tell
    pvalue: float
    adjusted: float  # over the problems of this pair
    a12: float  # how probable it is that a run of a beats one of b
    method: str  # of the p-value: "exact" or "normal"; "resampled-t" of folds, of repeated ones "repeated-t"

    @property
    def turned(self) -> "ProblemCell":
        """The same cell as b against a."""
        verdict: Sign = {"+": "-", "-": "+"}.get(self.verdict, self.verdict)  # type: ignore[assignment]
        return self._turned(verdict=verdict, a12=1.0 - self.a12)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemPair(Turning):
    """One pair on all problems: ``counts`` are those on which a is better, none shown, b better, cannot tell."""

    a: str
    b: str
    counts: tuple[int, int, int, int]
    cells: tuple[ProblemCell, ...]

    @property
    def verdict(self) -> str:
        """The counts as they are listed; they are not tested."""
        plus, equal, minus, unknown = self.counts
        return f"{plus}/{equal}/{minus}" + (f", cannot tell {unknown}" if unknown else "")

    @property
    def turned(self) -> "ProblemPair":
        """The same pair as b against a."""
        plus, equal, minus, unknown = self.counts
        return self._turned(counts=(minus, equal, plus, unknown), cells=tuple(cell.turned for cell in self.cells))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PerProblem(WithPairs[ProblemPair], Reportable):
    """The result of :func:`bakeoff.per_problem`."""

    kind: ClassVar[str] = "per-problem"

    scores: Scores
    control: str | None
    correction: str  # over the problems of each pair
    alpha: float
    paired: bool  # whether run i of a belongs to run i of b
    cells: tuple[ProblemCell, ...]  # pair by pair, in each the problems in order
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()  # those of ``cautions`` that are about the source, and not computed from scores

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments of the call."""
        return {name: getattr(self, name) for name in ("control", "correction", "paired", "alpha")}

    @property
    def counts(self) -> Mapping[tuple[str, str], tuple[int, int, int, int]]:
        """{(a, b): on how many problems a is better, none shown, b better, cannot tell}."""
        return {(pair.a, pair.b): pair.counts for pair in self.pairs}

    @property
    def pairs(self) -> tuple[ProblemPair, ...]:
        """One per pair, in the order of the cells."""
        cells_of_pairs: dict[tuple[str, str], list[ProblemCell]] = {}
        for cell in self.cells:
            cells_of_pairs.setdefault((cell.a, cell.b), []).append(cell)
        made = []
        for (a, b), cells in cells_of_pairs.items():
            of = Counter(cell.verdict for cell in cells)
            counts = (of["+"], of["="], of["-"], of["?"])
            made.append(ProblemPair(a=a, b=b, counts=counts, cells=tuple(cells)))
        return tuple(made)

    @property
    def decision(self) -> str:
        """ "difference" on at least one problem, "cannot tell" on each, or "none"."""
        verdicts = {cell.verdict for cell in self.cells}
        if verdicts & {"+", "-"}:
            return "difference"
        return "cannot tell" if verdicts <= {"?"} else "none"

    @property
    def leaders(self) -> Mapping[str, tuple[str, ...]]:
        """{problem: the best mean, and whoever is not shown to be worse than it, "=" or "?"}; empty with a control."""
        if self.control is not None:
            return {}
        costs, names = self.scores.costs, self.scores.algorithms
        beaten = {(c.problem, c.a, c.b) for c in self.cells if c.verdict == "+"}
        beaten |= {(c.problem, c.b, c.a) for c in self.cells if c.verdict == "-"}
        by_problem = {}
        for row, problem in zip(costs, self.scores.problems, strict=True):
            best = names[int(np.argmin(row))]
            leading = (row == row.min()).tolist()
            by_problem[problem] = tuple(
                name for name, ahead in zip(names, leading, strict=True) if ahead or (problem, best, name) not in beaten
            )
        return by_problem


@takes_table
def per_problem(
    scores: Scores,
    control: str | int | None = None,
    correction: Literal["holm", "fdr-bh", "none"] = "holm",
    paired: bool = False,
    *,
    alpha: float = 0.05,
    progress: Progress | None = None,
) -> PerProblem:
    """On which problems is one algorithm better than another: the table of +, − and ≈ of evolutionary computation.

    Use it beside ``bo.compare``, never instead: the counts say nothing of other problems and are not tested.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms, n_runs), several runs per cell.
    control : str or int, optional
        Compare it with each other algorithm; else all pairs.
    correction : {"holm", "fdr-bh", "none"}
        Over the problems of each pair. Not over pairs: each column of the table is a family of its own.
    paired : bool
        A run of one algorithm belongs to one of each other (the same fold, split or seed; by ``Scores.run_ids``, else
        by place): Wilcoxon's signed-rank test instead of Mann and Whitney's. Never for independent runs. Runs that are
        folds (``Scores.folds``) are judged by the corrected resampled t-test, whatever is said here.
    alpha : float
        Level of each pair's family.
    progress : callable, optional
        Called with (pairs done, pairs in all).

    Returns
    -------
    PerProblem
        ``.cells``, each with ``.verdict`` "+" (a better), "-", "=" (no difference shown) or "?" (so few runs that no
        outcome could pass), ``.pvalue``, ``.adjusted``, ``.a12``; ``.counts``; ``.leaders``.

    Raises
    ------
    ScoreError
        One run per cell; with ``paired``, different numbers or identifiers of runs on one problem.
    UnknownNameError, ParameterError
        An algorithm or option that does not exist.

    Notes
    -----
    The null hypothesis is that the runs of both have one distribution on the problem (paired: differences symmetric
    about 0), not that means or medians are equal. Exact p-values given the ties (``bo.mann_whitney``). The direction is
    that of the rank sums, never of the means or medians shown. A cell is "?" if it would not pass even with every
    problem at the least p-value that its runs allow.

    Examples
    --------
    >>> import bakeoff as bo
    >>> runs = [[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], [[4, 5, 5, 6, 7], [4, 4, 5, 6, 8]]]
    >>> found = bo.per_problem(bo.Scores(runs, ["new", "old"], better="lower"))
    >>> [(c.problem, c.verdict, round(c.adjusted, 4)) for c in found.cells]  # 2/C(10, 5) on P1, times 2
    [('P1', '+', 0.0159), ('P2', '=', 0.9048)]
    """
    scores = check_scores(scores)
    choice("correction", correction, CORRECTIONS)
    paired = flag("paired", paired)
    alpha = probability("alpha", alpha)
    if scores.runs is None:
        raise ScoreError(
            "has one run per cell, and one problem is judged by its runs; give several runs (a column of runs, or a "
            "table of shape (n_problems, n_algorithms, n_runs)), or compare over the problems with bo.compare",
            parameter="scores",
        )
    column = None if control is None else scores.index(control, "control")
    tested = _fold_pair if scores.folds is not None else _paired_pair if paired else _independent_pair
    cells: list[ProblemCell] = []
    family = family_of(scores.n_algorithms, column)
    undone = without_evidence(scores, family)
    load_rank_sum_twin(len(family) * scores.n_problems)
    for done, (a, b) in enumerate(family, start=1):
        judged = _judged(scores, (a, b), tested(scores, a, b), correction, alpha)
        cells += [replace(cell, verdict="?") for cell in judged] if undone[done - 1] else judged
        if progress is not None:
            progress(done, len(family))
    return PerProblem(
        scores=scores,
        control=None if column is None else scores.algorithms[column],
        correction=correction,
        alpha=alpha,
        paired=paired,
        cells=tuple(cells),
        cautions=(
            *_cautions(cells, scores, correction, alpha),
            *([] if paired or scores.folds is not None else _of_spreads(cells, scores)),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Tested:
    """One pair on one problem, before correction."""

    pvalue: float
    direction: float  # positive: a better
    smallest: float  # p-value that as many runs could give
    method: str
    a12: float | None = None  # if the test found it


def _independent_pair(scores: Scores, a: int, b: int) -> list[_Tested]:
    assert scores.runs is not None
    signs = 1.0 if scores.better == "lower" else -1.0
    costs = signs * scores.runs[:, [b, a]]  # U of b's costs: a better
    together = _whole_rows(costs[:, 0], costs[:, 1])
    return [_tested_runs(*row) if test is None else test for row, test in zip(costs, together, strict=True)]


def _tested_runs(second: Array, first: Array) -> _Tested:
    second, first = second[~np.isnan(second)], first[~np.isnan(first)]
    ranks, ties = doubled_midranks(np.concatenate([second, first]))
    test = tested_ranks(ranks, len(second), ties, "two-sided", "auto")
    least = least_rank_sum_pvalue(len(first), len(second))
    return _Tested(test.pvalue, test.a12 - 0.5, least, test.method, test.a12)


def _whole_rows(second: Array, first: Array) -> list[_Tested | None]:
    """The tests of all problems whose runs (n, r) have no gaps: without ties their p-values are those of one law."""
    n, r = first.shape
    law = untied_pvalues(r, r)
    pooled = np.sort(np.concatenate([second, first], axis=1), axis=1)
    untied = np.asarray((pooled[:, 1:] > pooled[:, :-1]).all(axis=1))  # nor is anything above NaN
    whole = untied | ((2 * r <= COUNTED) & ~np.isnan(pooled[:, -1]))
    if law is None or not whole.any():
        return [None] * n
    above = (second[:, :, None] > first[:, None, :]).sum(axis=(1, 2))
    doubled = (2 * above + (second[:, :, None] == first[:, None, :]).sum(axis=(1, 2))).tolist()  # 2·U, ties one half
    least = least_rank_sum_pvalue(r, r)
    tests: list[_Tested | None] = []
    for i in range(n):
        if not whole[i]:
            tests.append(None)
            continue
        p = law[doubled[i] // 2] if untied[i] else _tied_pvalue(pooled[i], r * (r + 1) + doubled[i])
        share = doubled[i] / 2 / (r * r)
        tests.append(_Tested(p, share - 0.5, least, "exact", share))
    return tests


def _tied_pvalue(pooled: Array, doubled: int) -> float:
    """Two-sided, of half of the ascending values with this sum of doubled mid-ranks."""
    below = np.searchsorted(pooled, pooled, "left") + np.searchsorted(pooled, pooled, "right")
    return min(1.0, 2.0 * min(counted_tails(below + 1, len(pooled) // 2, doubled)))


def _paired_pair(scores: Scores, a: int, b: int) -> list[_Tested]:
    tests = []
    for row in range(scores.n_problems):
        runs = paired_runs(scores, row, (a, b), "A paired test of runs")
        sums = signed_rank_sums(_run_differences(Scores(np.column_stack(runs), better=scores.better)))
        method = "exact" if len(sums.ranks) <= EXACT_LIMIT else "normal"
        least = smallest_pvalue(len(runs[0]), "two-sided")
        tests.append(_Tested(two_sided(sums)[0], sums.plus - sums.minus, least, method))
    return tests


def _fold_pair(scores: Scores, a: int, b: int) -> list[_Tested]:
    """The corrected resampled t-test of the folds of each data set; repeats count once."""
    assert scores.folds is not None
    tests, pair = [], scores.select(algorithms=[a, b])
    for row in range(scores.n_problems):
        folds = fold_table(pair, row)
        folds.require_finite("The corrected resampled t-test")
        test = default_test(folds.n_problems, scores.folds)
        of = ordered_differences(widened_folds(folds, scores.folds, test), 0, 1)
        mean = unit_mean(of.values, of.scales)
        p, smallest = mean.pvalue()[0], 0.0 if folds.n_problems > 1 else 1.0
        tests.append(_Tested(p, mean.estimate, smallest, test))
    return tests


def _run_differences(runs: Scores) -> Differences:
    """Subtract the two columns, a row for each run; equal infinite scores tie."""
    differences = ordered_differences(runs, 0, 1)
    refuse_overflow(differences.values[np.isfinite(runs.values).all(axis=1)], "A paired test of runs")
    return Differences(
        values=np.where(np.isnan(differences.values), 0.0, differences.values), scales=differences.scales
    )


def _judged(
    scores: Scores, pair: tuple[int, int], tests: list[_Tested], correction: str, alpha: float
) -> list[ProblemCell]:
    """The cells of one pair: its p-values corrected over the problems."""
    adjusted = _adjusted([test.pvalue for test in tests], correction)
    possible = _adjusted([test.smallest for test in tests], correction)
    known = [test.a12 for test in tests]
    superior = a12(scores, *pair).per_problem.tolist() if None in known else known
    a, b = (scores.algorithms[j] for j in pair)
    return [
        ProblemCell(
            problem=problem,
            a=a,
            b=b,
            verdict=_sign(p, test.direction, least, alpha),
            pvalue=test.pvalue,
            adjusted=p,
            a12=share,
            method=test.method,
        )
        for problem, test, p, least, share in zip(scores.problems, tests, adjusted, possible, superior, strict=True)
    ]


def _adjusted(pvalues: list[float], correction: str) -> list[float]:
    return pvalues if correction == "none" else adjust(pvalues, correction).tolist()


def _sign(p: float, direction: float, least: float, alpha: float) -> Sign:
    if p <= alpha and direction:
        return "+" if direction > 0 else "-"
    return "?" if least > alpha else "="


def _of_spreads(cells: list[ProblemCell], scores: Scores) -> list[Caution]:
    """Warn of runs that spread unequally, also on the scale of logarithms, unless all of one side are better."""
    assert scores.runs is not None
    pvalues = []
    for a, b in dict.fromkeys((cell.a, cell.b) for cell in cells):
        runs = scores.runs[:, [scores.index(a), scores.index(b)]].transpose(1, 0, 2)
        p, positive = spread_pvalues(*runs), ~(runs <= 0).any(axis=(0, 2))
        p[positive] = np.maximum(p[positive], spread_pvalues(*np.log(runs[:, positive])))
        pvalues.append(p)
    apart = [cell.a12 in (0.0, 1.0) for cell in cells]
    unequal = [cells[i] for i in found_unequal(np.where(apart, 1.0, np.concatenate(pvalues)))]
    if not unequal:
        return []
    named = listing([f"{plain(cell.a)} and {plain(cell.b)} on {plain(cell.problem)}" for cell in unequal], 3)
    return [caution_of("unequal", "spreads", unequal=len(unequal), cells=len(cells), named=named)]


def _cautions(cells: list[ProblemCell], scores: Scores, correction: str, alpha: float) -> tuple[Caution, ...]:
    alone = one_process(scores)
    cautions = [*([alone] if alone else []), *source_cautions(scores)]
    cautions += [] if scores.folds is not None else dependent_runs(scores.run_kind, "tested-runs")
    if uneven := unequal_runs(scores, WITHIN_PROBLEMS):
        cautions.append(uneven)
    unable = [cell for cell in cells if cell.verdict == "?"]
    if unable and not alone:
        fewest = int(scores.n_runs.min())
        cautions.append(
            caution_of(
                "out-of-reach",
                "cells",
                unable=len(unable),
                cells=len(cells),
                runs=counted(fewest, "run"),
                problems=counted(scores.n_problems, "problem"),
                alpha=alpha,
            )
        )
    if correction == "none" and scores.n_problems > 1:
        cautions.append(
            caution_of("error-rate", "problems", n_problems=scores.n_problems, alpha=alpha * scores.n_problems)
        )
    return tuple(cautions)


def estimand(result: PerProblem) -> Estimand:
    """Each problem by itself, by its runs: the outer ones, where there are runs inside runs."""
    inner = result.scores.read_as.averaged
    each = f", each run the mean over {', '.join(inner)}" if inner else ""
    weights = "runs" if result.scores.folds is None else "folds"
    return Estimand(weights=weights, runs=f"each problem by itself{each}")
