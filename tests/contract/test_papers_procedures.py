"""Procedures of the papers beside a comparison: normalised scores, contrast estimation, both rules of signs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError

TABLE = bo.datasets.load("derrac_cec2005")


def normalised(scores: bo.Scores) -> bo.Scores:
    low, high = scores.values.min(axis=1, keepdims=True), scores.values.max(axis=1, keepdims=True)
    values = (scores.values - low) / np.where(high > low, high - low, 1.0)
    return bo.Scores(values, scores.algorithms, better=scores.better)


@pytest.mark.parametrize("pairwise", ["wilcoxon", "t", "aligned", "mean-ranks"])
def test_minmax_compares_scores_normalised_problem_by_problem(pairwise: str) -> None:
    rng = np.random.default_rng(1)
    scores = bo.Scores(rng.normal(size=(15, 4)) * 10.0 ** rng.integers(-4, 5, (15, 1)), better="higher")
    ours = bo.compare(scores, pairwise=pairwise, transform="minmax")
    theirs = bo.compare(normalised(scores), pairwise=pairwise)
    for a, b in zip(ours.pairs, theirs.pairs, strict=True):
        assert (a.pvalue, a.verdict) == (pytest.approx(b.pvalue), b.verdict)
        assert a.effect is not None
        assert b.effect is not None
        assert a.effect.estimate == pytest.approx(b.effect.estimate)
    assert "normalised to [0, 1]" in ours.methods
    assert {caution.code for caution in ours.cautions}.isdisjoint({"scales-differ"})


@pytest.mark.parametrize(
    ("wrong", "parameter"),
    [
        ({"transform": "minmax", "margin": 0.1}, "margin"),
        ({"transform": "minmax", "recipe": "derrac-2011", "control": 0}, "transform"),
        ({"transform": "maxmin"}, "transform"),
        ({"also": "multiple-sign"}, "also"),  # with whom?
        ({"also": "contrast", "recipe": "derrac-2011"}, "also"),
        ({"also": ["contrast", "tukey"]}, "also"),
    ],
)
def test_what_does_not_go_together_is_refused(wrong: dict[str, Any], parameter: str) -> None:
    with pytest.raises(ParameterError) as error:
        bo.compare(TABLE, **wrong)
    assert error.value.parameter == parameter


def test_two_algorithms_have_no_normalised_sizes() -> None:
    with pytest.raises(ParameterError, match="of two, every difference becomes 1 or −1"):
        bo.compare(TABLE.select(["PSO", "CHC"]), transform="minmax")
    holes = [[1.0, 2.0, 3.0], [float("nan"), 2.0, 1.0], [2.0, 3.0, 1.0], [2.0, 3.0, 4.0]]
    table = bo.Scores(holes, better="lower", missing="keep")
    for more in ({"transform": "minmax"}, {"also": "contrast"}):
        with pytest.raises(ParameterError, match="needs a complete table"):
            bo.compare(table, **more)  # type: ignore[arg-type]


def test_what_is_computed_besides_changes_no_verdict(tmp_path: Path) -> None:
    plain = bo.compare(TABLE, control="SaDE")
    more = bo.compare(TABLE, control="SaDE", also=["contrast", "multiple-sign"])
    assert [(p.a, p.b, p.verdict) for p in plain.pairs] == [(p.a, p.b, p.verdict) for p in more.pairs]
    assert plain.steps == ()
    assert [step.name for step in more.steps] == ["contrast-estimation", "multiple-sign", "multiple-sign"]
    assert more.steps[1].outcome.endswith("SaDE is better than PSO, CHC.")
    assert more.steps[2].outcome.endswith("SaDE is not shown to be worse than any other.")
    more.save(tmp_path / "more.md")
    assert "Contrast estimation" in (tmp_path / "more.md").read_text(encoding="utf-8")
    assert more.request["also"] == ["contrast", "multiple-sign"]
    assert "also" not in plain.request


def test_the_second_rule_is_the_first_of_the_reversed_table() -> None:
    reversed_table = bo.Scores(-TABLE.values, TABLE.algorithms, better="lower")
    worse = bo.multiple_sign_test(TABLE, "PSO", alternative="less")
    better = bo.multiple_sign_test(reversed_table, "PSO")
    assert worse.counts.tolist() == better.counts.tolist()
    assert worse.pvalues.tolist() == better.pvalues.tolist()
    assert worse.rejected.any()
    assert not bo.multiple_sign_test(TABLE, "PSO").rejected.any()
    assert (worse.alternative, better.alternative) == ("less", "greater")
