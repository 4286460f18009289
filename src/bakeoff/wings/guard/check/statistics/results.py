"""The result of check()."""

import math
from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal, get_args

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.designed import contributions, of_means
from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.design import Estimand

Decision = Literal["ok", "regressed", "inconclusive"]
VERDICTS: tuple[Decision, ...] = ("regressed", "inconclusive", "ok")  # the worst first
Interval = tuple[float, float]
SUITE = "suite"  # the one row of a gate on the mean over all problems


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRow:
    """One problem against one baseline. Effects are in the unit of the margin; positive ones are worse."""

    problem: str
    against: str  # which baseline: "baseline", or "pinned" and "previous" of a store
    verdict: Decision  # "ok", "regressed" or "inconclusive"
    improved: bool = False  # shown to be better by more than the margin
    effect: float | None  # by how much new is worse: 0.1 is 10 % longer, or 0.1 less of a score; None: no measurement
    interval: Interval | None = None  # one-sided bounds of level 1 − alpha each; infinite where there is none
    detectable: float | None = None  # the worsening that is called a regression with probability 0.8
    pvalue: float | None = None  # of "worse by no more than the margin"
    adjusted: float | None = None  # the same over the family of problems
    p_ok: float | None = None  # of "worse by the margin or more"
    old: float | None  # the baseline: geometric mean of its runs on the scale of ratios, else their mean
    new: float | None = None  # the new measurement, as old
    runs: tuple[int, int]  # independent runs of both; problems, in the row of a suite
    reason: str  # why there is no test, or no verdict; empty otherwise
    margin: float = 0.0  # the worsening that may pass on this problem
    accepted: str = ""  # until which day the regression may pass, and why; empty: it may not


def in_order(rows: Iterable[CheckRow]) -> list[CheckRow]:
    """Regressions, what is not decided, the rest; within these what has no effect, then the largest effect first."""
    return sorted(rows, key=lambda row: (VERDICTS.index(row.verdict), -math.inf if row.effect is None else -row.effect))


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """Signs that something is wrong with the measurements as a whole."""

    improved: int  # problems shown to be better by more than the margin
    regressed: int  # and worse
    median_effect: float | None  # over all problems, in the unit of the margin
    worse: int  # problems whose estimate is worse, of those measured
    measured: int  # problems with a measurement on both sides
    drift: Mapping[str, float]  # {side, or "pairs": second half of its runs against the first}, where it is shown
    runs_needed: int | None = None  # a side, to detect twice the margin wherever more runs than there are would do it


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Check(Reportable):
    """The result of :func:`bakeoff.check`."""

    kind: ClassVar[str] = "check"

    decision: Decision  # what the exit code says
    rows: tuple[CheckRow, ...]  # one entry per problem and baseline
    margin: float  # a fraction on the scale of ratios, else in score units; rows may have one of their own
    alpha: float
    correction: str  # for the number of problems
    level: str  # "problem" or "suite"
    scale: str  # "ratio" or "difference"
    test: str  # "t", "rank", "anytime", "z" or "score"
    paired: bool  # whether runs of both sides belong together
    unit: str  # what counts as independent: "run", "process", "problem", "cluster", …
    strict: bool  # whether what is inconclusive fails
    scores: Scores  # the baselines and "new", one number per independent run
    request: Mapping[str, object]  # the arguments, and what the files said besides scores
    only_new: tuple[str, ...]  # problems that no baseline has: listed, not decided
    diagnostics: Diagnostics  # what may be wrong with the measurements as a whole
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()

    @property
    def sentence(self) -> str:
        """The verdict by another name."""
        return self.verdict

    @property
    def against(self) -> tuple[str, ...]:
        """The baselines, in order."""
        return self.scores.algorithms[:-1]

    def __repr__(self) -> str:
        counts = {name: sum(row.verdict == name for row in self.rows) for name in get_args(Decision)}
        listed = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
        return f"<Check: {self.decision} ({listed})>"


def mean_estimated(result: Check) -> Estimand:
    """What the effects are about: one mean over all problems, or the runs of each problem."""
    scores = result.scores
    both = np.flatnonzero((scores.n_runs[:, :-1] > 0).any(axis=1) & (scores.n_runs[:, -1] > 0))
    mean = "Hodges–Lehmann estimate of" if result.test == "rank" else "mean"
    if contributions(scores):
        return of_means(scores)
    what = f"{'geometric ' if mean == 'mean' and result.scale == 'ratio' else ''}{mean} {scores.metric or 'score'}"
    if result.level == SUITE and len(both):
        return of_means(scores.select(problems=both.tolist()), what)
    return Estimand(weights="runs", what=what, over="the runs of each problem")


def margin_words(result: Check, margin: float | None = None) -> str:
    """``5 %``, ``0.01``: that of the check, or of a row."""
    value = result.margin if margin is None else margin
    return f"{100 * value:.6g} %" if result.scale == "ratio" else f"{value:.6g}"
