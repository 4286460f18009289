"""Our functions beside the other programs, where these are installed (``peers`` and ``test``; not aeon).

Each case is a row of docs/how-to/migrate.md whose two calls give the same number. Where a program is wrong
(test_peers_recorded.py has the numbers), a later release may have been mended; nothing is asked of it here.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import math
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas
import pytest
from scipy.special import stdtr

import bakeoff as bo

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("scikit_posthocs", "statsmodels", "autorank", "baycomp"),
    pytest.mark.filterwarnings("ignore"),
]  # of the programs' own warnings


def peer(name: str) -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def tables() -> list[Any]:
    rng = np.random.default_rng(4)
    made = [
        pandas.DataFrame(rng.normal(size=(n, k)) + 0.3 * np.arange(k), columns=[f"m{j}" for j in range(k)])
        for n, k in ((8, 3), (15, 5), (40, 9))
    ]
    return [*made, (made[1] * 2).round(0)]  # the last with ties


FRAMES = tables()
UNTIED = FRAMES[:3]


def scores_of(frame: Any) -> bo.Scores:
    return bo.Scores(frame.to_numpy(), list(frame), better="lower")


def raw(scores: bo.Scores, **options: Any) -> list[float]:
    return [pair.pvalue for pair in bo.compare(scores, **options).pairs]


def adjusted(scores: bo.Scores, posthoc: str, **options: Any) -> list[float]:
    return [pair.adjusted[posthoc] for pair in bo.compare(scores, posthoc=posthoc, **options).pairs]


def t_of_ranks(ranks: np.ndarray[Any, Any], scores: bo.Scores) -> list[float]:
    """Two-sided p of Tukey's statistic over √2, unadjusted."""
    test = bo.tukey(bo.Scores(ranks, scores.algorithms, better="lower"))
    p = 2 * stdtr(test.df, -abs(test.statistic) / math.sqrt(2))
    return p[np.triu_indices(len(p), 1)].tolist()  # type: ignore[no-any-return]


# --- scikit-posthocs --------------------------------------------------------------------------------------------


class Same(NamedTuple):
    options: dict[str, Any]  # of the other function
    ours: Callable[[bo.Scores], list[float]]
    frames: list[Any] = UNTIED


SCIKIT_POSTHOCS = {
    "nemenyi_friedman": Same({}, lambda s: adjusted(s, "nemenyi"), FRAMES),
    "siegel_friedman": Same({}, lambda s: raw(s, pairwise="mean-ranks", posthoc="holm")),
    "siegel_friedman, holm": Same({"p_adjust": "holm"}, lambda s: adjusted(s, "holm", pairwise="mean-ranks")),
    "siegel_friedman, papers": Same(
        {}, lambda s: raw(s, pairwise="mean-ranks", posthoc="holm", standard_error="papers"), FRAMES
    ),
    "conover_friedman": Same({}, lambda s: t_of_ranks(bo.rank(s), s), FRAMES),
    "durbin": Same({}, lambda s: t_of_ranks(bo.rank(s), s), FRAMES),
    "quade": Same({}, lambda s: t_of_ranks(bo.rank_weighted(s), s), FRAMES),
}


