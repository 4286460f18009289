"""Words of the Bayesian report that a first-time reader stumbled over."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.report.formats import latex
from bakeoff.wings.bayes.analysis.reporting import (
    document as posterior_contents,
    readings as posterior_readings,
    tables,
)


def test_a_difference_within_the_rope_is_no_tie() -> None:
    values = np.column_stack([np.zeros(10), [0.1] * 4 + [1.0] * 5 + [-1.0]])
    scores = bo.Scores(values, ["A", "B"], better="lower")
    said = dict(posterior_readings.readings(bo.bayes.overview(scores, rope=0.5, n_draws=200)))["this pair"]
    assert said.startswith("Of 10 problems 5 won by more than 0.5, 4 within ±0.5, 1 lost by more than 0.5 by A.")
    said = dict(posterior_readings.readings(bo.bayes.overview(scores, n_draws=200)))["this pair"]
    assert said.startswith("Of 10 problems 9 won, 0 tied, 1 lost by A.")


def test_bounds_in_tables_are_rounded_outwards_like_those_in_sentences() -> None:
    same = bo.bayes.overview(bo.Scores(np.ones((15, 3)), better="lower"), prior="ignorance", n_draws=200)
    table = tables.pairs(same)[0]
    at = [column.key for column in table.columns].index("joint")
    assert [row.cells[at] for row in table.rows] == ["0 – 1"] * 3  # not "< 0.001 – > 0.999"


def test_the_ellipsoid_is_not_advised_where_it_is_refused() -> None:
    few = bo.Scores([[1, 2, 3], [2, 1, 3], [3, 1, 2]], better="lower")
    for scores in (few, few.select(problems=few.problems[:1])):
        for prior in ("equal", "ignorance"):
            found = bo.bayes.friedman(scores, region="exact", prior=prior, n_draws=200)  # type: ignore[arg-type]
            for caution in found.cautions:
                if caution.code == "region-narrow":
                    assert ('region="ellipsoid"' in caution.text) == (scores.n_problems == 3)


@pytest.mark.slow
def test_a_table_for_paper_breaks_its_heads_before_it_is_cut_in_two() -> None:
    """ "better/worse" stood alone in a second table, "continued"."""
    overview = bo.bayes.overview(bo.datasets.load("derrac_cec2005"), n_draws=200)
    paper = latex.render(posterior_contents.REPORT.document(overview))
    assert "(part 1 of" not in paper
    assert r"\begin{tabular}[b]{@{}r@{}}expected \\ loss\end{tabular}" in paper
