"""How often a list is accepted, and wholly true, by prior: true strengths N(0, τ²), noise N(0, 1).

``python tests/calibration/test_exchangeable_calibration.py`` prints the tables of docs/guides/bayes.md.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import bakeoff as bo

Prior = Literal["flat", "exchangeable"]
SETTINGS = [(5, 14, 0.1), (5, 14, 0.3), (10, 30, 0.1), (10, 30, 0.3), (10, 30, 1.0), (20, 30, 0.1)]
SIZES, SPREADS = [(5, 14), (10, 30), (20, 30)], [0.0, 0.1, 0.3, 1.0]
SEED = 20261122
GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "bayes.md"


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


def lists(prior: Prior | None, k: int, n: int, tau: float, tables: int, seed: int = SEED) -> tuple[int, int]:
    """Tables with an accepted list, and the statements of all lists."""
    found = []
    for i in range(tables):
        rng = np.random.default_rng([seed, k, n, int(1000 * tau), i])
        s = bo.Scores(rng.normal(0.0, tau, k) + rng.normal(size=(n, k)), better="lower")
        found.append(bo.bayes.compare(s, prior=prior, n_draws=2000).n_accepted)
    return sum(map(bool, found)), sum(found)


def printed_lists() -> dict[tuple[int, int, str, float], float]:
    """Shares of tables with a list, as the guide prints them."""
    rows = re.findall(r"^\| (\d+), (\d+) \| (\w+) \| (.+) \|$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        (int(k), int(n), prior, tau): float(cell.split(" %")[0]) / 100
        for k, n, prior, cells in rows
        for tau, cell in zip(SPREADS, cells.split(" | "), strict=True)
    }


def test_by_default_noise_makes_few_lists_and_a_flat_prior_makes_many() -> None:
    default, flat = (lists(prior, 5, 14, 0.0, 60, seed=1)[0] / 60 for prior in (None, "flat"))
    printed = printed_lists()
    assert abs(default - printed[5, 14, "exchangeable", 0.0]) < 4 * (0.13 * 0.87 / 60) ** 0.5
    assert abs(flat - printed[5, 14, "flat", 0.0]) < 4 * (0.25 * 0.75 / 60) ** 0.5


@pytest.mark.exhaustive
@pytest.mark.parametrize("prior", ["flat", "exchangeable"])
@pytest.mark.parametrize(("k", "n"), SIZES)
def test_the_guide_prints_how_often_a_list_is_accepted(k: int, n: int, prior: Prior) -> None:
    """Other tables than the guide's: both shares have their errors."""
    tables = 400 if k < 20 else 100
    for tau in SPREADS:
        share = lists(prior, k, n, tau, tables, seed=2)[0] / tables
        wanted = printed_lists()[k, n, prior, tau]
        middle = min(max((share + wanted) / 2, 0.01), 0.99)
        assert abs(share - wanted) < 4 * (2 * middle * (1 - middle) / tables) ** 0.5 + 0.005, (tau, share, wanted)


def rate(t: Tally) -> float:
    return t.false_statements / max(t.statements, 1)


def test_shrinkage_makes_fewer_false_statements_quickly() -> None:
    flat, drawn = (tally(p, 10, 30, 0.1, 30) for p in ("flat", "exchangeable"))
    assert drawn.false_statements < 0.5 * flat.false_statements
    assert rate(drawn) < rate(flat)


@pytest.mark.few(1)
@pytest.mark.parametrize(("k", "n", "tau"), SETTINGS[:5])
def test_lists_are_wholly_true_at_least_as_often(k: int, n: int, tau: float) -> None:
    flat, drawn = (tally(p, k, n, tau, 150) for p in ("flat", "exchangeable"))
    if tau < 1:
        assert drawn.true_lists / drawn.lists > flat.true_lists / flat.lists
        assert drawn.false_statements < 0.6 * flat.false_statements
    else:  # clear differences: as many statements, hardly an error
        assert drawn.true_lists / drawn.lists > 0.92
        assert drawn.statements > 0.97 * flat.statements


@pytest.mark.exhaustive
def test_also_where_some_algorithms_are_noisier() -> None:
    """Then mean ranks and means can disagree; what is compared is the difference between the two priors."""
    flat, drawn = (tally(p, 10, 30, 0.3, 150, uneven=True) for p in ("flat", "exchangeable"))
    assert drawn.true_lists / drawn.lists > flat.true_lists / flat.lists
    assert rate(drawn) < rate(flat)


def print_lists(tables: int = 400) -> None:
    for k, n in SIZES:
        for prior in ("flat", "exchangeable"):
            of = tables if k < 20 else tables // 4
            cells = [lists(prior, k, n, tau, of) for tau in SPREADS]
            said = (f"{100 * some / of:.0f} %, {statements / some:.1f}" for some, statements in cells)
            print(f"| {k}, {n} | {prior} | " + " | ".join(said) + " |", flush=True)


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
    print_lists()
    print_table()

pytestmark = pytest.mark.slow
