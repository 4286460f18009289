"""What other tools answered, recorded, beside our own functions: the same digits where the tools are right.

Recorded on 2026-11-22 with scikit-posthocs 0.17.1, autorank 1.3.0, baycomp 1.0.3 and aeon 1.6.0 (SciPy 1.17.1,
statsmodels 0.15.0), and with ``compute_CD`` of Orange 3.32.0. Where those programs are installed, test_peers.py asks
them again.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import pytest
from scipy.special import stdtr

import bakeoff as bo
from bakeoff.nulls import studentized_range

DEMSAR = bo.datasets.load("demsar_2006")  # 14 data sets, 4 classifiers; ranks are tied
UPPER = np.triu_indices(4, 1)


# --- scikit-posthocs --------------------------------------------------------------------------------------------

CONOVER = [
    0.008605028569980435, 0.6068195207234452, 0.005493562959825505,
    0.030289182911854857, 0.8635936275942139, 0.02022493998418204,
]  # fmt: skip
QUADE = [
    0.03904967998217414, 0.8463822914131326, 0.003303131056409294,
    0.05956730764510596, 0.32603763251130896, 0.005563005973590032,
]  # fmt: skip


def tukey_of(ranks: np.ndarray[Any, Any]) -> Any:
    return bo.tukey(bo.Scores(ranks, DEMSAR.algorithms, better="lower"))


@pytest.mark.parametrize(("ranking", "theirs"), [(bo.rank, CONOVER), (bo.rank_weighted, QUADE)])
def test_tukeys_statistic_on_ranks_is_conovers_and_quades_t(ranking: Any, theirs: list[float]) -> None:
    """√2 times their t, ties included; posthoc_durbin gives Conover's numbers for complete blocks."""
    test = tukey_of(ranking(DEMSAR))
    assert test.df == 39
    p = 2 * stdtr(test.df, -abs(test.statistic[UPPER]) / math.sqrt(2))
    assert p.tolist() == pytest.approx(theirs, rel=1e-12)


TIED = {
    "posthoc_nemenyi_friedman": (
        [0.08867270928888271, 0.9716864713022134, 0.06168325891240056,
         0.22669688602641525, 0.9988823439818528, 0.17005163566434356],
        [0.06486221554238764, 0.9670998703387927, 0.04323648191242575,
         0.18569580588806867, 0.9986921517956469, 0.1344767141307553],
    ),
    "posthoc_siegel_friedman": (
        [0.019172484755223106, 0.6605492052016728, 0.01282669364548545,
         0.057039874249055565, 0.8836174593813679, 0.040423979336908576],
        [0.013554666064815537, 0.6434288435636205, 0.008711912962379593,
         0.044862271152914815, 0.8773705560641434, 0.03075356125927459],
    ),
    "posthoc_miller_friedman": (
        [0.13949556240546954, 0.9787340785568185, 0.1025951485578178,
         0.30535135555885895, 0.999171068865251, 0.24066188520961446],
        [0.10706750968815648, 0.9752507998161112, 0.07579059376804691,
         0.2589045826495798, 0.9990298366175006, 0.1978971262103677],
    ),
}  # fmt: skip


@pytest.mark.parametrize("function", TIED)
def test_scikit_posthocs_ignores_ties(function: str) -> None:
    """Their numbers follow from the papers' error, of untied ranks; the second ones from that of the tied ranks."""
    theirs, ties = TIED[function]
    z = {
        form: np.array([p.statistic for p in bo.compare(DEMSAR, pairwise="mean-ranks", standard_error=form).pairs])
        for form in ("papers", "permutation")
    }
    laws = {
        "posthoc_nemenyi_friedman": lambda z: studentized_range.sf(math.sqrt(2) * abs(z), 4),
        "posthoc_siegel_friedman": lambda z: np.array([math.erfc(abs(x) / math.sqrt(2)) for x in z]),
        "posthoc_miller_friedman": lambda z: np.array([chi_squared_of_three(x * x) for x in z]),
    }
    assert laws[function](z["papers"]).tolist() == pytest.approx(theirs, rel=1e-8)
    assert laws[function](z["permutation"]).tolist() == pytest.approx(ties, rel=1e-10)


def chi_squared_of_three(x: float) -> float:
    """P(χ²₃ ≥ x), in closed form."""
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2)


@pytest.mark.parametrize(("form", "which"), [(None, 0), ("papers", 0), ("permutation", 1)])
def test_nemenyis_p_values_are_theirs_unless_ties_are_allowed_for(form: Any, which: int) -> None:
    result = bo.compare(DEMSAR, posthoc="nemenyi", standard_error=form)
    ours = [pair.adjusted["nemenyi"] for pair in result.pairs]
    assert ours == pytest.approx(TIED["posthoc_nemenyi_friedman"][which], rel=1e-8)


