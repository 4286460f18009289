"""Names cut to their room: in one figure never two names to one label, and none loses the dash of a pair."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.figures import diagram
from bakeoff.figures.geometry.metrics import pair_labels, printable, short_labels, text_width
from bakeoff.figures.geometry.notes import caption_of
from bakeoff.figures.geometry.primitives import Text

GRID = tuple(f"resnet50-imagenet-lr0.{i}-wd1e-4-cosine" for i in range(12))  # V8: twelve panels had one title


@pytest.mark.parametrize("seed", range(40))
def test_labels_fit_and_differ_where_the_names_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = ["net", "lr0.1", "lr0.2", "adam", "x" * 30, "seed 1", "org/model", "随机", "", "a-b_c"]
    names = ["-".join(rng.choice(words, rng.integers(1, 6))) for _ in range(rng.integers(2, 20))]
    bold = bool(rng.integers(2))
    shown, key = short_labels(names, limit := float(rng.uniform(25, 120)), 7.0, bold)
    assert len(set(shown)) == len({printable(name) for name in names})
    assert all(text_width(label, 7.0, bold) <= limit + 0.1 for label in shown)
    assert all(label.count("…") <= 1 for label in shown)
    if key:
        assert all(f"{label} {printable(name)}" in key for label, name in zip(shown, names, strict=True))


def test_one_ellipsis_stands_for_the_longest_common_stretch() -> None:
    names = [f"network-a{i}-imagenet-lr0.{i}-cosine-with-restarts" for i in (1, 2)]
    assert short_labels(names, 50, 7) == (["a1…lr0.1", "a2…lr0.2"], "")


@pytest.mark.parametrize("limit", [40.0, 90.0, 400.0])
def test_a_pair_keeps_both_names_and_its_dash(limit: float) -> None:
    pairs = [("Qwen/Qwen2.5-7B-Instruct", "google/gemma-2-9b-it"), ("Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-14B")]
    shown, _ = pair_labels(pairs, limit, 7.0, bold=True)
    assert all(len(label.split(" – ")) == 2 and all(label.split(" – ")) for label in shown)
    assert len(set(shown)) == 2
    assert all(text_width(label, 7.0, bold=True) <= limit + 0.1 for label in shown)


def scores(k: int, better: str = "lower", binary: bool = False) -> bo.Scores:
    values = np.exp(np.random.default_rng(1).normal(2, 1, (12, k)) + np.linspace(0, 2, k))
    return bo.Scores((values < 20).astype(float) if binary else values, GRID[:k], better=better)


@pytest.mark.parametrize("kind", ["profile", "runtimes", "leaderboard", "ratings", "evaluate", "plackett-luce"])
@pytest.mark.slow_cases("ratings", "plackett-luce")
def test_names_of_a_grid_stay_different_in_every_figure(kind: str) -> None:
    made = {
        "profile": lambda: bo.profile(scores(12), n_resamples=99),
        "runtimes": lambda: bo.runtimes(scores(12), cap=1e6),
        "leaderboard": lambda: bo.leaderboard(scores(12), n_resamples=99),
        "ratings": lambda: bo.ratings(scores(12)),
        "evaluate": lambda: bo.evaluate(scores(12, "higher", binary=True), n_resamples=99),
        "plackett-luce": lambda: bo.bayes.plackett_luce(scores(12), n_draws=100),
    }
    names = [item for item in diagram(made[kind]()).items if isinstance(item, Text) and item.role == "name"]
    assert len({name.text for name in names}) == len({name.about for name in names}) == 12


def test_pairs_of_an_evaluation_are_measured_as_drawn() -> None:
    """Bold names were measured in regular type, and cut (N8)."""
    result = bo.evaluate(scores(4, "higher", binary=True), n_resamples=99)
    drawing = diagram(result, "differences")
    names = [item for item in drawing.items if isinstance(item, Text) and item.role == "name"]
    assert all(name.box[0] >= 0 and " – " in name.text for name in names)


@pytest.mark.parametrize(("k", "bars"), [(6, True), (40, False)])
def test_tied_sets_have_bars_while_these_can_be_told_apart(k: int, bars: bool) -> None:
    values = np.random.default_rng(k).normal(0, 0.3, size=(30, k)) + np.linspace(1, 0, k)
    drawing = diagram(bo.evaluate(bo.Scores(values, better="higher"), n_resamples=99))
    assert bool([item for item in drawing.items if item.role == "tied set"]) == bars
    assert ("The report lists the" in caption_of(drawing)) != bars
