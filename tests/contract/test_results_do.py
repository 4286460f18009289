"""What a result can do beside ``save``: its methods paragraph, LaTeX, a plot; pairs have ``adjusted_pvalue``."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot

import bakeoff as bo
from bakeoff.analyses import by_kind
from bakeoff.errors import BakeoffError
from every_kind import RESULTS

mpl.use("Agg")
RESULT = bo.compare(bo.datasets.load("demsar_2006"), posthoc=["holm", "bonferroni"])


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", by_kind())
def test_every_kind(kind: str) -> None:
    result, record = RESULTS[kind](), by_kind()[kind]
    assert result.to_latex().startswith("%") or record.tex_is_picture
    assert isinstance(result.methods, str)
    if not record.drawn_by and not record.pictured:
        with pytest.raises(BakeoffError):
            result.plot()
    else:
        axes = result.plot()
        assert axes.get_xlim()[1] > 100
        pyplot.close(axes.figure)


def test_the_paragraph_is_that_of_the_report() -> None:
    assert RESULT.methods.startswith("4 algorithms were compared on 14 problems")
    assert "(Holm, 1979)" in RESULT.methods
    assert bo.plan.curve(20).methods == ""


def test_in_short_has_the_test_and_the_verdict_in_sixty_words() -> None:
    """The methods paragraph has 190 words and no result (N14)."""
    assert RESULT.in_short.startswith("4 algorithms were compared on 14 problems (higher scores are better).")
    assert "(Wilcoxon, 1945)" in RESULT.in_short
    assert RESULT.in_short.endswith(RESULT.verdict)
    assert 40 <= len(RESULT.in_short.split()) <= 70
    assert bo.plan.curve(20).in_short == ""


def test_axes_that_are_given_are_drawn_into() -> None:
    figure, axes = pyplot.subplots()
    assert RESULT.plot(axes, kind="list") is axes
    assert len(axes.texts) > 8
    pyplot.close(figure)


def test_adjusted_pvalues_are_those_that_decide() -> None:
    assert [pair.adjusted_pvalue for pair in RESULT.pairs] == [pair.adjusted["holm"] for pair in RESULT.pairs]
    scores = bo.Scores(np.random.default_rng(1).normal(size=(12, 3)), better="lower")
    for found in (bo.evaluate(scores, n_resamples=99), bo.ratings(scores, n_resamples=100)):
        assert [pair.adjusted_pvalue for pair in found.pairs] == [pair.adjusted for pair in found.pairs]
