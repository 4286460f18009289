"""Long names where two stand in a row: never cut to the same letters."""

import re

import numpy as np
import pytest

import bakeoff as bo

NAMES = ["meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-70B-Instruct", "Qwen/Qwen2.5-7B-Instruct"]


def results() -> list[object]:
    values = np.random.default_rng(1).normal(size=(12, 3)) + np.arange(3)
    scores = bo.Scores(values, NAMES, better="higher")
    wins = bo.WinTable([[0, 7, 9], [6, 0, 7], [4, 6, 0]], algorithms=NAMES)
    return [bo.ratings(wins), bo.interquartile_mean(scores), bo.compare(scores), bo.evaluate(scores)]


@pytest.mark.parametrize("kind", range(4))
def test_every_row_of_a_pair_says_which(kind: int) -> None:
    """N23: of ratings, two models of one family were both "meta-llama/Llama…"."""
    page = str(results()[kind])
    assert "…" not in re.sub(r"… and \d+ more", "", page)
    assert all(len(line) <= 80 for line in page.split("\n"))
    assert "[1] " in page or "Llama-3.1-8B" in page
