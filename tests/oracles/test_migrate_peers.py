"""bakeoff.migrate beside the programs themselves, where they are installed (``peers`` and ``test``; not aeon).

Where a program is wrong (test_migrate_recorded.py has the numbers), a later release may have been mended; nothing is
asked of it here.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bakeoff import migrate
from bakeoff.migrate.rank_tests import ADJUSTMENTS

pandas = pytest.importorskip("pandas")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # of the programs' own warnings, and ours


def peer(name: str) -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name)


def tables() -> list[Any]:
    rng = np.random.default_rng(4)
    made = [
        pandas.DataFrame(rng.normal(size=(n, k)) + 0.3 * np.arange(k), columns=[f"m{j}" for j in range(k)])
        for n, k in ((8, 3), (15, 5), (40, 9))
    ]
    return [*made, (made[1] * 2).round(0)]  # the last with ties


FRAMES = tables()
UNTIED = FRAMES[:3]
RANKED = ("nemenyi_friedman", "siegel_friedman", "miller_friedman")
EVERYWHERE = ("conover_friedman", "durbin", "quade")


@pytest.mark.parametrize("name", [*RANKED, *EVERYWHERE])
def test_scikit_posthocs_to_its_digits(name: str) -> None:
    sp = peer("scikit_posthocs")
    for frame in UNTIED if name in RANKED else FRAMES:
        theirs, ours = getattr(sp, f"posthoc_{name}")(frame), getattr(migrate, f"posthoc_{name}")(frame)
        assert ours.index.equals(theirs.index)
        assert ours.columns.equals(theirs.columns)
        # SciPy's studentized range is a quadrature of about 1e-9
        np.testing.assert_allclose(
            ours.to_numpy(), theirs.to_numpy(), rtol=1e-9, atol=1e-9 if name in RANKED else 1e-13
        )


@pytest.mark.parametrize("adjustment", ADJUSTMENTS)
def test_the_adjustments_of_scikit_posthocs(adjustment: str) -> None:
    sp = peer("scikit_posthocs")
    for name in ("siegel_friedman", "conover_friedman", "quade", "durbin"):
        theirs = getattr(sp, f"posthoc_{name}")(UNTIED[1], p_adjust=adjustment)
        ours = getattr(migrate, f"posthoc_{name}")(UNTIED[1], p_adjust=adjustment)
        np.testing.assert_allclose(ours.to_numpy(), theirs.to_numpy(), rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("melted", [False, True])
@pytest.mark.parametrize("sort", [False, True])
def test_the_shapes_of_scikit_posthocs(melted: bool, sort: bool) -> None:
    sp = peer("scikit_posthocs")
    frame = UNTIED[1][["m3", "m0", "m4", "m1"]]
    options: dict[str, Any] = {"sort": sort}
    if melted:
        frame = frame.reset_index(names="block").melt(id_vars="block", var_name="group", value_name="y")
        frame = frame.sample(frac=1, random_state=1)
        options |= {"y_col": "y", "group_col": "group", "block_col": "block", "block_id_col": "block", "melted": True}
    for name in (*RANKED, *EVERYWHERE):
        theirs = getattr(sp, f"posthoc_{name}")(frame, **options)
        ours = getattr(migrate, f"posthoc_{name}")(frame, **options)
        assert ours.index.tolist() == theirs.index.tolist(), name
        np.testing.assert_allclose(ours.to_numpy(), theirs.to_numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_a_control_of_scikit_posthocs(alternative: str) -> None:
    sp = peer("scikit_posthocs")
    if not hasattr(sp, "posthoc_demsar"):
        pytest.skip("posthoc_demsar came with scikit-posthocs 0.14")
    for frame in UNTIED:
        for p_adjust in (None, "holm"):
            options: dict[str, Any] = {"control": "m1", "alternative": alternative, "p_adjust": p_adjust}
            theirs, ours = sp.posthoc_demsar(frame, **options), migrate.posthoc_demsar(frame, **options)
            np.testing.assert_allclose(ours.to_numpy(), theirs.to_numpy(), rtol=1e-10)
            theirs, ours = (f.posthoc_demsar(frame, to_matrix=False, **options) for f in (sp, migrate))
            assert ours.index.tolist() == theirs.index.tolist()
            np.testing.assert_allclose(ours.to_numpy(), theirs.to_numpy(), rtol=1e-10)


def test_wilcoxon_of_scikit_posthocs() -> None:
    """Exact there too without ties, up to 50 differences."""
    sp = peer("scikit_posthocs")
    for frame in UNTIED:
        long = frame.melt(var_name="g", value_name="y")
        for options in ({}, {"p_adjust": "holm", "sort": True}):
            theirs = sp.posthoc_wilcoxon(long, val_col="y", group_col="g", **options)
            ours = migrate.posthoc_wilcoxon(long, val_col="y", group_col="g", **options)
            assert ours.index.tolist() == theirs.index.tolist()
            np.testing.assert_allclose(ours.to_numpy(), theirs.to_numpy(), rtol=1e-10)
    lists = [FRAMES[3][name].tolist() for name in FRAMES[3]]
    theirs, ours = (f.posthoc_wilcoxon(lists, method="approx") for f in (sp, migrate))
    assert ours.index.tolist() == theirs.index.tolist()
    np.testing.assert_allclose(ours.to_numpy(), theirs.to_numpy(), rtol=1e-10)


# --- autorank ---------------------------------------------------------------------------------------------------


def theirs_of(frame: Any, **options: Any) -> Any:
    program = peer("autorank")
    with contextlib.redirect_stdout(io.StringIO()):
        return program.autorank(frame, **options)


SAME = ("omnibus", "posthoc", "all_normal", "homoscedastic", "homogeneity_test", "alpha", "alpha_normality")
SAME += ("num_samples", "effect_size", "force_mode", "rope", "rope_mode")
DESCRIBED = {"meanrank", "mean", "std", "median", "mad"}


@pytest.mark.parametrize("order", ["ascending", "descending"])
@pytest.mark.parametrize(
    ("options", "power"),
    [
        *[
            ({"force_mode": mode} if mode else {}, power)
            for mode in (None, "parametric", "nonparametric")
            for power in (1, 3)
        ],
        ({"effect_size": "cliff_delta"}, 3),
        ({"effect_size": "akinshin_gamma", "force_mode": "parametric"}, 3),
    ],
    ids=repr,
)
@pytest.mark.few(6)
def test_autorank(order: str, options: dict[str, Any], power: int) -> None:
    """The choice of tests, the omnibus test, the critical difference, and the table up to its order and intervals."""
    for frame in UNTIED[:2]:
        data = frame**power
        theirs, ours = theirs_of(data, order=order, **options), migrate.autorank(data, order=order, **options)
        assert tuple(theirs._fields) == ours._fields[: len(theirs._fields)]
        for field in SAME:
            assert getattr(ours, field) == getattr(theirs, field), field
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)
        assert ours.pval_homogeneity == pytest.approx(theirs.pval_homogeneity, rel=1e-9)
        assert sorted(ours.pvals_shapiro) == pytest.approx(sorted(theirs.pvals_shapiro), rel=1e-6)
        if theirs.cd is not None:
            assert ours.cd == pytest.approx(theirs.cd, rel=1e-4)  # there by an approximation of the quantile
        assert list(ours.rankdf.columns) == list(theirs.rankdf.columns)
        assert set(ours.rankdf.index) == set(theirs.rankdf.index)
        for column in DESCRIBED & set(ours.rankdf.columns):
            expected = theirs.rankdf[column].astype(float).reindex(ours.rankdf.index)
            np.testing.assert_allclose(ours.rankdf[column], expected, rtol=1e-12)
        assert ours.rankdf["meanrank"].is_monotonic_increasing, "the best is first"
        if list(ours.rankdf.index) == list(theirs.rankdf.index):  # then effects are against the same
            for column in ("effect_size", "effect_size_above"):
                np.testing.assert_allclose(ours.rankdf[column], theirs.rankdf[column].astype(float), atol=1e-12)
            assert ours.rankdf["magnitude"].tolist() == theirs.rankdf["magnitude"].tolist()


def test_autorank_of_two() -> None:
    for frame in UNTIED:
        data = frame[["m0", "m2"]]
        theirs, ours = theirs_of(data, force_mode="parametric"), migrate.autorank(data, force_mode="parametric")
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-10)
        for end in ("ci_lower", "ci_upper"):
            expected = theirs.rankdf[end].astype(float).reindex(ours.rankdf.index)
            np.testing.assert_allclose(ours.rankdf[end], expected, rtol=1e-10)
        theirs, ours = theirs_of(data, force_mode="nonparametric"), migrate.autorank(data, force_mode="nonparametric")
        assert min(abs(ours.pvalue / theirs.pvalue - 2), abs(ours.pvalue / theirs.pvalue - 1)) < 1e-9


@pytest.mark.parametrize("power", [1, 3])
@pytest.mark.parametrize("rope", [0.0, 0.1])
def test_autorank_of_posteriors(power: int, rope: float) -> None:
    data = UNTIED[1][["m0", "m1", "m4"]] ** power
    options: dict[str, Any] = {"approach": "bayesian", "rope": rope, "nsamples": 20_000, "random_state": 1}
    theirs, ours = theirs_of(data, **options), migrate.autorank(data, **options)
    assert list(ours.rankdf.index) == list(theirs.rankdf.index)
    assert list(ours.rankdf.columns) == list(theirs.rankdf.columns)
    assert ours.posterior_matrix.shape == theirs.posterior_matrix.shape
    for i, j in zip(*np.triu_indices(3, 1), strict=True):
        a, b = ours.posterior_matrix.iloc[i, j], theirs.posterior_matrix.iloc[i, j]
        np.testing.assert_allclose(a, b, atol=0.02)
        assert ours.decision_matrix.iloc[i, j] == theirs.decision_matrix.iloc[i, j]
        assert ours.decision_matrix.iloc[j, i] == theirs.decision_matrix.iloc[j, i]
    for field in ("omnibus", "posthoc", "pvalue", "cd", "rope", "rope_mode", "homoscedastic"):
        assert getattr(ours, field) == getattr(theirs, field), field
    for column in ({"mean", "std", "effect_size"} | {"median", "mad"}) & set(ours.rankdf.columns):
        np.testing.assert_allclose(ours.rankdf[column], theirs.rankdf[column].astype(float), rtol=1e-10)


# --- baycomp ----------------------------------------------------------------------------------------------------


def test_baycomp() -> None:
    program = peer("baycomp")
    rng = np.random.default_rng(0)
    x = rng.normal(0.8, 0.1, 20)
    y = x + rng.normal(0.01, 0.03, 20)
    for options in ({}, {"rope": 0.01}, {"rope": 0.01, "runs": 2}):
        assert migrate.two_on_single(x, y, **options) == pytest.approx(
            program.two_on_single(x, y, **options), rel=1e-10
        )
    for rope in (0, 0.01):
        ours = migrate.two_on_multiple(x, y, rope, random_state=3)
        assert ours == pytest.approx(program.two_on_multiple(x, y, rope, random_state=3), abs=0.01)
