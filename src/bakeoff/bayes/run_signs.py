"""Every run of one algorithm against every run of another on the same problem, for all pairs of algorithms.

T_ab = Σ_xy w_ax w_by sign(a's run x better than b's run y) is P(a better) − P(b better) when runs have the weights w;
P(a beats b) + ½ P(tie) = ½ + ½ T_ab.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.errors import TooLargeError
from bakeoff.scores import Array

Ints = npt.NDArray[np.int64]
MOST_NUMBERS = 25_000_000  # comparisons of runs held: 200 MB
MOST_ALGORITHMS = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunSigns:
    """Comparisons of single runs, exact; pairs (a, b), a < b, are listed by b and then a."""

    counts: Ints  # (n, k) runs
    blocks: tuple[Array, ...]  # for b = 1, 2 …: (n, r, b·r), row: b's runs, column: runs of 0 … b − 1; 0 where padded
    first: npt.NDArray[np.intp]  # (m,) a
    second: npt.NDArray[np.intp]  # (m,) b

    @property
    def n(self) -> int:
        return int(self.counts.shape[0])

    @property
    def k(self) -> int:
        return int(self.counts.shape[1])

    @property
    def most_runs(self) -> int:
        return int(self.counts.max())

    @property
    def n_comparisons(self) -> int:
        return sum(block.size for block in self.blocks)

    def of_pairs(self) -> Array:
        """(m, n, r_b, r_a) of all pairs."""
        r = self.most_runs
        parts = [block.reshape(self.n, r, -1, r).transpose(2, 0, 1, 3) for block in self.blocks]
        return np.concatenate(parts)

    def margins(self, weights: Array) -> Array:
        """(n, size, m) of T from weights (n, size, k, r), 0 where padded."""
        n, size, _, r = weights.shape
        found = []
        for b, block in enumerate(self.blocks, start=1):
            against = np.matmul(weights[:, :, b, :], block).reshape(n, size, b, r)
            found.append(np.einsum("ndar,ndar->nda", against, weights[:, :, :b, :]))
        return np.concatenate(found, axis=2)


def run_signs(costs: Array, what: str) -> RunSigns:
    """From (n, k, r) costs, NaN-padded. Runs are sorted within their cell: their order changes nothing."""
    n, k, r = costs.shape
    if k > MOST_ALGORITHMS or n * r * r * k * (k - 1) // 2 > MOST_NUMBERS:
        raise TooLargeError(
            f"{what}: at most {MOST_ALGORITHMS} algorithms and {MOST_NUMBERS:.2g} comparisons of single runs "
            f"(problems × pairs of algorithms × runs²) can be held; got {n} × {k * (k - 1) // 2} × {r}². Use fewer "
            "runs or algorithms (scores.select), or bo.bayes.compare, which takes the means over runs."
        )
    ordered = np.sort(costs, axis=2)  # NaN last
    blocks = []
    for b in range(1, k):
        one, others = ordered[:, b, :, None], ordered[:, :b, :].reshape(n, 1, b * r)
        blocks.append((others < one).astype(np.float64) - (others > one))
    second, first = np.tril_indices(k, -1)
    return RunSigns(
        counts=np.sum(~np.isnan(costs), axis=2, dtype=np.int64), blocks=tuple(blocks), first=first, second=second
    )


def normalised(draws: Array, counts: Ints, prior: Array | None = None) -> Array:
    """(n, size, k, r) exponentials -> weights of the runs that there are; with the ``prior``'s weight (n, size, k)
    they sum to less than 1."""
    there = np.arange(draws.shape[3]) < counts[:, None, :, None]
    weights = np.where(there, draws, 0.0)
    total = weights.sum(axis=3)
    if prior is not None:
        total = total + prior
    weights /= total[..., None]
    return weights
