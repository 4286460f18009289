"""Reports on random tables, of every test and correction that the script of a report knows; one per seed."""

from __future__ import annotations

from typing import Any

import numpy as np

import bakeoff as bo

PAIRWISE = (None, "wilcoxon", "sign", "sign-without-ties", "mcnemar", "t", "mean-ranks")
WITH_CONTROL = ("bonferroni", "sidak", "holm", "holland", "finner", "hochberg", "hommel", "li", "fdr-bh", "fdr-by")
OF_PAIRS = ("bonferroni", "holm", "hochberg", "hommel", "shaffer", "bergmann-hommel")
KINDS = ("normal", "rounded", "binary", "lognormal", "integers", "infinite", "scales", "shifted", "hundred", "runs")


def comparison(seed: int, largest: int = 200) -> Any:
    """2 to 12 algorithms on 3 to ``largest`` problems; ties, zeros, 0 and 1, infinities, runs, equal columns."""
    rng = np.random.default_rng(seed)
    kind, x = _table(rng, largest)
    names = [f"a{i}" for i in range(x.shape[1])]
    control = names[int(rng.integers(len(names)))] if rng.random() < 0.5 else None
    scores = bo.Scores(x, names, better=("lower", "higher")[int(rng.integers(2))])
    return bo.compare(scores, control=control, **_choices(rng, kind, control is not None))


def _table(rng: np.random.Generator, largest: int) -> tuple[str, Any]:
    k, n = int(rng.integers(2, 13)), min(largest, 2 + int(rng.geometric(1 / 30)))
    n = max(3, n if rng.random() < 0.85 else int(rng.integers(largest // 2, largest + 1)))
    kind = KINDS[int(rng.integers(len(KINDS)))]
    x = rng.normal(size=(n, k)) + rng.normal(size=k) * rng.choice([0.0, 0.3, 1.0, 3.0])
    if kind == "runs":
        return kind, np.round(x[:, :, None] + rng.normal(size=(n, k, 3)), int(rng.choice([0, 1, 15])))
    if kind == "infinite":
        x[rng.random(x.shape) < rng.choice([0.02, 0.2, 0.5])] = np.inf * rng.choice([1, -1])
    made = {
        "rounded": lambda: np.round(x, 1),
        "binary": lambda: (x > 0).astype(float),
        "hundred": lambda: 100.0 * (x > 0),
        "lognormal": lambda: np.exp(x),
        "integers": lambda: np.round(3 * x),
        "scales": lambda: x * 10.0 ** rng.integers(-6, 7, size=(n, 1)),
        "shifted": lambda: np.round(x + 1000, 2),
    }
    x = made.get(kind, lambda: x)()
    if rng.random() < 0.15:
        x[:, -1] = x[:, 0]
    return kind, x


def _choices(rng: np.random.Generator, kind: str, control: bool) -> dict[str, Any]:
    pairwise = PAIRWISE[int(rng.integers(len(PAIRWISE)))]
    if kind == "infinite" and pairwise not in ("sign", "mean-ranks"):
        pairwise = None
    if pairwise == "mcnemar" and kind != "binary":
        pairwise = "wilcoxon"
    known = WITH_CONTROL if control else OF_PAIRS
    some = [str(name) for name in rng.permutation(known)[:3]]
    found: dict[str, Any] = {
        "pairwise": pairwise,
        "posthoc": (None, some[0], some, some, "all")[int(rng.integers(5))],
        "omnibus": ("iman-davenport", "friedman")[int(rng.integers(2))],
        "alpha": float(rng.choice([0.05, 0.01, 0.1, 0.2])),
        "intervals": ("simultaneous", "simultaneous", "single")[int(rng.integers(3))],
    }
    if pairwise == "mean-ranks" and rng.random() < 0.4:
        found["standard_error"] = "papers"
    if kind == "lognormal":
        more: tuple[dict[str, Any], ...] = ({}, {"transform": "log"}, {"effect": "percent"}, {"effect": "log-ratio"})
        return found | more[int(rng.integers(4))]
    return found | ({"effect": "a12"} if kind != "runs" and rng.random() < 0.1 else {})


def runs_report(seed: int) -> Any:
    """``per_problem`` of 2 to 30 runs, not as many in each cell; ties, infinities, one control and all pairs."""
    rng = np.random.default_rng(seed)
    k, n, r = int(rng.integers(2, 6)), int(rng.integers(1, 9)), int(rng.integers(2, 31))
    x = rng.normal(size=(n, k, r)) + rng.normal(size=(1, k, 1)) * rng.choice([0.0, 1.0, 3.0])
    x = np.round(x, int(rng.choice([0, 1, 15])))
    if rng.random() < 0.2:
        x[rng.random(x.shape) < 0.1] = np.inf
    names = [f"a{i}" for i in range(k)]
    better = ("lower", "higher")[int(rng.integers(2))]
    scores = bo.Scores(x, names, better=better)
    if rng.random() < 0.3:
        kept = [(i, j, run) for i in range(n) for j in range(k) for run in range(int(rng.integers(2, r + 1)))]
        columns = {"problem": [f"P{i}" for i, _, _ in kept], "algorithm": [names[j] for _, j, _ in kept]}
        more = {"run": [run for _, _, run in kept], "score": [float(x[place]) for place in kept]}
        scores = bo.read_scores(columns | more, better)
    control = names[int(rng.integers(k))] if rng.random() < 0.5 else None
    return bo.per_problem(
        scores,
        control=control,
        correction=("holm", "fdr-bh", "none")[int(rng.integers(3))],
        alpha=float(rng.choice([0.05, 0.01, 0.2])),
    )


def means_report(seed: int) -> Any:
    """``evaluate`` of numbers, of 0 and 1, with clusters of one size and of others, with runs, with equal columns."""
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(2, 7)), int(rng.integers(2, 80))
    x = rng.normal(size=(n, k)) + rng.normal(size=k) * rng.choice([0.0, 0.3, 2.0])
    x = {
        "normal": lambda: x,
        "rounded": lambda: np.round(x),
        "binary": lambda: (x > 0).astype(float),
        "large": lambda: 1e6 + np.round(x, 2),
        "runs": lambda: np.round(x[:, :, None] + rng.normal(size=(n, k, 3)), int(rng.choice([0, 15]))),
    }[("normal", "rounded", "binary", "large", "runs")[int(rng.integers(5))]]()
    if rng.random() < 0.15:
        x[:, -1] = x[:, 0]
    clusters = None
    if n > 5 and rng.random() < 0.4:
        clusters = [f"c{i}" for i in np.sort(rng.integers(0, max(3, n // 3), size=n))]
        clusters = clusters if len(set(clusters)) > 1 else None
    names = [f"a{i}" for i in range(k)]
    scores = bo.Scores(x, names, better=("lower", "higher")[int(rng.integers(2))], clusters=clusters)
    return bo.evaluate(
        scores,
        control=names[int(rng.integers(k))] if rng.random() < 0.5 else None,
        correction=("max-t", "holm", "bonferroni")[int(rng.integers(3))],
        alpha=float(rng.choice([0.05, 0.01, 0.2])),
        n_resamples=299,
    )
