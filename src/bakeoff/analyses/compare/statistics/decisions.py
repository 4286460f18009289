"""From p-values to decisions: the family of pairs, what its design can reach, verdicts and groups."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.analyses.compare.statistics.corrections import beyond_limit
from bakeoff.analyses.compare.statistics.results import Verdict
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.errors import Caution, TooLargeError
from bakeoff.posthoc.attainable import smallest_adjusted_pvalue, smallest_raw_pvalues
from bakeoff.posthoc.groups import maximal_groups
from bakeoff.scores import Array
from bakeoff.scores.pair_family import Family, shown_better


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What was fixed before looking at the scores, and so decides what can be found at all."""

    n: int  # units
    k: int
    control: bool
    pairwise: str
    printed_error: float | None = None  # the papers' standard error of mean ranks, if it is in force
    gate: float = 0.0  # the smallest p that the omnibus test of a recipe can give

    def reach(self, method: str, pairwise: str | None = None) -> float:
        """The smallest adjusted p any outcome could have given; a recipe's omnibus test must let it pass, too."""
        test = pairwise or self.pairwise
        printed = self.printed_error if test == self.pairwise else None
        raw = smallest_raw_pvalues(self.n, self.k, self.control, test, printed)
        return max(smallest_adjusted_pvalue(raw, method, self.k, printed is not None), self.gate)


def judged(
    pvalues: Array, directions: Array, reach: Array | float, alpha: float, closed: bool = False
) -> list[Verdict]:
    """A verdict per pair by its adjusted p, unless none could have reached alpha, or a recipe's gate is closed."""
    least = np.broadcast_to(reach, pvalues.shape).tolist()
    return [
        "cannot tell" if lowest > alpha else shown_better(not closed and p <= alpha, direction)
        for p, direction, lowest in zip(pvalues.tolist(), directions.tolist(), least, strict=True)
    ]


def with_evidence(undone: Sequence[bool], verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Of a pair with one process a side nothing can be told, whatever its p-value."""
    return ["cannot tell" if none else verdict for none, verdict in zip(undone, verdicts, strict=True)]


def groups_of(
    algorithms: Sequence[str], family: Family, verdicts: Sequence[Verdict], mean_ranks: Array
) -> tuple[tuple[tuple[str, ...], ...], list[Caution]]:
    """Largest sets without a shown difference, best first; a verdict that depends on missing scores shows none."""
    k = len(algorithms)
    alike = np.ones((k, k), dtype=bool)
    a, b = np.array(family, dtype=np.intp).T
    alike[a, b] = alike[b, a] = [verdict not in DECIDED for verdict in verdicts]
    best_first = [int(j) for j in np.argsort(mean_ranks, kind="stable")]
    try:
        groups = maximal_groups(alike, best_first)
    except TooLargeError as error:
        return (), [beyond_limit("The list of groups", "read the pairs instead", str(error))]
    return tuple(tuple(algorithms[j] for j in group) for group in groups), []
