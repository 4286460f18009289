"""compare() decides by the same correction with and without the accelerator."""

import numpy as np
import pytest

import bakeoff as bo


@pytest.mark.slow
@pytest.mark.parametrize("accelerator", [pytest.param("on", marks=pytest.mark.slow), "off"])
def test_default_for_nineteen_signed_rank_tests(accelerator, monkeypatch):
    monkeypatch.setenv("BAKEOFF_ACCELERATOR", accelerator)
    scores = bo.Scores(np.random.default_rng(1).random((12, 19)), better="lower")
    assert bo.compare(scores, pairwise="sign").primary == "holm"
    for pairwise in (None, "mean-ranks"):
        assert bo.compare(scores, pairwise=pairwise).primary == "shaffer"
        assert bo.compare(scores.select(range(12)), pairwise=pairwise).primary == "bergmann-hommel"
        assert bo.compare(scores.select(range(13)), pairwise=pairwise).primary == "shaffer"
    every = bo.compare(scores, posthoc="all")
    assert any("more than 18 algorithms, here 19" in c.text for c in every.cautions)


@pytest.mark.parametrize("pairwise", ["sign", "sign-without-ties"])
def test_signs_are_corrected_by_holm(pairwise):
    """a may be as often better as b, and b as c, but a oftener than c: no groups to draw power from."""
    scores = bo.Scores(np.random.default_rng(1).random((12, 4)), better="lower")
    result = bo.compare(scores, pairwise=pairwise)
    assert result.posthoc == ("holm",)
    assert "transitive" in next(one.reason for one in result.choices if one.value == "holm")
    assert bo.compare(scores, pairwise=pairwise, posthoc="all").primary == "holm"
