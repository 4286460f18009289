"""Shared by the studies of power: the procedures, the tables side by side, and what is measured of their outcomes."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.statistics.corrections import QUICK
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, integer
from bakeoff.dataclass import dataclass, fields
from bakeoff.errors import Caution, ParameterError, TooLargeError, listing
from bakeoff.paired.alternatives import smallest_pvalue
from bakeoff.scores import Array, Scores
from bakeoff.wings.study.many_tables import omnibus_tests
from bakeoff.wings.study.many_tables.procedures import TESTS
from bakeoff.wings.study.many_tables.table_batch import Known, TableBatch, TestOutcome

# Power and replicability from the outcomes of many draws: Demšar (2006), section 4.1.2; Bouckaert (2004).


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloEstimate:
    """A number and its Monte Carlo standard error."""

    value: float
    error: float


def replicability(rejections: int, draws: int) -> float:
    """R(e) = (p(p − 1) + q(q − 1)) / (n(n − 1)): the share of pairs of draws with the same outcome.

    q of n draws reject, p do not. Bouckaert (2004); Demšar (2006), section 4.1.2.
    """
    n = integer("draws", draws, 2)
    q = integer("rejections", rejections, 0, n)
    p = n - q
    return (p * (p - 1) + q * (q - 1)) / (n * (n - 1))


def mean_of(values: Array) -> MonteCarloEstimate:
    """The mean over draws."""
    return MonteCarloEstimate(
        value=math.fsum(values.tolist()) / len(values), error=math.sqrt(_variance(values) / len(values))
    )


def agreement_of(values: Array) -> MonteCarloEstimate:
    """1 − 2·var, the variance with n − 1: R(e) of outcomes 0 and 1, R(p) of p-values.

    Its standard error is twice that of a sample variance, √((m₄ − (n − 3)/(n − 1)·s⁴)/n).
    """
    n = len(values)
    variance = _variance(values)
    fourth = float(np.mean((values - values.mean()) ** 4))
    return MonteCarloEstimate(
        value=1.0 - 2.0 * variance, error=2.0 * math.sqrt(max(0.0, fourth - (n - 3) / (n - 1) * variance**2) / n)
    )


def _variance(values: Array) -> float:
    if len(values) < 2:
        raise ParameterError("must be at least 2: one draw has no variance", parameter="draws")
    return float(np.var(values, ddof=1))


CELLS = 1 << 21
"""Differences of all pairs held at once, about; beyond, fewer tables side by side."""

MOST_SIDE_BY_SIDE = 1000
QUICK_PAIRS = 10
"""Algorithms up to which Bergmann and Hommel's procedure is studied unasked: beyond, it takes minutes."""