def test_scikit_posthocs_forgets_the_degrees_of_freedom_of_the_single_step() -> None:
    theirs = [0.028915349762485443, 0.9546071554246813, 0.017294411849772096,
              0.11048151393238825, 0.9981629509512495, 0.07312482184460767]  # fmt: skip
    test = tukey_of(bo.rank(DEMSAR))  # Conover's test adjusted by the studentized range is Tukey's test of the ranks
    assert theirs == pytest.approx(studentized_range.sf(abs(test.statistic[UPPER]), 4, math.inf).tolist(), rel=1e-9)
    assert test.pvalue[0, 1] == pytest.approx(0.0411, abs=5e-5)


def test_scikit_posthocs_takes_too_small_an_error_for_quades_normal_test() -> None:
    theirs = [0.0023987335240736505, 0.7815920739551538, 8.595811218563144e-06,
              0.0058051914227468466, 0.15737689751299633, 3.0122855248801684e-05]  # fmt: skip
    ours = [pair.pvalue for pair in bo.compare(DEMSAR, pairwise="quade", posthoc="holm").pairs]
    assert all(p < q for p, q in zip(theirs, ours, strict=True))


def test_wilcoxon_of_pairs() -> None:
    """SciPy's normal approximation to the digit, which its 'auto' takes where differences are tied."""
    theirs = [0.01075713311978963, 0.861262330095348, 0.015874359307532084,
              0.05432871367198416, 0.3278256758446406, 0.025313519968766574]  # fmt: skip
    ours = [bo.wilcoxon(DEMSAR, i, j, zeros="drop", method="normal").pvalue for i, j in zip(*UPPER, strict=True)]
    assert ours == pytest.approx(theirs, rel=1e-12)
    assert bo.wilcoxon(DEMSAR, 0, 1, zeros="drop").pvalue == 0.00732421875


# --- Orange -----------------------------------------------------------------------------------------------------

ORANGE = {  # critical differences times sqrt(6n/(k(k+1))): k = 2, 3, ...
    ("nemenyi", "0.05"): [
        1.959964, 2.343701, 2.569032, 2.727774, 2.849705, 2.94832, 3.030879, 3.10173, 3.163684, 3.218654,
        3.268004, 3.312739, 3.353618, 3.39123, 3.426041, 3.458425, 3.488685, 3.517073, 3.543799,
    ],
    ("nemenyi", "0.1"): [
        1.644854, 2.052293, 2.291341, 2.459516, 2.588521, 2.692732, 2.779884, 2.854606, 2.919889, 2.977768,
        3.029694, 3.076733, 3.119693, 3.159199, 3.195743, 3.229723, 3.261461, 3.291224, 3.319233,
    ],
    ("bonferroni-dunn", "0.05"): [1.96, 2.241, 2.394, 2.498, 2.576, 2.638, 2.69, 2.724, 2.773],
    ("bonferroni-dunn", "0.1"): [1.645, 1.96, 2.128, 2.241, 2.326, 2.394, 2.45, 2.498, 2.539],
}  # fmt: skip


@pytest.mark.parametrize(("test", "alpha"), ORANGE)
def test_critical_differences_of_orange(test: Literal["nemenyi", "bonferroni-dunn"], alpha: str) -> None:
    """To the digits of its tables: six for Nemenyi (3.030879 is 3.030878), three for Bonferroni–Dunn."""
    digits = 1.1e-6 if test == "nemenyi" else 5.1e-4
    for k, q in enumerate(ORANGE[test, alpha], 2):
        ours = bo.critical_difference(k, 30, float(alpha), test) / math.sqrt(k * (k + 1) / (6 * 30))
        if (k, test, alpha) == (9, "bonferroni-dunn", "0.05"):  # Demšar's misprint, errata M2
            assert ours == pytest.approx(2.734369, abs=1e-6)
            assert q == 2.724
        else:
            assert ours == pytest.approx(q, abs=digits)
    assert bo.critical_difference(4, 30) == pytest.approx(0.856, abs=5e-4)  # Orange's documentation


# --- baycomp ----------------------------------------------------------------------------------------------------


def shares(posterior: Any) -> tuple[float, float, float]:
    return posterior.p_better, posterior.p_equivalent, posterior.p_worse


def test_baycomp_on_one_data_set() -> None:
    rope = (0.7521085451644425, 0.24472213827656597, 0.003169316558991553)
    twice = (0.7052347992222786, 0.2830012838408702, 0.011763916936851193)
    assert shares(bo.bayes.correlated_t(DEMSAR, 1, 0, 0.01, folds=14)) == pytest.approx(rope, rel=1e-12)
    assert shares(bo.bayes.correlated_t(DEMSAR, 1, 0, 0.01, folds=7)) == pytest.approx(twice, rel=1e-12)
    without = (0.9650507692378667, 0.0, 0.0349492307621333)
    assert shares(bo.bayes.correlated_t(DEMSAR, 1, 0, folds=14)) == pytest.approx(without, rel=1e-12)