@pytest.mark.parametrize("name", SCIKIT_POSTHOCS)
def test_scikit_posthocs_to_its_digits(name: str) -> None:
    """SciPy's studentized range is a quadrature of about 1e-9."""
    sp, case = peer("scikit_posthocs"), SCIKIT_POSTHOCS[name]
    for frame in case.frames:
        theirs = getattr(sp, f"posthoc_{name.partition(',')[0]}")(frame, **case.options).to_numpy()
        upper = theirs[np.triu_indices(len(theirs), 1)]
        np.testing.assert_allclose(case.ours(scores_of(frame)), upper, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("holm", [False, True])
def test_a_control_of_scikit_posthocs(holm: bool) -> None:
    sp = peer("scikit_posthocs")
    if not hasattr(sp, "posthoc_demsar"):
        pytest.skip("posthoc_demsar came with scikit-posthocs 0.14")
    for frame in UNTIED:
        theirs = sp.posthoc_demsar(frame, control="m1", p_adjust="holm" if holm else None, to_matrix=False)
        result = bo.compare(scores_of(frame), control="m1", pairwise="mean-ranks", posthoc="holm")
        assert [(pair.a, pair.b) for pair in result.pairs] == theirs.index.tolist()
        ours = [pair.adjusted["holm"] if holm else pair.pvalue for pair in result.pairs]
        np.testing.assert_allclose(ours, theirs.to_numpy(), rtol=1e-10)


def test_wilcoxon_of_scikit_posthocs() -> None:
    """Exact there too without ties, up to 50 differences."""
    sp = peer("scikit_posthocs")
    for frame in UNTIED:
        long = frame.melt(var_name="g", value_name="y")
        theirs = sp.posthoc_wilcoxon(long, val_col="y", group_col="g", p_adjust="holm").to_numpy()
        ours = adjusted(scores_of(frame), "holm", pairwise="wilcoxon")
        np.testing.assert_allclose(ours, theirs[np.triu_indices(len(theirs), 1)], rtol=1e-10)
    tied = scores_of(FRAMES[3])
    theirs = sp.posthoc_wilcoxon([FRAMES[3][name].tolist() for name in FRAMES[3]], method="approx").to_numpy()
    for i, j in zip(*np.triu_indices(len(theirs), 1), strict=True):
        ours = bo.wilcoxon(tied, int(i), int(j), zeros="drop", method="normal").pvalue
        assert ours == pytest.approx(theirs[i, j], rel=1e-10)


# --- statsmodels, to which scikit-posthocs passes p_adjust on -----------------------------------------------------

ADJUSTMENTS = {
    "bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm", "holm-sidak": "holland",
    "simes-hochberg": "hochberg", "hommel": "hommel", "fdr_bh": "fdr-bh", "fdr_by": "fdr-by",
}  # fmt: skip


@pytest.mark.parametrize("theirs", ADJUSTMENTS)
def test_the_adjustments_of_statsmodels(theirs: str) -> None:
    multitest = peer("statsmodels.stats.multitest")
    rng = np.random.default_rng(1)
    for m in (1, 2, 6, 45):
        p = rng.random(m) ** 2
        expected = multitest.multipletests(p, method=theirs)[1]
        np.testing.assert_allclose(bo.adjust(p, ADJUSTMENTS[theirs]), expected, rtol=1e-10, atol=1e-13)


# --- autorank ---------------------------------------------------------------------------------------------------


def autorank_of(frame: Any, **options: Any) -> Any:
    program = peer("autorank")
    with contextlib.redirect_stdout(io.StringIO()):
        return program.autorank(frame, order="ascending", **options)


@pytest.mark.parametrize("number", [0, 1])
def test_autorank(number: int) -> None:
    """Friedman's and the analysis of variance's p, mean ranks; its critical difference has four digits."""
    frame, scores = UNTIED[number], scores_of(UNTIED[number])
    ranks, means = autorank_of(frame, force_mode="nonparametric"), autorank_of(frame, force_mode="parametric")
    result = bo.compare(scores, omnibus="friedman", posthoc="nemenyi")
    assert bo.friedman(scores, ties="corrected").pvalue == pytest.approx(ranks.pvalue, rel=1e-9)
    assert result.critical_difference == pytest.approx(ranks.cd, rel=1e-4)
    assert dict(result.ranks) == pytest.approx(ranks.rankdf["meanrank"].to_dict(), rel=1e-12)
    assert bo.compare(scores, omnibus="anova", posthoc="tukey").omnibus.pvalue == pytest.approx(means.pvalue, rel=1e-9)


def test_autorank_of_two() -> None:
    """Its Wilcoxon test is one-sided, towards what the medians of the same scores show."""
    for frame in UNTIED:
        two = frame[["m0", "m2"]]
        normal, skewed = (autorank_of(two, force_mode=mode).pvalue for mode in ("parametric", "nonparametric"))
        assert bo.paired_t(scores_of(two), 0, 1).pvalue == pytest.approx(normal, rel=1e-10)
        ratio = bo.wilcoxon(scores_of(two), 0, 1, zeros="drop").pvalue / skewed
        assert min(abs(ratio - 2), abs(ratio - 1)) < 1e-9


@pytest.mark.parametrize("rope", [0.0, 0.1])
def test_autorank_of_posteriors(rope: float) -> None:
    data = UNTIED[1][["m0", "m1", "m4"]]
    theirs = autorank_of(
        data, approach="bayesian", rope=rope, rope_mode="absolute", nsamples=20_000, random_state=1
    ).posterior_matrix
    scores = scores_of(data)
    for i, j in zip(*np.triu_indices(3, 1), strict=True):
        a, b = theirs.index[i], theirs.columns[j]
        ours = bo.bayes.signed_rank(scores, a, b, rope=rope, prior_strength=0.5, n_draws=20_000, rng=1)
        # there the first is P(the row is larger), and smaller is better
        np.testing.assert_allclose(shares(ours)[::-1], theirs.iloc[i, j], atol=0.02)


# --- baycomp ----------------------------------------------------------------------------------------------------


def shares(posterior: Any) -> tuple[float, float, float]:
    return posterior.p_better, posterior.p_equivalent, posterior.p_worse


def test_baycomp() -> None:
    program = peer("baycomp")
    rng = np.random.default_rng(0)
    x = rng.normal(0.8, 0.1, 20)
    y = x + rng.normal(0.01, 0.03, 20)
    scores = bo.Scores(np.column_stack([x, y]), ["x", "y"], better="higher")
    for runs in (1, 2):
        ours = shares(bo.bayes.correlated_t(scores, "x", "y", rope=0.01, folds=len(x) // runs))
        assert ours == pytest.approx(program.two_on_single(x, y, rope=0.01, runs=runs), rel=1e-10)
    for rope in (0, 0.01):
        ours = shares(bo.bayes.signed_rank(scores, "x", "y", rope=rope, prior_strength=0.5, rng=3))
        assert ours == pytest.approx(program.two_on_multiple(x, y, rope, random_state=3), abs=0.01)
