"""What other tools answered, recorded, beside what bakeoff.migrate answers: the same digits where they are right.

Recorded on 2026-11-22 with scikit-posthocs 0.17.1, autorank 1.3.0, baycomp 1.0.3 and aeon 1.6.0 (SciPy 1.17.1,
statsmodels 0.15.0), and with ``compute_CD`` of Orange 3.32.0. Where those programs are installed,
test_migrate_peers.py asks them again.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import migrate
from bakeoff.migrate import MigrationWarning
from bakeoff.nulls import studentized_range

pandas = pytest.importorskip("pandas")

DEMSAR = bo.datasets.load("demsar_2006")  # 14 data sets, 4 classifiers; ranks are tied
FRAME = pandas.DataFrame(DEMSAR.values, columns=DEMSAR.algorithms)
UPPER = np.triu_indices(4, 1)


def quietly(function: str, *arguments: object, **options: object) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MigrationWarning)
        return getattr(migrate, function)(*arguments, **options)


def upper(function: str, **options: object) -> list[float]:
    return quietly(function, FRAME, **options).to_numpy()[UPPER].tolist()  # type: ignore[attr-defined]


def warned(function: str, *arguments: object, **options: object) -> tuple[Any, dict[str, str]]:
    """The answer, and the text of every caution by its code."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        answer = getattr(migrate, function)(*arguments, **options)
    messages = [w.message for w in caught]
    assert all(isinstance(message, MigrationWarning) for message in messages)
    return answer, {message.caution.code: message.caution.text for message in messages}  # type: ignore[union-attr]


def told(function: str, **options: object) -> set[str]:
    return set(warned(function, FRAME, **options)[1])


# --- scikit-posthocs --------------------------------------------------------------------------------------------

RIGHT = {
    ("posthoc_conover_friedman", None): [
        0.008605028569980435, 0.6068195207234452, 0.005493562959825505,
        0.030289182911854857, 0.8635936275942139, 0.02022493998418204,
    ],
    ("posthoc_durbin", None): [
        0.008605028569980435, 0.6068195207234452, 0.005493562959825505,
        0.030289182911854857, 0.8635936275942139, 0.02022493998418204,
    ],
    ("posthoc_quade", None): [
        0.03904967998217414, 0.8463822914131326, 0.003303131056409294,
        0.05956730764510596, 0.32603763251130896, 0.005563005973590032,
    ],
}  # fmt: skip


@pytest.mark.parametrize(("function", "p_adjust"), RIGHT)
def test_scikit_posthocs_where_it_is_right(function: str, p_adjust: str | None) -> None:
    """Conover's and Quade's t-tests, ties included."""
    assert upper(function, p_adjust=p_adjust) == pytest.approx(RIGHT[function, p_adjust], rel=1e-12)
    assert told(function, p_adjust=p_adjust) == {"uncorrected"}
    assert told(function, p_adjust="holm") == set()


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
    """The recorded numbers follow from the error of untied ranks, ours from compare()'s permutation error."""
    theirs, ours = TIED[function]
    assert upper(function) == pytest.approx(ours, rel=1e-10)
    assert "peer-ignores-ties" in told(function)
    raw = {  # the papers' form, from compare(), by each law
        form: np.array([p.statistic for p in bo.compare(DEMSAR, pairwise="mean-ranks", standard_error=form).pairs])
        for form in ("papers", "permutation")
    }
    laws = {
        "posthoc_nemenyi_friedman": lambda z: studentized_range.sf(math.sqrt(2) * abs(z), 4),
        "posthoc_siegel_friedman": lambda z: np.array([math.erfc(abs(x) / math.sqrt(2)) for x in z]),
        "posthoc_miller_friedman": lambda z: np.array([chi_squared_of_three(x * x) for x in z]),
    }
    assert laws[function](raw["papers"]).tolist() == pytest.approx(theirs, rel=1e-8)
    assert laws[function](raw["permutation"]).tolist() == pytest.approx(ours, rel=1e-10)


def chi_squared_of_three(x: float) -> float:
    """P(χ²₃ ≥ x), in closed form."""
    return math.erfc(math.sqrt(x / 2)) + math.sqrt(2 * x / math.pi) * math.exp(-x / 2)