def test_baycomp_on_several_data_sets() -> None:
    """50 000 draws there and here. Sums of differences on the edge of the rope count half there, as within here: at
    0.012, (0.017 + 0.007)/2, it had 0.5049 and 0.4951."""

    def ours(rope: float) -> tuple[float, float, float]:
        return shares(bo.bayes.signed_rank(DEMSAR, 1, 0, prior_strength=0.5, rope=rope, rng=1))

    error = 4 * math.sqrt(2 * 0.25 / 50_000)
    assert ours(0.01) == pytest.approx((0.66916, 0.33084, 0.0), abs=error)
    on_edge, inside, outside = (ours(rope) for rope in (0.012, 0.0121, 0.0119))
    assert on_edge == inside
    assert outside[0] > 0.5049 - error > inside[0]
    assert ours(0.0) == pytest.approx((0.99912, 0.0, 0.00088), abs=error)


# --- autorank ---------------------------------------------------------------------------------------------------


def test_autorank_of_normal_columns() -> None:
    """The analysis of variance is the same. Its Tukey test takes the columns for independent samples: intervals of
    ±0.0804 for means up to 0.0223 apart. With rows as blocks they are ±0.0093, and the best differs from the worst."""
    assert bo.anova(DEMSAR).pvalue == pytest.approx(0.008817717191133868, rel=1e-11)
    tukey = bo.tukey(DEMSAR)
    half = (tukey.high[0, 1] - tukey.low[0, 1]) / 4  # of each mean, where intervals of two part as their means differ
    assert half == pytest.approx(0.00927, abs=1e-5)
    assert half < 0.0803980158705122 / 8
    assert tukey.pvalue[0, 3] < 0.05


def test_autorank_of_two_columns() -> None:
    """One-sided towards the larger median there: half of the two-sided normal p."""
    theirs = 0.005378566559894815
    assert bo.wilcoxon(DEMSAR, 0, 1, zeros="drop", method="normal").pvalue == pytest.approx(2 * theirs, rel=1e-12)


def test_the_interval_of_a_median_is_exact() -> None:
    """There, 20 rows and 3 columns: from the 3rd to the 20th of the ordered values, which covers 0.9998 instead of
    1 − 0.05/3; here from the 5th to the 16th, 0.9882."""
    x = np.exp(np.random.default_rng(7).normal(size=20))
    median = bo.median_difference(x, np.zeros(20), confidence_level=1 - 0.05 / 3, better="higher")
    assert [median.low, median.high] == np.sort(x)[[4, 15]].tolist()
    assert median.achieved_confidence == pytest.approx(sum(math.comb(20, c) for c in range(5, 16)) / 2**20, rel=1e-12)


# --- aeon -------------------------------------------------------------------------------------------------------

AEON = np.array([
    [-0.93, 0.18, 2.79, 1.25], [1.12, 0.59, -0.95, 1.47], [0.58, -0.66, 0.49, 1.19], [-1.47, 0.94, 1.13, 2.02],
    [0.07, 0.88, 1.81, 1.3], [-0.04, -0.08, -0.18, -0.27], [0.15, -0.35, 0.35, 2.24], [-0.35, 0.4, 0.99, 0.78],
    [-0.32, -0.53, 1.51, 1.39], [0.41, 0.47, 0.69, 1.74], [0.08, 2.02, 1.72, 1.51], [-1.29, 0.89, 1.5, 1.46],
    [-0.65, -0.05, -0.03, 1.66], [-1.12, 0.17, -1.31, 2.09],
])  # fmt: skip


def test_the_p_values_of_aeon_are_one_sided() -> None:
    """In the order of mean ranks, d c b a: half of the two-sided p, in the direction that the ranks showed."""
    theirs = [0.0885036733, 0.00142897404, 0.000122070312, 0.0863037109, 0.0122680664, 0.0338134766]
    table = bo.Scores(AEON, list("abcd"), better="higher")
    assert list(bo.compare(table).ranks) == list("dcba")
    for place, (i, j) in enumerate(zip(*UPPER, strict=True)):
        exact = bo.wilcoxon(table, "dcba"[i], "dcba"[j])
        assert exact.zeros == 0
        known = bo.wilcoxon(table, exact.a, exact.b, method="normal") if exact.ties else exact  # as SciPy
        assert known.pvalue == pytest.approx(2 * theirs[place], rel=1e-8)


def test_nemenyis_quantile_of_aeon_is_that_of_one_algorithm_more() -> None:
    """aeon 1.6.0, at 0.05: _get_qalpha(0.05)[k]."""
    theirs = {3: 2.569, 5: 2.85, 10: 3.219}
    for k, q in theirs.items():
        assert bo.critical_difference(k + 1, 30) / math.sqrt((k + 1) * (k + 2) / 180) == pytest.approx(q, abs=5e-4)
