"""As many runs per problem as the target standard error takes.

Algorithm 1 of Campelo & Takahashi (2019) for two algorithms; for more, the rules of :mod:`.allocation`.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from bakeoff.dataclass import dataclass, field
from bakeoff.errors import BakeoffError
from bakeoff.plan.differences import KINDS, Kind
from bakeoff.plan.pilots import ErrorTerms, Pairs, PercentForm, compared_pairs, counts_for, error_terms, mean_and_sd
from bakeoff.scores import Array
from bakeoff.wings.run.design.draw_order import resampling_seed
from bakeoff.wings.run.design.settings import Repetitions
from bakeoff.wings.run.schedulers.decision import SchedulingDecision, StopReason, Values, finite_or_none
from bakeoff.wings.run.schedulers.score_table import differences_of, resampled, statistic_value

# Which algorithm runs next on a problem, and batches of such choices.
#
# All rules compare products instead of quotients, so that an algorithm without variation causes no division by zero.


AllocationRule = Callable[[Array], Sequence[int]]  # counts (k,) -> the algorithms that get a run each


def within_pair(terms: ErrorTerms, pair: int, counts: Array) -> int:
    """The first of the pair if n_first/n_second < r, else the second: Algorithm 1, line 9, of the paper.

    With r = q_first/q_second this is n_first·q_second < n_second·q_first; a tie goes to the second, as printed.
    """
    i, j = terms.pairs[pair]
    q_first, q_second = terms.within(pair)
    if q_first == q_second == 0:  # the error comes from the mean of all algorithms: take the largest share
        return int(np.argmax(terms.coefficients[pair] / counts))
    return i if counts[i] * q_second < counts[j] * q_first else j


def worst_pair(terms: ErrorTerms) -> AllocationRule:
    """One run within the pair of largest standard error, the first if tied (CAISEr's rule; for two, Algorithm 1)."""

    def rule(counts: Array) -> tuple[int, ...]:
        pair = int(np.argmax(terms.standard_errors(counts)))
        return (within_pair(terms, pair, counts),)

    return rule


def furthest_below_optimum(terms: ErrorTerms, simple: bool, control: int) -> AllocationRule:
    """The smallest n_i/n_i^opt, the last if tied, as for two algorithms.

    The n^opt for different target standard errors are proportional, so the unit does not matter.
    """
    unit = float(np.max(terms.coefficients))
    optimum = counts_for(terms, unit, simple=simple, control=control).tolist()

    def rule(counts: Array) -> tuple[int, ...]:
        n = counts.tolist()
        best = 0
        for j in range(1, len(n)):
            if not n[best] * optimum[j] < n[j] * optimum[best]:
                best = j
        return (best,)

    return rule


def everyone(n_algorithms: int) -> AllocationRule:
    """Balanced: one run each."""
    return lambda counts: range(n_algorithms)


def planned(
    rule: AllocationRule, counts: Sequence[int], batch: int, nmax: int, enough: Callable[[Array], bool]
) -> tuple[int, ...]:
    """At most ``batch`` runs (at least one step of the rule), never more than ``nmax`` in total.

    It ends as soon as the predicted standard error is ``enough``; otherwise a batch of 64 costs a third more runs.
    """
    n = np.array(counts, dtype=np.float64)
    plan: list[int] = []
    chosen = rule(n)
    most = min(max(batch, len(chosen)), nmax - sum(counts))
    while len(plan) + len(chosen) <= most:
        for j in chosen:
            n[j] += 1
            plan.append(j)
        if enough(n):
            break
        chosen = rule(n)
    return tuple(plan)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdaptiveRuns:
    """Pure except for ``_drawn``, a cache of reproducible bootstrap samples."""

    repetitions: Repetitions
    algorithms: tuple[str, ...]
    seed: int
    _drawn: dict[tuple[str, int], tuple[tuple[float, ...], Array]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def control(self) -> int:
        name = self.repetitions.control
        return 0 if name is None else self.algorithms.index(name)

    @property
    def kind(self) -> Kind:
        """The kind of the differences."""
        return KINDS[self.repetitions.differences]

    @property
    def pairs(self) -> Pairs:
        return compared_pairs(len(self.algorithms), self.repetitions.comparisons, self.control)

    def decide(self, problem: str, values: Values) -> SchedulingDecision:
        """Accuracy is checked before the budget, as in the paper; the budget is never exceeded."""
        decision = self._decide(problem, values)
        if decision.done:  # its bootstrap samples are no longer needed
            for key in [key for key in self._drawn if key[0] == problem]:
                del self._drawn[key]
        return decision

    def _decide(self, problem: str, values: Values) -> SchedulingDecision:
        repetitions = self.repetitions
        counts = tuple(map(len, values))
        plan = tuple(k for rep in range(repetitions.n0) for k, n in enumerate(counts) if n <= rep)
        if plan:
            return SchedulingDecision(counts=counts, plan=plan)
        try:
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # non-finite values are handled below
                terms, errors = self._precision(problem, values)
        except BakeoffError as error:
            return SchedulingDecision(counts=counts, reason="error", detail=str(error))
        except Exception as error:  # of a statistic that is the user's own function
            return SchedulingDecision(counts=counts, reason="error", detail=f"{type(error).__name__}: {error}")
        next_run = len(counts) if repetitions.balanced else 1
        reason: StopReason = ""
        worst = float(np.max(errors))
        if all(min(sample) == max(sample) for sample in values) and (self.kind.logs or not _are_binary(values)):
            reason = "degenerate"
        elif worst <= repetitions.se:
            reason = "accuracy"
        elif sum(counts) + next_run > repetitions.nmax:
            reason = "budget"
        else:
            plan = self._plan(terms, worst, counts)
        return SchedulingDecision(
            counts=counts,
            plan=plan,
            reason=reason,
            differences=finite_or_none(terms.differences),
            standard_errors=finite_or_none(errors),
        )

    def _precision(self, problem: str, values: Values) -> tuple[ErrorTerms, Array]:
        """The terms of every pair's standard error, and the errors: infinite where they cannot be estimated yet."""
        repetitions = self.repetitions
        form: PercentForm = "paper" if repetitions.method_used == "paper" else "corrected"
        samples, drawn = values, None
        if repetitions.statistic == "mean":  # that of logarithms; of another statistic θ, log θ
            samples = [self.kind.measured(sample).tolist() for sample in values]
        if repetitions.method_used == "bootstrap":  # (n_algorithms, resamples)
            drawn = np.array([self._vector(problem, k, sample) for k, sample in enumerate(samples)])
        means, sds = self._moments(samples, drawn)
        terms = error_terms(means, sds, repetitions.comparisons, repetitions.differences, form, self.control)
        counts = np.array([len(sample) for sample in values])
        if drawn is None:
            errors = terms.standard_errors(counts)
        else:
            if self.kind.logs and repetitions.statistic != "mean":  # some may be 0: then there is no error yet
                drawn = np.log(np.where(drawn > 0, drawn, math.nan))
            resampled_differences = differences_of(terms.pairs, drawn, self.kind.relative)
            if resampled_differences is None:
                errors = np.full(len(terms.pairs), math.inf)
            else:
                errors = resampled_differences.std(axis=1, ddof=1)
        if _are_binary(values) and repetitions.statistic == "mean" and not self.kind.logs:
            binary = error_terms(
                means, _binary_sds(values), repetitions.comparisons, repetitions.differences, form, self.control
            )
            errors = (
                binary.standard_errors(counts) if drawn is None else np.fmax(errors, binary.standard_errors(counts))
            )
            terms = binary
        elif all(min(sample) == max(sample) for sample in values):
            return terms, np.zeros_like(errors)
        return terms, np.where(np.isfinite(errors), errors, math.inf)

    def _vector(self, problem: str, k: int, sample: Sequence[float]) -> Array:
        kept, runs = self._drawn.get((problem, k)), tuple(sample)
        if kept is not None and kept[0] == runs:
            return kept[1]
        repetitions = self.repetitions
        seed = resampling_seed(self.seed, problem, self.algorithms[k], len(sample))
        vector = resampled(repetitions.statistic, sample, repetitions.resamples, seed)
        self._drawn[problem, k] = (runs, vector)
        return vector

    def _moments(self, values: Values, drawn: Array | None) -> tuple[list[float], list[float]]:
        """Mean and standard deviation of each algorithm; for another statistic θ, θ̂ and √n times its bootstrap se.

        So the formulas for means allocate runs for any statistic; a bootstrapped mean is allocated by (11) or (17), as
        in the paper.
        """
        statistic = self.repetitions.statistic
        if drawn is None or statistic == "mean":
            pairs = [mean_and_sd(sample) for sample in values]
            return [m for m, _ in pairs], [s for _, s in pairs]
        thetas = np.array([statistic_value(statistic, np.array(sample, dtype=np.float64)) for sample in values])
        spreads = drawn.std(axis=1, ddof=1) * np.sqrt([len(sample) for sample in values])
        if self.kind.logs:  # the delta method: sd of log θ̂ is sd/θ
            spreads = spreads / thetas
        return self.kind.measured(thetas).tolist(), spreads.tolist()

    def _plan(self, terms: ErrorTerms, worst: float, counts: tuple[int, ...]) -> tuple[int, ...]:
        """Plan a batch with frozen moments; a bootstrap error is predicted to shrink in proportion to the formula's."""
        repetitions = self.repetitions
        scale = 1.0
        if repetitions.method_used == "bootstrap":
            with np.errstate(over="ignore", invalid="ignore"):
                now = float(np.max(terms.standard_errors(counts)))
            scale = worst / now if now > 0 and math.isfinite(worst) else math.inf

        def enough(n: Array) -> bool:
            return scale * float(np.max(terms.standard_errors(n))) <= repetitions.se

        with np.errstate(over="ignore", invalid="ignore"):
            return planned(self._rule(terms), counts, repetitions.batch, repetitions.nmax, enough)

    @property
    def allocation(self) -> str:
        """The rule used: "balanced", "pair" or "optimal"; for two algorithms the last two coincide."""
        repetitions = self.repetitions
        if repetitions.balanced:
            return "balanced"
        closed = not self.kind.relative or repetitions.comparisons == "control"
        return "optimal" if repetitions.allocation == "optimal" and closed else "pair"

    def _rule(self, terms: ErrorTerms) -> AllocationRule:
        used, k = self.allocation, len(self.algorithms)
        if used == "balanced":
            return everyone(k)
        varies = np.any(terms.coefficients > 0) and np.all(np.isfinite(terms.coefficients))
        if used == "pair" or k == 2 or not varies:
            return worst_pair(terms)
        return furthest_below_optimum(terms, not self.kind.relative, self.control)


def _are_binary(values: Values) -> bool:
    """Whether all scores are 0 or 1: then equal runs do not show that the others will be equal."""
    return all(score in (0.0, 1.0) for sample in values for score in sample)


def _binary_sds(values: Values) -> list[float]:
    """Standard deviations of 0/1 scores, never 0: with one success and one failure more (Agresti & Caffo, 2000).

    So that sd²/n is p̃(1 − p̃)/(n + 2), p̃ = (successes + 1)/(n + 2), the variance of their interval for a difference.
    """
    sds = []
    for sample in values:
        n = len(sample)
        p = (sum(sample) + 1.0) / (n + 2.0)
        sds.append(math.sqrt(p * (1.0 - p) * n / (n + 2.0)))
    return sds
