"""From p-values to decisions: the family of pairs, what its design can reach, verdicts and groups."""

from dataclasses import dataclass

import numpy as np

from bakeoff.analyses.compare.statistics.corrections import Correction, beyond_limit
from bakeoff.analyses.compare.statistics.results import Verdict
from bakeoff.errors import Caution, TooLargeError
from bakeoff.posthoc.attainable import smallest_adjusted_pvalue, smallest_raw_pvalues
from bakeoff.posthoc.groups import maximal_groups
from bakeoff.posthoc.pairs import PairTests
from bakeoff.ranks.cautions import without_evidence
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import Family


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What was fixed before looking at the scores, and so decides what can be found at all."""

    scores: Scores
    family: Family
    control: int | None
    pairwise: str
    alpha: float
    printed_error: float | None = None  # the papers' standard error of mean ranks, if it is in force
    transformed: bool = False  # differences are of logarithms
    gate: float = 0.0  # the smallest p that the omnibus test of a recipe can give

    def reach(self, method: str, pairwise: str | None = None) -> float:
        """The smallest adjusted p any outcome could have given; a recipe's omnibus test must let it pass, too."""
        n, k = self.scores.values.shape
        test = pairwise or self.pairwise
        printed = self.printed_error if test == self.pairwise else None
        raw = smallest_raw_pvalues(n, k, self.control is not None, test, printed)
        return max(smallest_adjusted_pvalue(raw, method, k, printed is not None), self.gate)


def judged(tests: PairTests, correction: Correction, alpha: float, unreachable: bool, closed: bool) -> list[Verdict]:
    """A verdict per pair: by the primary correction, unless the design or a recipe's gate forbids one."""
    if unreachable:
        return ["cannot tell"] * len(tests.pvalue)
    if closed:
        return ["no difference shown"] * len(tests.pvalue)
    better: dict[float, Verdict] = {1.0: "a better", -1.0: "b better"}
    return [
        better.get(float(direction), "no difference shown") if p <= alpha else "no difference shown"
        for p, direction in zip(correction.values[correction.primary], tests.direction, strict=True)
    ]


def with_evidence(scores: Scores, family: Family, verdicts: list[Verdict]) -> list[Verdict]:
    """Of a pair with one process a side nothing can be told, whatever its p-value."""
    undone = without_evidence(scores, family)
    return ["cannot tell" if none else verdict for none, verdict in zip(undone, verdicts, strict=True)]


def groups_of(
    scores: Scores, family: Family, verdicts: list[Verdict], mean_ranks: Array
) -> tuple[tuple[tuple[str, ...], ...], list[Caution]]:
    """Maximal sets of algorithms mutually not different, best first."""
    k = scores.n_algorithms
    alike = np.ones((k, k), dtype=bool)
    a, b = np.array(family, dtype=np.intp).T
    alike[a, b] = alike[b, a] = [verdict in ("no difference shown", "cannot tell") for verdict in verdicts]
    best_first = [int(j) for j in np.argsort(mean_ranks, kind="stable")]
    try:
        groups = maximal_groups(alike, best_first)
    except TooLargeError as error:
        return (), [beyond_limit("The list of groups", "read the pairs instead", str(error))]
    return tuple(tuple(scores.algorithms[j] for j in group) for group in groups), []