def test_scikit_posthocs_forgets_the_degrees_of_freedom_of_the_single_step() -> None:
    theirs = [0.028915349762485443, 0.9546071554246813, 0.017294411849772096,
              0.11048151393238825, 0.9981629509512495, 0.07312482184460767]  # fmt: skip
    ours = upper("posthoc_conover_friedman", p_adjust="single-step")
    ranks = bo.Scores(bo.rank(DEMSAR), DEMSAR.algorithms, better="lower")
    test = bo.tukey(ranks)  # Conover's test adjusted by the studentized range is Tukey's test of the ranks
    assert test.df == 39
    assert ours == pytest.approx(test.pvalue[UPPER].tolist(), rel=1e-12)
    assert theirs == pytest.approx(studentized_range.sf(abs(test.statistic[UPPER]), 4, math.inf).tolist(), rel=1e-9)
    assert told("posthoc_conover_friedman", p_adjust="single-step") == {"peer-degrees-of-freedom"}


def test_scikit_posthocs_takes_too_small_an_error_for_quades_normal_test() -> None:
    theirs = [0.0023987335240736505, 0.7815920739551538, 8.595811218563144e-06,
              0.0058051914227468466, 0.15737689751299633, 3.0122855248801684e-05]  # fmt: skip
    ours = upper("posthoc_quade", dist="normal")
    compared = bo.compare(DEMSAR, pairwise="quade", posthoc="holm")
    assert ours == pytest.approx([pair.pvalue for pair in compared.pairs], rel=1e-12)
    assert all(p < q for p, q in zip(theirs, ours, strict=True))
    assert told("posthoc_quade", dist="normal") == {"peer-standard-error", "uncorrected"}


@pytest.mark.slow
def test_the_size_of_quades_normal_test_here_and_there() -> None:
    """Where nothing differs: at most 0.05 here; 0.23 to 0.245 of 400 tables of three sizes there."""
    rng = np.random.default_rng(1)
    for n, k in ((10, 3), (20, 5), (30, 4)):
        draws = 600
        small = sum(
            quietly("posthoc_quade", rng.normal(size=(n, k)), dist="normal").iloc[0, 1] <= 0.05  # type: ignore[attr-defined]
            for _ in range(draws)
        )
        assert abs(small / draws - 0.05) <= 4 * math.sqrt(0.05 * 0.95 / draws), (n, k, small / draws)


def test_wilcoxon_of_pairs() -> None:
    """SciPy's normal approximation to the digit; its 'auto' is that approximation where differences are tied."""
    lists = [FRAME[name] for name in FRAME]
    theirs = [0.01075713311978963, 0.861262330095348, 0.015874359307532084,
              0.05432871367198416, 0.3278256758446406, 0.025313519968766574]  # fmt: skip
    approximate = quietly("posthoc_wilcoxon", lists, method="approx")
    assert approximate.to_numpy()[UPPER].tolist() == pytest.approx(theirs, rel=1e-12)  # type: ignore[attr-defined]
    exact = quietly("posthoc_wilcoxon", lists)
    each = [bo.wilcoxon(DEMSAR, i, j, zeros="drop", method="exact").pvalue for i, j in zip(*UPPER, strict=True)]
    assert exact.to_numpy()[UPPER].tolist() == each  # type: ignore[attr-defined]
    with pytest.warns(MigrationWarning, match="peer-normal-approximation"):
        migrate.posthoc_wilcoxon(lists, p_adjust="holm")


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
def test_critical_differences_of_orange(test: str, alpha: str) -> None:
    """To the digits of its tables: six for Nemenyi (3.030879 is 3.030878), three for Bonferroni–Dunn."""
    digits = 1.1e-6 if test == "nemenyi" else 5.1e-4
    for k, q in enumerate(ORANGE[test, alpha], 2):
        n = 30
        ranks = list(range(1, k + 1))
        unit = math.sqrt(k * (k + 1) / (6 * n))
        if (k, test, alpha) == (9, "bonferroni-dunn", "0.05"):  # Demšar's misprint, errata M2
            with pytest.warns(MigrationWarning, match=r"peer-misprint.*2\.724.*2\.734"):
                ours = migrate.compute_CD(ranks, n, alpha, test)
            assert ours / unit == pytest.approx(2.734369, abs=1e-6)
            assert q == 2.724
        else:
            assert migrate.compute_CD(ranks, n, alpha, test) / unit == pytest.approx(q, abs=digits)


