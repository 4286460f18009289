"""The public API: names, signatures with their defaults, and what every result looks like. Other people's scripts
depend on each of these lines."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle

import numpy as np
import pytest

import bakeoff as bo
from strategies import (
    CONTROL_METHODS,
    PAIRWISE_METHODS,
    analyses,
    check_result,
    first_parameter,
    numbers_in,
    options_of,
    public_functions,
)

# The contract: parameters in order, with the defaults that scripts rely on; `=` an optional keyword of any default.
SIGNATURES = {
    "read_scores": "source, better, *, layout='auto', problem=, algorithm=, score=, run=, missing='raise'",
    "rank": "scores",
    "rank_aligned": "scores",
    "rank_weighted": "scores, weights=None",
    "sign_test": "scores, a, b=None, alternative='two-sided', method='exact', ties='split'",
    "mcnemar": "scores, a, b=None, method='exact'",
    "wilcoxon": "scores, a, b=None, zeros='split', method='auto', alternative='two-sided'",
    "paired_t": "scores, a, b=None, relative=False, alternative='two-sided'",
    "sign_flip": "scores, a, b=None, alternative='two-sided', method='auto', rng=, n_resamples=",
    "cluster_t": "scores, a, b=None, alternative='two-sided'",
    "resampled_t": "scores, a, b=None, test_fraction=None, *, repeats=, problem=",
    "equivalence": "scores, a, b=None, margin=None, test='wilcoxon', alpha=0.05, relative=False",
    "friedman": "scores, method='chi2', ties='none', rng=, n_resamples=",
    "iman_davenport": "scores, ties='none'",
    "aligned_friedman": "scores, ties='none', method='chi2'",
    "quade": "scores, weights=None, ties='none', method=",
    "anova": "scores",
    "multiple_sign_test": "scores, control, alpha=0.05, law='exact'",
    "contrast_estimation": "scores",
    "adjust": "pvalues, method",
    "adjust_pairwise": "pvalues, method, *, positions=None, monotone=False",
    "critical_difference": "n_algorithms, n_problems, alpha=0.05, method='nemenyi'",
    "runtimes": "scores, cap=None, k=, shift=10.0, rng=None",
    "leaderboard": "scores, alpha=0.05, rng=None",
    "tradeoff": "metrics, margins, alpha=0.05, rng=None",
    "evaluate": "scores, control=None, correction='max-t', alpha=0.05, rng=None",
    "profile": "scores_or_curves, kind='ratio', *, band=0.95, rng=",
    "curves": "table, *, problem=, algorithm=, run=, budget=, score=, better, grid=None, rng=",
    "check": "baseline, new, margin, alpha=0.01, correction='holm', allow_missing=False",
    "compare": ("scores, control=None, omnibus='iman-davenport', pairwise=None, posthoc=None, alpha=0.05, recipe=None"),
}
# Every name that the contract gives to a result.
RESULTS = {
    "sign_test": "statistic pvalue log_pvalue wins losses ties",
    "mcnemar": "statistic pvalue wins losses",
    "wilcoxon": "statistic pvalue log_pvalue r_plus r_minus",
    "paired_t": "statistic pvalue log_pvalue",
    "sign_flip": "statistic pvalue log_pvalue method",
    "cluster_t": "statistic pvalue log_pvalue standard_error df interval",
    "friedman": "name statistic df pvalue log_pvalue mean_ranks method",
    "iman_davenport": "name statistic df pvalue log_pvalue mean_ranks",
    "aligned_friedman": "name statistic df pvalue log_pvalue mean_ranks method",
    "quade": "name statistic df pvalue log_pvalue mean_ranks method",
    "anova": "name statistic df pvalue log_pvalue means",
    "multiple_sign_test": "counts wins ties critical_value pvalues rejected",
    "contrast_estimation": "estimates",
    "compare": "omnibus mean_ranks pairs primary groups cautions",
}
# also take the scores of a and of b themselves: the one exception to "no analysis function takes better"
TWO_SAMPLES = {"wilcoxon", "sign_test", "paired_t", "mcnemar", "hodges_lehmann", "median_difference", "rank_biserial"}
TWO_SAMPLES |= {"resampled_t", "sign_flip", "cluster_t"}
TWO_SAMPLES |= {"equivalence"}
S = bo.Scores(np.random.default_rng(0).normal(size=(12, 4)) + np.arange(4), better="lower")
ANALYSES = analyses()


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_keep_the_contract(name: str) -> None:
    actual = inspect.signature(getattr(bo, name)).parameters
    keyword_only = False
    for i, wanted in enumerate(SIGNATURES[name].split(", ")):
        if wanted == "*":
            keyword_only = True
            continue
        parameter, equals, default = wanted.partition("=")
        assert parameter in actual, f"{name} has no {parameter}"
        has_default = actual[parameter].default is not inspect.Parameter.empty
        assert has_default == bool(equals)
        if default:
            assert repr(actual[parameter].default) == default
        if equals and not default:
            continue  # the details of an optional keyword are free, its place too
        assert list(actual).index(parameter) == i - keyword_only
        assert (actual[parameter].kind is inspect.Parameter.KEYWORD_ONLY) == keyword_only


def test_scores_take_labels_in_order_and_the_direction_by_name() -> None:
    parameters = inspect.signature(bo.Scores).parameters
    assert list(parameters)[:3] == ["values", "algorithms", "problems"]
    assert parameters["better"].kind is inspect.Parameter.KEYWORD_ONLY
    assert parameters["better"].default is inspect.Parameter.empty
    with pytest.raises(TypeError):
        bo.read_scores("scores.csv")  # type: ignore[call-arg]


@pytest.mark.parametrize("name", public_functions())
def test_no_analysis_function_takes_a_direction(name: str) -> None:
    """But those of two samples, for which it refuses a table (test_two_samples.py)."""
    function = public_functions()[name]
    if first_parameter(function) == "scores" and name not in TWO_SAMPLES:
        assert not {"better", "direction", "maximize", "higher_is_better"} & set(inspect.signature(function).parameters)


def test_scores_have_the_attributes_of_the_contract() -> None:
    s = bo.Scores([[[1.0, 3.0], [2.0, 2.0]]], ["x", "y"], ["p"], better="lower")
    assert s.values.tolist() == [[2.0, 2.0]]
    assert s.runs is not None
    assert s.runs.shape == (1, 2, 2)
    assert s.n_runs.tolist() == [[2, 2]]
    assert (s.algorithms, s.problems, s.better) == (("x", "y"), ("p",), "lower")
    assert S.runs is None
    assert S.n_runs.tolist() == np.ones((12, 4)).tolist()
    chosen = S.select(algorithms=["A3", "A1"], problems=["P2", "P1"])
    assert chosen.algorithms == ("A3", "A1")
    assert np.array_equal(chosen.values, S.values[[1, 0]][:, [2, 0]])
    frame = S.to_frame()
    assert len(frame) == 12


@pytest.mark.parametrize("name", RESULTS)
def test_results_have_the_attributes_of_the_contract(name: str) -> None:
    result = ANALYSES[name](S)
    for attribute in RESULTS[name].split():
        getattr(result, attribute)
    if "log_pvalue" in RESULTS[name]:
        assert all(isinstance(getattr(result, x), float) for x in ("statistic", "pvalue", "log_pvalue"))


@pytest.mark.few(3)
@pytest.mark.parametrize("name", ANALYSES)
def test_results_are_values(name: str) -> None:
    """Frozen, slotted, keyword-only dataclasses or locked arrays: not iterable, copied and pickled whole."""
    for options in options_of(name):
        result = ANALYSES[name](S, **options)
        check_result(result)
        again = pickle.loads(pickle.dumps(result))
        assert list(numbers_in(again)) == list(numbers_in(result)) == list(numbers_in(copy.deepcopy(result)))
        if isinstance(result, np.ndarray | float):
            continue
        kind = type(result)
        assert dataclasses.is_dataclass(kind)
        assert not hasattr(result, "__dict__"), "slots=True"
        assert not hasattr(kind, "__iter__")
        assert all(f.kw_only for f in dataclasses.fields(kind))
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, dataclasses.fields(kind)[0].name, None)
        assert isinstance(result.cautions, tuple)
        assert (result == result) is True
        assert isinstance(result == again, bool)  # arrays inside must not make == ambiguous
        assert isinstance(repr(result), str)


@pytest.mark.parametrize("name", [n for n in ANALYSES if n not in ("compare",)])
def test_results_say_what_they_used(name: str) -> None:
    result = ANALYSES[name](S)
    if not isinstance(result, np.ndarray | float) and hasattr(result, "pvalue"):
        assert isinstance(result.method, str)
        assert result.n_problems == 12 or result.n == 12


def test_the_functions_take_names_and_indices_alike() -> None:
    s = bo.datasets.load("demsar_2006")
    by_name = bo.wilcoxon(s, s.algorithms[0], s.algorithms[2])
    assert by_name == bo.wilcoxon(s, 0, 2) == bo.wilcoxon(s, np.int64(0), -2)


def test_datasets_are_scores() -> None:
    for name in bo.datasets.names():
        assert isinstance(bo.datasets.load(name), bo.Scores)
    with pytest.raises(bo.BakeoffError, match="derrac_cec2005"):
        bo.datasets.load("derrac_cec2006")
    cec = bo.datasets.load("derrac_cec2005")
    assert (cec.n_problems, cec.n_algorithms, cec.better) == (25, 9, "lower")


def test_names_that_do_not_exist_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        bo.nonsense  # noqa: B018
    assert set(bo.__all__) <= set(dir(bo))
    assert bo.__version__.count(".") == 2


@pytest.mark.parametrize("method", CONTROL_METHODS)
def test_adjust_answers_in_the_order_given(method: str) -> None:
    p = np.array([0.03, 0.001, 0.2, 0.04, 0.0004])
    order = [3, 1, 4, 0, 2]
    out = bo.adjust(p, method)
    assert isinstance(out, np.ndarray)
    assert out.shape == p.shape
    assert np.array_equal(bo.adjust(p[order], method), out[order])


@pytest.mark.parametrize("method", PAIRWISE_METHODS)
def test_adjust_pairwise_answers_symmetrically(method: str) -> None:
    rng = np.random.default_rng(4)
    upper = np.triu(rng.random((5, 5)) ** 3, 1)
    p = upper + upper.T
    out = bo.adjust_pairwise(p, method)
    assert np.array_equal(out, out.T)
    assert np.diag(out).tolist() == [1.0] * 5
    order = [3, 1, 4, 0, 2]
    assert np.array_equal(bo.adjust_pairwise(p[np.ix_(order, order)], method), out[np.ix_(order, order)])


def test_nemenyi_is_m_times_p_and_the_range_is_a_correction_of_compare() -> None:
    p = np.full((4, 4), 0.02)
    assert bo.adjust_pairwise(p, "nemenyi")[0, 1] == pytest.approx(0.12, rel=1e-15)
    c = bo.compare(S, posthoc=["nemenyi", "bonferroni"], standard_error="papers")
    for pair in c.pairs:
        assert pair.adjusted["bonferroni"] == pytest.approx(min(1.0, 6 * pair.pvalue), rel=1e-13)
        assert pair.adjusted["nemenyi"] <= pair.adjusted["bonferroni"] * (1 + 1e-12)
    printed = bo.compare(S, recipe="derrac-2011")  # Derrac's column of this name is m·p
    for pair in printed.pairs:
        assert pair.adjusted["nemenyi"] == pytest.approx(min(1.0, 6 * pair.pvalue), rel=1e-13)


def test_critical_difference_is_a_float() -> None:
    # Demšar (2006), section 3.2.2: CD = 1.25 for Nemenyi and 1.12 for Bonferroni–Dunn at alpha = 0.10
    assert isinstance(bo.critical_difference(4, 14, alpha=0.1, method="bonferroni-dunn"), float)
    assert round(bo.critical_difference(4, 14, 0.05), 2) == 1.25 or round(bo.critical_difference(4, 14, 0.1), 2) == 1.25
