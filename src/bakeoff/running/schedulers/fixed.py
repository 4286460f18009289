"""The same number of runs for every algorithm on every problem."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bakeoff.errors import BakeoffError
from bakeoff.plan.standard_errors import compared_pairs, error_terms, mean_and_sd
from bakeoff.running.schedulers.decision import Decision, Values


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedRuns:
    """``runs`` repetitions each; the differences of all pairs are simple ones of means."""

    runs: int
    n_algorithms: int

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        return compared_pairs(self.n_algorithms, "all-pairs")

    @property
    def allocation(self) -> str:
        return "fixed"

    def decide(self, problem: str, values: Values) -> Decision:
        """What is missing, repetition by repetition; then the estimates."""
        counts = tuple(map(len, values))
        plan = tuple(k for rep in range(self.runs) for k, n in enumerate(counts) if n <= rep)
        if plan:
            return Decision(counts=counts, plan=plan)
        differences, errors = _estimates(values)
        return Decision(counts=counts, reason="fixed", differences=differences, standard_errors=errors)


def _estimates(values: Values) -> tuple[tuple[float | None, ...], tuple[float | None, ...]]:
    """Simple differences of means; None where an infinite score enters, and no standard error from single runs."""
    k = len(values)
    pairs = compared_pairs(k, "all-pairs")
    means: list[float] = []
    sds: list[float | None] = []
    for sample in values:
        try:
            mean, sd = (sample[0], None) if len(sample) == 1 else mean_and_sd(sample)
        except BakeoffError:  # infinite scores, or a spread beyond the largest float
            mean, sd = math.inf, None
        means.append(mean)
        sds.append(sd)
    with_spread = [0.0 if sd is None else sd for sd in sds]
    finite = [m if math.isfinite(m) else 0.0 for m in means]
    terms = error_terms(finite, with_spread)
    errors = terms.standard_errors([len(sample) for sample in values]).tolist()
    known = [math.isfinite(means[i]) and math.isfinite(means[j]) for i, j in pairs]
    spread = [sds[i] is not None and sds[j] is not None for i, j in pairs]
    differences = terms.differences.tolist()
    return (
        tuple(_finite(d) if ok else None for d, ok in zip(differences, known, strict=True)),
        tuple(_finite(e) if ok else None for e, ok in zip(errors, spread, strict=True)),
    )


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