def test_orange_had_no_other_levels_and_no_more_algorithms() -> None:
    assert migrate.compute_CD(range(40), 30, 0.01) == bo.critical_difference(40, 30, 0.01)
    assert migrate.compute_CD([1.9, 3.2, 2.8, 3.3], 30) == pytest.approx(0.856, abs=5e-4)  # Orange's documentation


# --- baycomp ----------------------------------------------------------------------------------------------------


def test_baycomp_on_one_data_set() -> None:
    x, y = DEMSAR.values[:, 1], DEMSAR.values[:, 0]
    rope = (0.7521085451644425, 0.24472213827656597, 0.003169316558991553)
    twice = (0.7052347992222786, 0.2830012838408702, 0.011763916936851193)
    assert migrate.two_on_single(x, y, 0.01) == pytest.approx(rope, rel=1e-12)
    assert migrate.two_on_single(x, y) == pytest.approx((0.9650507692378667, 0.0349492307621333), rel=1e-12)
    assert migrate.two_on_single(x, y, 0.01, 2) == pytest.approx(twice, rel=1e-12)


def test_baycomp_on_several_data_sets() -> None:
    """50 000 draws there and here. Sums of differences on the edge of the rope count half there, as within here: at
    0.012, (0.017 + 0.007)/2, it had 0.5049 and 0.4951."""
    x, y = DEMSAR.values[:, 1], DEMSAR.values[:, 0]
    error = 4 * math.sqrt(2 * 0.25 / 50_000)
    assert migrate.two_on_multiple(x, y, rope=0.01, random_state=1) == pytest.approx((0.66916, 0.33084, 0.0), abs=error)
    on_edge, inside, outside = (migrate.two_on_multiple(x, y, rope=r, random_state=1) for r in (0.012, 0.0121, 0.0119))
    assert on_edge == inside
    assert outside[0] > 0.5049 - error > inside[0]
    assert migrate.two_on_multiple(x, y, random_state=1) == pytest.approx((0.99912, 0.0, 0.00088), abs=error)


# --- autorank ---------------------------------------------------------------------------------------------------


def test_autorank_of_normal_columns() -> None:
    """The analysis of variance is the same. Its Tukey test takes the columns for independent samples: intervals of
    ±0.0804 for means up to 0.0223 apart. With rows as blocks they are ±0.0093, and the best differs from the worst."""
    result, cautions = warned("autorank", FRAME)
    assert set(cautions) == {"peer-ignores-pairing", "peer-worst-first"}
    assert {c.code for c in result.cautions} == {"peer-ignores-pairing", "peer-worst-first", "peer-pretest"}
    assert (result.omnibus, result.posthoc, result.cd) == ("anova", "tukeyhsd", None)
    assert result.pvalue == pytest.approx(0.008817717191133868, rel=1e-11)
    shapiro = [0.026881095857682315, 0.02019705471358035, 0.03241116456978776, 0.03377159693214577]
    assert result.pvals_shapiro == pytest.approx(shapiro[::-1], rel=1e-6)  # in the order of the table
    assert (result.all_normal, result.homoscedastic, result.homogeneity_test) == (True, True, "bartlett")
    assert result.pval_homogeneity == pytest.approx(0.993377197365878, rel=1e-10)
    table = result.rankdf
    assert list(table.index) == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]  # there the other way round
    assert table["meanrank"].tolist() == pytest.approx([1.9285714, 2.0, 2.9285714, 3.1428571], abs=1e-6)
    assert table["mean"]["C4.5"] == pytest.approx(0.8049285714285714, rel=1e-14)
    assert table["std"]["C4.5"] == pytest.approx(0.16018713301141757, rel=1e-12)
    assert table["effect_size"]["C4.5"] == pytest.approx(0.14159314159218012, rel=1e-12)  # the best against the worst
    assert table["effect_size_above"]["C4.5+m"] == pytest.approx(0.04333751679943994, rel=1e-12)
    half = (table["ci_upper"] - table["ci_lower"]).to_numpy() / 2
    tukey = bo.tukey(DEMSAR)
    assert half == pytest.approx(np.full(4, (tukey.high[0, 1] - tukey.low[0, 1]) / 4), rel=1e-12)
    assert half[0] < 0.0803980158705122 / 8
    parted = table["ci_lower"]["C4.5+m+cf"] > table["ci_upper"]["C4.5"]
    assert parted == (tukey.pvalue[0, 3] < 0.05)
    assert parted


