"""The omnibus test rejects, and no pair is declared different: verdict, decision and cautions say so."""

import json
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo


@pytest.fixture(scope="module")
def demsar() -> bo.Scores:
    return bo.datasets.load("demsar_2006")


def codes(result: bo.Comparison) -> set[str]:
    return {caution.code for caution in result.cautions}


def test_a_gate_that_rejects_decides(demsar: bo.Scores, tmp_path: Path) -> None:
    result = bo.compare(demsar, recipe="demsar-2006")  # Demšar (2006), section 3.2.2: "some algorithms do differ"
    assert result.omnibus.pvalue == pytest.approx(0.0144, abs=5e-5)
    assert {pair.verdict for pair in result.pairs} == {"no difference shown"}
    assert result.some_differ
    assert result.decision == "difference"
    assert "omnibus-alone" not in codes(result), "the verdict says it"
    for suffix in ("json", "html", "md"):
        result.save(tmp_path / f"r.{suffix}")
        text = (tmp_path / f"r.{suffix}").read_text(encoding="utf-8")
        assert "Some of the 4 algorithms differ" in text
        assert "No difference is shown between any" not in text
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["decision"] == "difference"
    assert "Some of the 4 algorithms differ" in result.in_short


def test_a_gate_that_does_not_reject_decides_nothing() -> None:
    rng = np.random.default_rng(1)
    result = bo.compare(bo.Scores(rng.normal(size=(14, 4)), better="lower"), recipe="demsar-2006")
    assert result.omnibus.pvalue > 0.05
    assert result.decision == "none"
    assert not result.some_differ
    assert "gate-closed" in codes(result)


def test_pairs_that_differ_say_which() -> None:
    scores = bo.datasets.load("derrac_cec2005")
    result = bo.compare(scores, control="SaDE", recipe="derrac-2011")
    assert result.decision == "difference"
    assert not result.some_differ
    assert "Some of" not in result.verdict


def table(seed: int) -> bo.Scores:
    """Of normal scores with steps of 0.35."""
    rng = np.random.default_rng(seed)
    return bo.Scores(np.round(rng.normal(size=(12, 4)) + np.arange(4) * 0.35 + 10, 1), list("ABCD"), better="lower")


def test_without_a_recipe_a_note_mirrors_omnibus_not_rejected() -> None:
    result = bo.compare(table(10))
    assert result.omnibus.pvalue == pytest.approx(0.00909, abs=5e-6)
    assert result.some_differ
    assert result.decision == "none"
    assert [(c.code, c.severity) for c in result.cautions] == [("omnibus-alone", "note")]
    assert "p = 0.00909" in str(result)
    assert "p = 0.00909" in result.in_short


def test_a_control_that_differs_from_none() -> None:
    scores = table(10)
    free = bo.compare(scores, control="C")
    assert free.some_differ
    assert free.decision == "none"
    assert "omnibus-alone" in codes(free)
    gated = bo.compare(scores, control="C", recipe="garcia-2010")
    assert not any(pair.verdict.endswith("better") for pair in gated.pairs)
    assert gated.omnibus.pvalue <= 0.05
    assert gated.decision == "difference"
    assert "C (the control)" in gated.verdict


@pytest.mark.parametrize("control", [None, 0])
def test_pairs_that_no_outcome_could_separate_leave_the_gates_decision(control: int | None) -> None:
    ordered = bo.Scores(np.arange(4.0) + 10 * np.arange(2.0)[:, None], better="lower")
    result = bo.compare(ordered, control=control, recipe="demsar-2006")
    assert {pair.verdict for pair in result.pairs} == {"cannot tell"}
    assert result.omnibus.pvalue == pytest.approx(1 / 24)  # (1/k!)^(n-1), the least there is
    assert result.decision == "difference"
    assert result.verdict.startswith("Some of the 4 algorithms differ")
    assert bo.compare(ordered, control=control).decision == "cannot tell"


def test_of_missing_scores_too() -> None:
    values = table(10).values.copy()
    values[0, 3] = np.nan
    result = bo.compare(bo.Scores(values, better="lower", missing="keep"))
    decided = any(pair.verdict.endswith("better") for pair in result.pairs)
    assert ("omnibus-alone" in codes(result)) == (result.omnibus.pvalue <= 0.05 and not decided)


def test_two_algorithms_have_one_test() -> None:
    rng = np.random.default_rng(2)
    result = bo.compare(bo.Scores(rng.normal(size=(30, 2)), better="lower"))
    assert not result.some_differ
    assert not {"omnibus-alone", "omnibus-not-rejected"} & codes(result)


@pytest.mark.parametrize("seed", range(6))
def test_either_disagreement_is_said_and_never_both(seed: int) -> None:
    result = bo.compare(table(seed))
    decided, rejects = result.decision == "difference", result.omnibus.pvalue <= 0.05
    assert ("omnibus-alone" in codes(result)) == (rejects and not decided)
    assert ("omnibus-not-rejected" in codes(result)) == (not rejects)


def test_a_test_that_takes_scores_to_be_missing_at_random_is_no_evidence_whatever_they_are() -> None:
    values = table(10).values.copy()
    values[0, 3] = np.nan
    bounds = bo.compare(bo.Scores(values, better="lower", missing="keep"), missing="bounds")
    assert not bounds.some_differ
    assert "omnibus-alone" not in codes(bounds)