Flags = npt.NDArray[np.bool_]
Tables = Callable[[int], tuple[Array, Array]]
"""The costs and scales of the next so many tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerRow:
    """One procedure at one bias. ``_se`` are Monte Carlo standard errors, of this table of scores.

    The p-value is that of the pair, adjusted where all pairs or all comparisons with a are tested; of an omnibus test,
    that of the table. ``_all``: the mean over all pairs of the family.
    """

    test: str
    k: float  # strength of the bias of the draws
    draws: int  # tables drawn
    rejections: int  # draws in which the difference is found
    rejections_se: float  # Monte Carlo error of rejections
    mean_p: float  # mean p-value over the draws
    mean_p_se: float  # Monte Carlo error of mean_p
    r_e: float  # replicability: share of pairs of draws that decide alike
    r_e_se: float  # Monte Carlo error of r_e
    r_p: float  # replicability from the p-values: 1 − 2 Var(p)
    r_p_se: float  # Monte Carlo error of r_p
    mean_p_all: float | None = None  # mean over all pairs of the family; None without
    mean_p_all_se: float | None = None  # Monte Carlo error of mean_p_all
    any_rejections: int | None = None  # draws in which any pair of the family is declared different


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes:
    """One procedure in all draws. ``least``: the smallest p of the hypotheses that are true; ``wrong``: one of them
    is rejected. None where none of those tested is true (or the truth is not known)."""

    pvalue: Array
    rejected: Flags
    mean_all: Array | None
    any_rejected: Flags | None
    least: Array | None
    wrong: Flags | None

    def row(self, test: str, k: float) -> PowerRow:
        """The measures of one procedure."""
        n, count = len(self.pvalue), int(self.rejected.sum())
        e, p = agreement_of(self.rejected.astype(np.float64)), agreement_of(self.pvalue)
        share, mean = mean_of(self.rejected.astype(np.float64)), mean_of(self.pvalue)
        every = None if self.mean_all is None else mean_of(self.mean_all)
        return PowerRow(
            test=test,
            k=k,
            draws=n,
            rejections=count,
            rejections_se=n * share.error,
            mean_p=mean.value,
            mean_p_se=mean.error,
            r_e=replicability(count, n),
            r_e_se=e.error,
            r_p=p.value,
            r_p_se=p.error,
            mean_p_all=None if every is None else every.value,
            mean_p_all_se=None if every is None else every.error,
            any_rejections=None if self.any_rejected is None else int(self.any_rejected.sum()),
        )


def chosen_tests(tests: str | Sequence[str] | None, scores: Scores, relative: bool) -> tuple[tuple[str, ...], str]:
    """The requested procedures; else all that fit the table, and what was left out, in words."""
    k = scores.n_algorithms
    if tests is None or tests == "all":
        left = {} if relative else {"t-relative": "two scores of a problem cancel, or could"}
        if k > QUICK_PAIRS:
            long = ("bergmann-hommel", *(("compare",) if k <= QUICK else ()))
            left |= dict.fromkeys(long, f"all partitions of {k} algorithms take minutes or more")
        if k == 2:
            left |= {
                name: "there are two algorithms" for name, test in TESTS.items() if test.looks in ("control", "pairs")
            }
        kept = tuple(name for name in TESTS if name not in left)
        reasons = {why: [name for name in left if left[name] == why] for why in left.values()}
        return kept, "; ".join(f"{listing(names)} ({why})" for why, names in reasons.items())
    names = [tests] if isinstance(tests, str) else list(tests)
    if not names:
        raise ParameterError("is an empty list; name a procedure, or leave it out for all", parameter="tests")
    for name in names:
        choice("tests", name, TESTS)
        if k == 2 and TESTS[name].looks in ("control", "pairs"):
            raise ParameterError(f"{name!r} needs three or more algorithms; the table has two", parameter="tests")
        if k > TESTS[name].most:
            raise TooLargeError(
                f"{name} takes at most {TESTS[name].most} algorithms in a study; the table has {k}. Take shaffer."
            )
    return tuple(dict.fromkeys(names)), ""


def outcomes_of(
    tables: Tables,
    draws: int,
    shape: tuple[int, int],
    pair: tuple[int, int],
    averaged: bool,
    alpha: float,
    tests: Sequence[str],
    true_in: Callable[[TableBatch, str], Flags] | None = None,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Outcomes]:
    """The outcomes of each test in all draws; ``true_in`` says which hypotheses of a family are true."""
    n, k = shape
    step = max(1, min(MOST_SIDE_BY_SIDE, CELLS // (n * k * (k - 1) // 2)))
    parts: dict[str, list[Outcomes]] = {test: [] for test in tests}
    known: Known = {}
    for start in range(0, draws, step):
        size = min(step, draws - start)
        costs, scales = tables(size)
        batch = TableBatch(costs, scales, averaged, pair, alpha, known)
        for test in tests:
            outcome = TESTS[test].function(batch)
            parts[test].append(_measured(outcome, None if true_in is None else true_in(batch, TESTS[test].looks)))
        if progress is not None:
            progress(size)
    return {test: _joined(parts_of_test) for test, parts_of_test in parts.items()}


def _measured(outcome: TestOutcome, true: Flags | None) -> Outcomes:
    """``true`` (pairs,), or (1,) of a test by itself."""
    every = outcome.pvalue[None, :] if outcome.family is None else outcome.family
    decided = outcome.rejected[None, :] if outcome.decided is None else outcome.decided
    known = true is not None and bool(true.any())
    return Outcomes(
        pvalue=outcome.pvalue,
        rejected=outcome.rejected,
        mean_all=None if outcome.family is None else outcome.family.mean(axis=0),
        any_rejected=None if outcome.decided is None else _any(outcome.decided),
        least=every[true].min(axis=0) if known else None,
        wrong=_any(decided[true]) if known else None,
    )


def _any(decided: Flags) -> Flags:
    """(t,) whether any of (pairs, t)."""
    return np.asarray(decided.any(axis=0))


def _joined(parts: Sequence[Outcomes]) -> Outcomes:
    def together(name: str) -> Any:
        present = [of_part for part in parts if (of_part := getattr(part, name)) is not None]
        return np.concatenate(present) if present else None

    return Outcomes(**{field.name: together(field.name) for field in fields(Outcomes)})


def reach_cautions(tests: Iterable[str], n: int, k: int, alpha: float, left_out: str) -> list[Caution]:
    """Procedures that could not reject whatever is drawn, and those that were left out."""
    least = {
        "sign": smallest_pvalue(n, "two-sided"),
        "wilcoxon": smallest_pvalue(n, "two-sided"),
        "compare": omnibus_tests.smallest_compared(n, k, control=False),
        "compare-control": omnibus_tests.smallest_compared(n, k, control=True),
    }
    unable = [test for test in tests if least.get(test, 0.0) > alpha]
    cautions = []
    if unable:
        cautions.append(caution_of("out-of-reach", "draws", n=n, alpha=alpha, names=listing(unable)))
    if left_out:
        cautions.append(caution_of("left-out", "procedures", left_out=left_out))
    return cautions
