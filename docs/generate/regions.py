"""Write docs/trust/bayes-regions.md and its figures: ellipsoid (Bayesian Friedman test) beside exact region.

    python docs/generate/regions.py              writes the page and the figures from docs/figures/bayes-regions.json
    python docs/generate/regions.py --measure    measures everything anew first (some minutes)
    python docs/generate/regions.py --check      exits 1 if page or figures are not what the stored numbers give,
                                                 or if some of these numbers, measured again, are not what is stored

Every table of scores and every draw comes from a seed that is the name of its setting, so that any setting can be
measured again alone.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import page_command
import regions_page

from bakeoff.scores import Scores
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_input, weighted_means
from bakeoff.wings.bayes.regions.credible_region import ellipsoid, whiten

ROOT = Path(__file__).resolve().parents[2]

NUMBERS = ROOT / "docs" / "figures" / "bayes-regions.json"
SIZES = (5, 7, 10, 15, 20, 30, 50, 100, 200)
WIDTHS = (3, 5, 10)
TABLES, DRAWS, GAMMA, STRENGTH = 400, 4000, 0.05, 1.0
AGAIN = ("k=3 n=10", "k=5 n=20", "k=10 n=15")  # of every kind: what --check measures again


def null(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    return rng.normal(size=(n, k))


def one_bad(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    return rng.normal(size=(n, k)) + (np.arange(k) == k - 1)


def skewed(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """One order on most problems, with little noise; the opposite on one in eight."""
    turned = np.where(rng.random((n, 1)) < 1 / 8, -1.0, 0.4)
    return turned * np.arange(k) + rng.normal(size=(n, k))


def ties(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """Whole numbers, mostly 0 and ±1: no difference, half of the pairs tied."""
    return np.round(rng.normal(size=(n, k)) * 0.7)


KINDS: dict[str, Callable[[np.random.Generator, int, int], np.ndarray]] = {
    "null": null,
    "one bad": one_bad,
    "skewed": skewed,
    "ties": ties,
}


def settings() -> list[tuple[str, int, int]]:
    return [(kind, k, n) for kind in KINDS for k in WIDTHS for n in SIZES]


def label(kind: str, k: int, n: int) -> str:
    return f"{kind} k={k} n={n}"


def measured(kind: str, k: int, n: int) -> dict[str, float | None]:
    """Over many tables: content of the ellipsoid, how often either region excludes equality, and how often they differ.

    The exact region is judged by a fixed number of draws, without doubling.
    """
    rng = np.random.default_rng(zlib.crc32(label(kind, k, n).encode()))
    contents, by_ellipsoid, by_draws = [], [], []
    for _ in range(TABLES):
        given = posterior_input(Scores(KINDS[kind](rng, n, k), better="lower"), STRENGTH)
        found = whiten(given)
        pieces = weighted_means(found.atoms, found.prior, STRENGTH, DRAWS, rng)
        depths = np.concatenate([np.einsum("ij,ij->i", piece, piece) for piece in pieces])
        by_draws.append(np.mean(depths < found.depth) > 1 - GAMMA)
        if n >= k:
            region = ellipsoid(found, n, GAMMA)
            contents.append(np.mean(depths <= region.critical_value))
            by_ellipsoid.append(region.rejected)
    numbers: dict[str, float | None] = {"exact": share(by_draws)}
    numbers |= dict.fromkeys(("content", "low", "high", "ellipsoid", "differ"))
    if n >= k:
        low, high = np.quantile(contents, [0.05, 0.95])
        numbers |= {"content": round(float(np.mean(contents)), 4), "low": round(float(low), 4)}
        numbers |= {"high": round(float(high), 4), "ellipsoid": share(by_ellipsoid)}
        numbers["differ"] = share(np.not_equal(by_draws, by_ellipsoid))
    return numbers


def share(found: object) -> float:
    return round(float(np.mean(found)), 4)


def measure() -> None:
    numbers = {}
    for setting in settings():
        numbers[label(*setting)] = measured(*setting)
        sys.stderr.write(f"{label(*setting)} {numbers[label(*setting)]}\n")
    stored = {"tables": TABLES, "draws": DRAWS, "gamma": GAMMA, "prior_strength": STRENGTH, "numbers": numbers}
    NUMBERS.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def check() -> list[str]:
    """Numbers that differ from the stored ones; rounding may change one table in a hundred between processors."""
    stored = json.loads(NUMBERS.read_text(encoding="utf-8"))
    complaints = []
    for kind in KINDS:
        for size in AGAIN:
            name = f"{kind} {size}"
            k, n = (int(part.split("=")[1]) for part in size.split())
            again = measured(kind, k, n)
            if any(abs((again[key] or 0) - (value or 0)) > 0.01 for key, value in stored["numbers"][name].items()):
                complaints.append(f"{name}: stored {stored['numbers'][name]}, measured {again}")
    return complaints


def files() -> dict[Path, str]:
    return regions_page.files(json.loads(NUMBERS.read_text(encoding="utf-8")))


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/regions.py", files, measure, check))
