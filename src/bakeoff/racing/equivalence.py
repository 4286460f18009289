"""Two candidates that beat each other equally often, to within a margin: evidence that may be looked at at any time.

With w wins of i over j and l losses, ties left out, and P the chance of a win (Wald's mixtures, one for each side):

    E⁺ = mean over p in {.48, .50, .52} of (p/.55)^w ((1 − p)/.45)^l    against P >= .55
    E⁻ = mean over p in {.48, .50, .52} of (p/.45)^w ((1 − p)/.55)^l    against P <= .45

for the margin .05; for another margin ε the points are 1/2 and 1/2 ± 2ε/5. The pair is claimed equivalent,
|P − 1/2| < ε, when min(E⁺, E⁻) >= (q − 1)/α. Each is an e-process for every P on its side, because p is nearer to 1/2,
so by Ville's inequality and a sum over its q − 1 opponents the true best one is ever falsely called equivalent with
probability at most α. That is an α of its own, on top of the race's.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bakeoff.checks import probability
from bakeoff.errors import Caution, ParameterError
from bakeoff.racing.rule import Elimination, leading
from bakeoff.racing.rules.pair_evidence import log_grid_mean
from bakeoff.scores.cells import Array

_POINTS = (-0.4, 0.0, 0.4)  # of the margin, around 1/2


class EquivalenceTest:
    """``q`` candidates, its own level, and how far from 1/2 the chance of a win may be."""

    def __init__(self, q: int, alpha: float, margin: float = 0.05) -> None:
        self.alpha = probability("equivalence (the level of a separate test)", alpha)
        if not (isinstance(margin, int | float) and not isinstance(margin, bool) and 0.001 <= margin < 0.5):
            raise ParameterError(
                f"margin must be a number from 0.001 to below 0.5: the chance of a win is then within 1/2 ± margin; "
                f"got {margin!r}"
            )
        self.margin = float(margin)
        self.threshold = (q - 1) / self.alpha

    @property
    def promise(self) -> str:
        return (
            f"with probability at least 1 − {self.alpha:g} the best one is not removed as equivalent to one from which "
            f"its chance of a win differs by {self.margin:g} or more from 1/2"
        )

    def evidence(self, wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
        """min(E⁺, E⁻) of counts."""
        return np.asarray(np.exp(np.minimum(self.log_evidence(wins, losses), 690.0)))

    def log_evidence(self, wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
        won, lost = np.broadcast_arrays(np.asarray(wins, dtype=float), np.asarray(losses, dtype=float))
        sides = []
        for edge in (0.5 + self.margin, 0.5 - self.margin):
            terms = []
            for point in _POINTS:
                p = 0.5 + point * self.margin
                terms.append(won * math.log(p / edge) + lost * math.log((1.0 - p) / (1.0 - edge)))
            sides.append(log_grid_mean(*terms))
        return np.minimum(*sides)

    def leaving(
        self,
        alive: npt.NDArray[np.int64],
        staying: npt.NDArray[np.bool_],
        wins: npt.NDArray[np.int64],
        n_problems: int,
    ) -> list[Elimination]:
        """Of those that stay: pairs by decreasing evidence, the one with the worse rank leaves; one stays at least."""
        at = np.flatnonzero(staying)
        if n_problems < self._fewest or len(at) < 2:
            return []
        w = wins[np.ix_(at, at)]
        log_e = np.triu(self.log_evidence(w, w.T), 1)
        points = (w - w.T).sum(axis=1).astype(float)
        left = np.ones(len(at), dtype=bool)
        found = []
        pairs = np.argwhere(np.triu(log_e >= math.log(self.threshold), 1))
        for i, j in sorted(pairs.tolist(), key=lambda pair: -log_e[pair[0], pair[1]]):
            if left[i] and left[j]:
                stays, goes = (i, j) if leading(points[[i, j]])[0] == 0 else (j, i)
                left[goes] = False
                found.append(
                    Elimination(
                        candidate=int(alive[at[goes]]),
                        n_problems=n_problems,
                        reason="equivalent",
                        by=int(alive[at[stays]]),
                        evidence=float(np.exp(min(log_e[i, j], 690.0))),
                    )
                )
        return found

    @property
    def _fewest(self) -> float:
        """Below this many problems no counts reach the threshold: how much a problem can multiply E by is bounded."""
        return math.log(self.threshold) / math.log((0.5 + 0.4 * self.margin) / (0.5 - self.margin))


def equivalence_caution(test: EquivalenceTest) -> Caution:
    return Caution(
        code="equivalence-is-dear",
        text=f"Calling two candidates equivalent (chance of a win within 1/2 ± {test.margin:g}) takes many problems: "
        "at a margin of 0.05 and level 0.05 a pair that does not differ at all needs 1047 on average, 2086 among 100 "
        "candidates. Being equivalent is not passed on: if b is equivalent to j and j is later beaten by k, nothing "
        "is said about b and k.",
        reference="Ville (1939); measured by exact enumeration",
    )
