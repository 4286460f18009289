"""The live table of ``bakeoff time``, as rich draws it."""

from __future__ import annotations

import numpy as np
from rich.console import Console

import bakeoff as bo
from bakeoff.wings.guard.time_table import pair_rows, time_headline, time_table
from bakeoff.wings.guard.timing.rounds import TimeProgress


def progress(n_rounds: int, warmups: int = 0) -> TimeProgress:
    rng = np.random.default_rng(0)
    times = np.exp(0.1 * rng.normal(size=(1, 3, n_rounds)) + np.array([0.0, 0.0, 1.0])[:, None])
    scores = bo.Scores(times, ["new", "old [red]", "\x1b[31mslow"], better="lower")
    return TimeProgress(
        n_rounds=n_rounds,
        most_rounds=40,
        seconds=3.0,
        seconds_left=75.0,
        warmups=warmups,
        timing=bo.time_ratios(scores),
        stopping=True,
    )


def test_it_shows_pairs_with_intervals_and_what_is_left() -> None:
    console = Console(width=120, record=True, force_terminal=False)
    console.print(time_table(progress(20)))
    shown = console.export_text()
    assert "20 of at most 40 rounds · at most 1 min 15 s left · stopping" in shown
    assert "new : old [red]" in shown  # a name is no markup
    assert "\x1b" not in shown
    verdicts = [row[-1] for row in pair_rows(progress(20))]
    assert verdicts == ["not decided", "first faster", "first faster"]


def test_before_the_first_round() -> None:
    assert time_headline(progress(1, warmups=2)) == "warming up: 2 to go"
    assert pair_rows(progress(1))[0][2] == ""  # no interval yet
