"""Random designs through all commands: two results that say the same estimand report the same means, and never show
opposite verdicts; those of different estimands say so in different sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import bakeoff as bo
from bakeoff.errors import BakeoffError
from bakeoff.scores.design import Estimand
from units.doors import DOORS

DESIGNS = 40
"""Of a chunk."""
CHUNKS = 50
STEPS = {"ratings": 4, "sensitivity": 4, "bayes": 2}
"""Commands that take long answer every fourth, or second, design."""
Pairs = dict[tuple[str, str], int]


@dataclass(frozen=True)
class Answer:
    """What a command says of a table: its estimand, the mean of each algorithm, +1 where the first of two is better."""

    name: str
    estimand: tuple[tuple[str, str], ...]
    means: Mapping[str, float]
    shown: Pairs

    @property
    def sentence(self) -> str:
        return Estimand(**dict(self.estimand)).sentence


def design(rng: Generator) -> bo.Scores:
    """One to five tasks of unequal sizes, now and then one of a single question; clusters within them; one to four runs
    of two or three algorithms."""
    sizes = rng.integers(2, 25, size=rng.integers(1, 6)).tolist()
    if len(sizes) > 1 and rng.random() < 0.3:
        sizes[-1] = 1
    tasks = np.repeat(np.arange(len(sizes)), sizes)
    n, k = len(tasks), int(rng.integers(2, 4))
    clusters = [f"t{t} c{c}" for t, c in zip(tasks, rng.integers(0, 8, size=n), strict=True)]
    r = int(rng.integers(1, 5))
    level = 2 * rng.normal(size=(len(sizes), 1)) + rng.choice([0.0, 0.5, 1.5]) * rng.normal(size=(len(sizes), k))
    cells = level[tasks][:, :, None] + 0.5 * rng.normal(size=(n, k, 1)) + 0.3 * rng.normal(size=(n, k, r))
    if rng.random() < 0.3:
        cells = (cells > 0).astype(float)
    about: dict[str, Any] = {}
    if rng.random() < 0.4:
        about["clusters"] = clusters
    if len(sizes) > 1 and rng.random() < 0.2:
        about["weights"] = str(rng.choice(["tasks", "problems"]))
    return bo.Scores(
        cells if r > 1 else cells[:, :, 0],
        ["A", "B", "C"][:k],
        better=str(rng.choice(["higher", "lower"])),  # type: ignore[arg-type]
        tasks=[f"task {t}" for t in tasks],
        **about,
    )


SIGNS = {"a better": 1, "b better": -1, "a better trade-off": 1}


def shown_by(found: Any) -> Pairs:
    """Of each pair; a regression says that the baseline, the first, is better."""
    if found.kind == "check":
        return {("A", "B"): 1} if found.decision == "regressed" else {}
    verdicts = {(p.a, p.b): getattr(p, "signed_rank", p) for p in getattr(found, "pairs", ()) if hasattr(p, "a")}
    return {pair: sign for pair, p in verdicts.items() if (sign := SIGNS.get(getattr(p, "verdict", ""), 0))}


def means_of(found: Any) -> dict[str, float]:
    """What it reports as means of the scores, wherever it keeps them."""
    if found.kind == "check":
        return {"A": found.rows[0].old, "B": found.rows[0].new}
    if hasattr(found, "standings") and hasattr(found.standings[0], "value"):
        return {row.algorithm: row.value for row in found.standings}
    if hasattr(found, "positions"):
        return {row.algorithm: row.means[0].mean for row in found.positions}
    rows = getattr(found, "estimates", ())
    if rows and hasattr(rows[0], "mean"):
        return {row.algorithm: row.mean for row in rows}
    means = getattr(getattr(found, "comparison", found), "means", None)
    if means is None:
        return {}
    ends = means[:, 0] if np.ndim(means) == 2 else means  # of curves, at the first budget
    return dict(zip(found.scores.algorithms, np.asarray(ends).tolist(), strict=True))


def by_mean_rank(scores: bo.Scores) -> Any:
    return bo.leaderboard(scores, by="mean-rank", n_resamples=199)


OPENED: dict[str, Callable[[bo.Scores], Any]] = {
    **{door.name: door.opened for door in DOORS if door.again is None and not door.shape.versions},
    "leaderboard --by mean-rank": by_mean_rank,
}


def answer(name: str, scores: bo.Scores) -> Answer | None:
    """None where it refuses, or names no estimand."""
    try:
        found = OPENED[name](scores)
    except BakeoffError:
        return None
    said = found.to_dict().get("estimand")
    return Answer(name, tuple(sorted(said.items())), means_of(found), shown_by(found)) if said else None


def answers(scores: bo.Scores, names: Iterator[str]) -> list[Answer]:
    return [found for name in names if (found := answer(name, scores)) is not None]


def complaints(scores: bo.Scores, found: list[Answer]) -> Iterator[str]:
    scale = float(np.abs(scores.values).max())
    by_estimand: dict[Any, list[Answer]] = defaultdict(list)
    for each in found:
        by_estimand[each.estimand].append(each)
    for same in by_estimand.values():
        for a, b in combinations(same, 2):
            for name in a.means.keys() & b.means.keys():
                if abs(a.means[name] - b.means[name]) > 1e-12 * max(scale, 1.0):
                    yield f"{a.name} {a.means[name]}, {b.name} {b.means[name]}: {a.sentence}"
            for pair, sign in a.shown.items():
                if sign == -b.shown.get(pair, 0) or sign == b.shown.get((pair[1], pair[0]), 0):
                    yield f"{a.name} and {b.name} show opposite verdicts of {pair}: {a.sentence}"
    sentences = {each.estimand: each.sentence for each in found}
    if len({*sentences.values()}) < len(sentences):
        yield f"different estimands in one sentence: {sentences}"


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.few(1, 2)
def test_results_of_one_estimand_agree(chunk: int) -> None:
    said: set[str] = set()
    for seed in range(DESIGNS):
        scores = design(np.random.default_rng([11, chunk, seed]))
        found = answers(scores, (name for name in OPENED if seed % STEPS.get(name, 1) == 0))
        said |= {each.name for each in found}
        assert not list(complaints(scores, found)), seed
    assert len(said) >= 8


def test_ratings_of_few_clusters() -> None:
    """A variance that is 0 but for rounding."""
    found = bo.ratings(design(np.random.default_rng([11, 15, 8])), n_resamples=100)
    assert np.isfinite(found.standard_errors).all()


def test_the_mean_over_tasks_is_what_it_says() -> None:
    """By its definition, of every command that says so."""
    for seed in range(DESIGNS):
        scores = design(np.random.default_rng([13, seed]))
        labels = np.array(scores.design.tasks)
        for found in answers(scores, iter(("evaluate", "leaderboard"))):
            weights = dict(found.estimand)["weights"]
            parts = (
                [scores.values[labels == t] for t in dict.fromkeys(labels)] if weights == "tasks" else [scores.values]
            )
            expected = np.mean([part.mean(axis=0) for part in parts], axis=0)
            for j, name in enumerate(scores.algorithms):
                assert found.means[name] == pytest.approx(expected[j], rel=1e-10, abs=1e-12)
