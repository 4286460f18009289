"""Times of solvers as those of ASlib's runtime scenarios: heavy tails, a cap, about a third of the runs stopped."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import bakeoff as bo

Floats = npt.NDArray[np.float64]
CAP = 5000.0


def solver_times(n: int, k: int, seed: int, spread: float = 0.5) -> Floats:
    """(n, k): hardness of the problem, strength of the solver, noise; all on a log scale; CAP where it was stopped."""
    rng = np.random.default_rng(seed)
    hardness = rng.normal(2.6, 1.6, size=(n, 1))
    strength = np.linspace(0.0, spread, k)
    times = 10 ** (hardness + strength + 0.7 * rng.normal(size=(n, k)))
    return np.asarray(np.minimum(times, CAP))


def reversal(n: int = 300, seed: int = 3) -> bo.Scores:
    """Where both end, "quick" takes a fifth of the time, but it is stopped more often: PAR1 and PAR10 disagree."""
    rng = np.random.default_rng(seed)
    steady = np.minimum(rng.lognormal(7.2, 1.0, n), 0.99 * CAP)
    quick = 0.2 * steady * rng.lognormal(0.0, 0.3, n)
    hard = rng.random(n)
    steady[hard < 0.28] = CAP
    quick[hard < 0.23] = CAP
    quick[hard > 0.86] = CAP
    return bo.Scores(np.column_stack([quick, steady]), ["quick", "steady"], better="lower", unit="s")
