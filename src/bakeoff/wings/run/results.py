"""The result of ``bo.run``: every run, an estimate for every problem, and the scores."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import decision_of_pairs
from bakeoff.wings.run.analysis.results import ExperimentAnalysis
from bakeoff.wings.run.store.contents import Contents


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One finished run."""

    problem: str
    algorithm: str
    repetition: int  # 0, 1, …
    score: float  # as compared; for a failed run, what it counts as
    status: str  # "ok", "failed" or "timeout"
    metrics: Mapping[str, float | str]  # if the algorithm returned several numbers
    seconds: float
    error: str
    attempt: int  # 0: the first; a retry has the same seed
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEstimate:
    """The difference of two algorithms on one problem.

    Attributes
    ----------
    a, b : str
        The two algorithms.
    difference : float or None
        Positive: a is better; in score units, or as a fraction for percent differences.
    standard_error : float or None
        None for single runs, infinite scores, or a difference that cannot be computed.
    """

    a: str
    b: str
    difference: float | None
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The estimates for one problem.

    Attributes
    ----------
    problem : str
        Its name.
    pairs : tuple of PairEstimate
        a before b in the order of algorithms; with a control, a is the control.
    n_runs : tuple of int
        Of each algorithm.
    reason, detail : str
        Why it stopped: "fixed", "accuracy", "budget", "degenerate" or "error"; of an error, one sentence.
    """

    problem: str
    pairs: tuple[PairEstimate, ...]
    n_runs: tuple[int, ...]
    reason: str
    detail: str

    @property
    def difference(self) -> float | None:
        """For two algorithms; None if several pairs are compared (see ``pairs``) or it cannot be computed."""
        return self.pairs[0].difference if len(self.pairs) == 1 else None

    @property
    def standard_error(self) -> float | None:
        """The realised one, largest over the pairs."""
        errors = [pair.standard_error for pair in self.pairs]
        known = [e for e in errors if e is not None]
        return max(known) if known and len(known) == len(errors) else None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RunResult(Reportable):
    """A finished experiment, from ``bo.run``: ``print`` it, ``save`` it, or read:

    Attributes
    ----------
    verdict : str
        The sentence that every report begins with.
    analysis : ExperimentAnalysis
        The test chosen before the first run: ``.pairs``, each with ``.verdict .pvalue .effect``; power and checks.
    estimates : tuple of Estimate
        One per problem, in the experiment's order: difference, its standard error, runs, why it stopped.
    scores : Scores
        Of the finished problems, for ``bo.compare``.
    runs : tuple of RunRecord
        Every run: score, status, metrics, seconds, seed, error.
    algorithms, problems, drawn : tuple of str
        Names in the experiment's order; the problems also in the order drawn, which sequential looks follow.
    n_problems, n_dropped : int
        Problems finished; problems not drawn (``n_problems=``) or not needed (sequential).
    n_runs, n_failed, n_retried, n_beyond : int
        Runs; those among them that failed and count as ``on_failure`` says; failed attempts that were repeated; runs
        beyond the stop of a sequential experiment, kept and not used.
    reasons : mapping of str to int
        Why problems stopped: "fixed", "accuracy", "budget", "degenerate" or "error", and how many.
    differences, statistic : str
        Of the estimates: "simple" or "percent"; what is compared: "mean", "median", or a function's name.
    method, allocation : str
        Of standard errors: "corrected", "paper" or "bootstrap"; of runs: "fixed", "balanced", "optimal" or "pair".
    digest : str
        sha256 of all runs: equal results have equal digests, whatever the executor.
    cautions : tuple of Caution
        About the runs; those about the test are ``analysis.cautions``.
    contents : Contents
        What the store holds.
    """

    kind: ClassVar[str] = "experiment"

    algorithms: tuple[str, ...]
    problems: tuple[str, ...]
    drawn: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    scores: Scores
    differences: str
    statistic: str
    method: str
    allocation: str
    n_runs: int
    n_failed: int
    n_retried: int
    n_problems: int
    n_dropped: int
    reasons: Mapping[str, int]
    digest: str
    analysis: ExperimentAnalysis
    n_beyond: int
    cautions: tuple[Caution, ...]
    contents: Contents = field(repr=False)

    @property
    def decision(self) -> str:
        """A word for scripts: "difference" (of at least one pair), "none" or "cannot tell"."""
        return decision_of_pairs(pair.verdict for pair in self.analysis.pairs)

    @property
    def runs(self) -> tuple[RunRecord, ...]:
        """Every run, by problem, algorithm and repetition."""
        names = [i.name for i in self.contents.instances]
        return tuple(
            RunRecord(
                problem=names[row.problem],
                algorithm=self.algorithms[row.algorithm],
                repetition=row.repetition,
                score=self.contents.score(row),
                status=row.status,
                metrics=json.loads(row.metrics or "{}"),
                seconds=row.seconds,
                error=row.error,
                attempt=row.attempt,
                seed=int(row.seed_hex, 16),
            )
            for row in self.contents.rows
        )

    def to_frame(self) -> Any:
        """The runs as a data frame (pandas if installed, else polars)."""
        from bakeoff.packages import make_frame
        from bakeoff.wings.run.store.exporting import columns

        return make_frame(columns(self.contents))


def estimates_of(contents: Contents, pairs: tuple[tuple[int, int], ...]) -> tuple[Estimate, ...]:
    """Estimates for the finished problems. Stored differences are b − a; these are positive where a is better."""
    sign = 1.0 if contents.spec["better"] == "lower" else -1.0
    names = contents.algorithms
    estimates = []
    for i in contents.instances:
        if not i.done:
            continue
        none = (None,) * len(pairs)
        values = zip(pairs, i.differences or none, i.standard_errors or none, strict=True)
        estimates.append(
            Estimate(
                problem=i.name,
                pairs=tuple(
                    PairEstimate(
                        a=names[a], b=names[b], difference=None if d is None else sign * d + 0.0, standard_error=e
                    )
                    for (a, b), d, e in values
                ),
                n_runs=i.counts,
                reason=i.reason,
                detail=i.detail,
            )
        )
    return tuple(estimates)
