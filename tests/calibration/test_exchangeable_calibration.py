"""How often an accepted list is wholly true, by prior: true strengths N(0, τ²), noise N(0, 1).

``python tests/calibration/test_exchangeable_calibration.py`` prints the table of docs/guides/bayes.md.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest

import bakeoff as bo

Prior = Literal["flat", "exchangeable"]
SETTINGS = [(5, 14, 0.1), (5, 14, 0.3), (10, 30, 0.1), (10, 30, 0.3), (10, 30, 1.0), (20, 30, 0.1)]
SEED = 20261122


@dataclass
class Tally:
    """Of the accepted lists that are not empty."""

    lists: int = 0
    true_lists: int = 0
    statements: int = 0
    false_statements: int = 0
    stated: float = 0.0
    best_stated: float = 0.0
    best_true: int = 0
    tables: int = 0


def tally(prior: Prior, k: int, n: int, tau: float, tables: int, uneven: bool = False) -> Tally:
    """``uneven``: the noise of the algorithms has standard deviations from 1/2 to 2."""
    found = Tally()
    for i in range(tables):
        rng = np.random.default_rng([SEED, k, n, int(1000 * tau), i])
        truth = rng.normal(0.0, tau, k)
        noise = np.geomspace(0.5, 2.0, k) if uneven else np.ones(k)
        s = bo.Scores(truth + noise * rng.normal(size=(n, k)), better="lower")
        joint = bo.bayes.compare(s, prior=prior, n_draws=2000)
        accepted = [x for x in joint.statements if x.accepted]
        wrong = sum(truth[s.index(x.better)] > truth[s.index(x.worse)] for x in accepted)
        found.lists += bool(accepted)
        found.true_lists += bool(accepted) and wrong == 0
        found.statements += len(accepted)
        found.false_statements += int(wrong)
        found.stated += joint.joint if accepted else 0.0
        ranks = bo.bayes.rank_probabilities(s, n_draws=1000, prior=prior)
        top = int(ranks.p_best.argmax())
        found.best_stated += float(ranks.p_best[top])
        found.best_true += bool(top == truth.argmin())
        found.tables += 1
    return found


def rate(t: Tally) -> float:
    return t.false_statements / max(t.statements, 1)


@pytest.mark.slow
def test_shrinkage_makes_fewer_false_statements_quickly() -> None:
    flat, drawn = (tally(p, 10, 30, 0.1, 30) for p in ("flat", "exchangeable"))
    assert drawn.false_statements < 0.5 * flat.false_statements
    assert rate(drawn) < rate(flat)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n", "tau"), SETTINGS[:5])
def test_lists_are_wholly_true_at_least_as_often(k: int, n: int, tau: float) -> None:
    flat, drawn = (tally(p, k, n, tau, 150) for p in ("flat", "exchangeable"))
    if tau < 1:
        assert drawn.true_lists / drawn.lists > flat.true_lists / flat.lists
        assert drawn.false_statements < 0.6 * flat.false_statements
    else:  # clear differences: as many statements, hardly an error
        assert drawn.true_lists / drawn.lists > 0.92
        assert drawn.statements > 0.97 * flat.statements


@pytest.mark.slow
def test_also_where_some_algorithms_are_noisier() -> None:
    """Then mean ranks and means can disagree; what is compared is the difference between the two priors."""
    flat, drawn = (tally(p, 10, 30, 0.3, 150, uneven=True) for p in ("flat", "exchangeable"))
    assert drawn.true_lists / drawn.lists > flat.true_lists / flat.lists
    assert rate(drawn) < rate(flat)


def print_table(tables: int = 400) -> None:
    for k, n, tau in SETTINGS:
        for prior in ("flat", "exchangeable"):
            t = tally(prior, k, n, tau, tables if k < 20 else tables // 4)
            share = t.true_lists / t.lists
            error = (share * (1 - share) / t.lists) ** 0.5
            cells = [
                f"{k}, {n}, {tau:g}",
                prior,
                f"{share:.2f} ± {error:.2f} of {t.lists}",
                f"{t.stated / t.lists:.2f}",
                f"{t.false_statements} of {t.statements}",
                f"{t.best_stated / t.tables:.2f} / {t.best_true / t.tables:.2f}",
            ]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    print_table()