def test_autorank_of_two_columns() -> None:
    """One-sided towards the larger median there: 0.00538 is half of the two-sided normal p; exact here."""
    result, cautions = warned("autorank", FRAME.iloc[:, :2], force_mode="nonparametric")
    assert "peer-one-sided" in cautions
    assert result.pvalue == bo.wilcoxon(DEMSAR, 0, 1, zeros="drop").pvalue == 0.00732421875
    theirs = 0.005378566559894815
    assert theirs == pytest.approx(0.01075713311978963 / 2, rel=1e-12)


SKEWED = np.exp(np.random.default_rng(7).normal((0.0, 0.4, 1.0), size=(20, 3)))


def test_the_interval_of_a_median_is_exact() -> None:
    """There, 20 rows and 3 columns: from the 3rd to the 20th of the ordered values, which covers 0.9998 instead of
    1 − 0.05/3; here from the 5th to the 16th, 0.9882."""
    frame = pandas.DataFrame(SKEWED, columns=list("abc"))
    result, cautions = warned("autorank", frame)
    assert "to 10 instead of 5" in cautions["peer-median-interval"]
    table = result.rankdf
    for name in "abc":
        ordered = np.sort(frame[name].to_numpy())
        low, high = table.loc[name, ["ci_lower", "ci_upper"]]
        i, j = ordered.tolist().index(low), ordered.tolist().index(high)
        assert i + j == 19, "symmetric"
        inside = sum(math.comb(20, c) for c in range(i + 1, j + 1)) / 2**20
        narrower = sum(math.comb(20, c) for c in range(i + 2, j)) / 2**20
        assert narrower < 1 - 0.05 / 3 <= inside


def test_too_few_rows_have_no_interval() -> None:
    """Five rows reach 0.9375; there the interval is all of them, and silent."""
    values = SKEWED.copy()[:5]
    values[0] *= 1e4  # no column is normal
    result, cautions = warned("autorank", pandas.DataFrame(values, columns=list("abc")), order="ascending")
    assert result.omnibus == "friedman"
    assert "too few rows" in cautions["peer-median-interval"]
    assert np.isinf(result.rankdf["ci_lower"]).all()
    assert np.isinf(result.rankdf["ci_upper"]).all()


# --- aeon -------------------------------------------------------------------------------------------------------

AEON = np.array([
    [-0.93, 0.18, 2.79, 1.25], [1.12, 0.59, -0.95, 1.47], [0.58, -0.66, 0.49, 1.19], [-1.47, 0.94, 1.13, 2.02],
    [0.07, 0.88, 1.81, 1.3], [-0.04, -0.08, -0.18, -0.27], [0.15, -0.35, 0.35, 2.24], [-0.35, 0.4, 0.99, 0.78],
    [-0.32, -0.53, 1.51, 1.39], [0.41, 0.47, 0.69, 1.74], [0.08, 2.02, 1.72, 1.51], [-1.29, 0.89, 1.5, 1.46],
    [-0.65, -0.05, -0.03, 1.66], [-1.12, 0.17, -1.31, 2.09],
])  # fmt: skip


@pytest.mark.slow
def test_the_p_values_of_aeon_are_one_sided() -> None:
    """In the order of mean ranks, d c b a: half of the two-sided p, in the direction that the ranks showed."""
    pytest.importorskip("matplotlib").use("Agg")
    theirs = [0.0885036733, 0.00142897404, 0.000122070312, 0.0863037109, 0.0122680664, 0.0338134766]
    answer, cautions = warned("plot_critical_difference", AEON, list("abcd"), return_p_values=True)
    assert set(cautions) == {"peer-one-sided"}
    ours = answer[2]
    assert (ours == ours.T).all()
    table = bo.Scores(AEON, list("abcd"), better="higher")
    for place, (i, j) in enumerate(zip(*UPPER, strict=True)):
        pair = ("dcba"[i], "dcba"[j])
        exact = bo.wilcoxon(table, *pair)
        assert ours[i, j] == exact.pvalue
        assert exact.zeros == 0
        known = exact if not exact.ties else bo.wilcoxon(table, *pair, method="normal")  # as SciPy
        assert known.pvalue == pytest.approx(2 * theirs[place], rel=1e-8), pair
