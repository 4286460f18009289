"""``bo.bayes``: what every function there promises. A new one is found by its name in ``bo.bayes.__all__``."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from strategies import check_result, numbers_in

FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: f
    for name in bo.bayes.__all__
    if inspect.isfunction(f := getattr(bo.bayes, name)) and next(iter(inspect.signature(f).parameters)) == "scores"
}
# The contract: parameters in order with the defaults that scripts rely on; `=` an optional keyword of any default
SIGNATURES = {
    "sign_test": "a, b, prior_strength=1.0, rope=0.0",
    "signed_rank": "a, b, prior_strength=1.0, rope=0.0, n_draws=, rng=",
    "friedman": "prior_strength=1.0, gamma=0.05, region='ellipsoid', rng=",
    "compare": "prior_strength=1.0, gamma=0.05, n_draws=, rng=",
}
RESULTS = {
    "sign_test": "p_better p_equivalent p_worse",
    "signed_rank": "p_better p_equivalent p_worse",
    "friedman": "mean covariance statistic critical_value rejected",
    "compare": "statements",
}
RUNS = {"correlated_t", "folds", "hierarchical", "kruskal_wallis", "repeated_runs"}  # look at runs
TWO_SAMPLES = {"sign_test", "signed_rank"}  # also take two plain samples, and then the direction
DIFFERENCES = {"signed_rank", "correlated_t", "folds", "hierarchical"}  # refuse infinite scores
NEEDED: dict[str, dict[str, Any]] = {
    "correlated_t": {"a": "A1", "b": "A2", "correlation": 0.1, "problem": "P1"},
    "hierarchical": {"a": "A1", "b": "A2", "correlation": 0.1, "n_draws": 400, "n_chains": 4},
    "kruskal_wallis": {"problem": "P1"},
}
CHEAP = {"n_draws": 2000}
PLAIN = np.random.default_rng(3).normal(size=(12, 4)).round(1) + np.arange(4) / 2
WITH_RUNS = PLAIN[:, :, None] + np.random.default_rng(4).normal(size=(12, 4, 5)).round(2)


@functools.cache
def usual(name: str) -> Any:
    """On the usual table, computed once for several tests."""
    return call(name, table(name))


def call(name: str, values: np.ndarray, better: str = "lower", **options: Any) -> Any:
    return on(name, bo.Scores(values, better=better), **options)  # type: ignore[arg-type]


def on(name: str, scores: bo.Scores, **options: Any) -> Any:
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    if name == "folds" and isinstance(scores, bo.Scores) and scores.runs is not None:
        scores = scores.with_design(folds=0.2)
    given = dict(NEEDED.get(name, {}))
    for pair in ("a", "b"):
        if pair in parameters and (name in TWO_SAMPLES or parameters[pair].default is inspect.Parameter.empty):
            given.setdefault(pair, scores.algorithms[0 if pair == "a" else 1])
    given |= {key: value for key, value in CHEAP.items() if key in parameters and key not in given}
    return FUNCTIONS[name](scores, **(given | options))


def table(name: str) -> np.ndarray:
    return WITH_RUNS[:1] if name == "folds" else WITH_RUNS if name in RUNS else PLAIN


def accepts(name: str, parameter: str) -> bool:
    return parameter in inspect.signature(FUNCTIONS[name]).parameters


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_keep_the_contract(name: str) -> None:
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    assert next(iter(parameters)) == "scores"
    for i, wanted in enumerate(SIGNATURES[name].split(", ")):
        parameter, equals, default = wanted.partition("=")
        assert parameter in parameters
        if not equals or default:
            assert list(parameters)[i + 1] == parameter
            assert parameters[parameter].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        if default:
            assert repr(parameters[parameter].default) == default


def test_the_two_models_for_runs_exist() -> None:
    assert callable(bo.bayes.correlated_t)
    assert callable(bo.bayes.hierarchical)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_function_of_scores_takes_a_direction(name: str) -> None:
    assert accepts(name, "better") == (name in TWO_SAMPLES)
    if name in TWO_SAMPLES:
        with pytest.raises(bo.BakeoffError, match="better"):
            on(name, bo.Scores(table(name), better="lower"), better="higher")


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("thing", [None, [[1.0, 2.0]], PLAIN, "scores.csv"], ids=["none", "list", "array", "name"])
def test_only_scores_are_scores(name: str, thing: Any) -> None:
    needed = {p: "A1" for p in ("a", "b") if accepts(name, p)} | NEEDED.get(name, {})
    with pytest.raises(TypeError, match=r"bakeoff\.Scores.*better=|better=.*bakeoff\.Scores"):
        FUNCTIONS[name](thing, **needed)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_values(name: str) -> None:
    result = usual(name)
    check_result(result)
    for field in RESULTS.get(name, "").split():
        getattr(result, field)
    again = pickle.loads(pickle.dumps(result))
    assert list(numbers_in(again)) == list(numbers_in(result)) == list(numbers_in(copy.deepcopy(result)))
    assert dataclasses.is_dataclass(result)
    assert not hasattr(result, "__dict__")
    assert not hasattr(type(result), "__iter__")
    assert all(f.kw_only for f in dataclasses.fields(result))
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, dataclasses.fields(result)[0].name, None)
    assert (result == result) is True
    assert isinstance(result == again, bool)
    assert isinstance(repr(result), str)
    assert isinstance(result.cautions, tuple)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_probabilities_are_probabilities(name: str) -> None:
    for path, x in numbers_in(usual(name)):
        if path.split(".")[-1].startswith(("p_", "probability", "joint")) and "error" not in path:
            assert -1e-15 <= x <= 1.0 + 1e-12, path


@pytest.mark.few(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if accepts(n, "rng")])
def test_the_same_seed_gives_the_same_answer(name: str) -> None:
    one, other = (list(numbers_in(call(name, table(name), rng=5))) for _ in range(2))
    assert one == other
    assert list(numbers_in(usual(name))) == list(numbers_in(call(name, table(name), rng=None)))
    with pytest.raises(bo.BakeoffError, match="rng"):
        call(name, table(name), rng="seed")


@pytest.mark.few(7)
@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_direction_turns_with_the_scores(name: str) -> None:
    """What is in score units is compared in size only: differences of raw scores turn round, probabilities do not."""
    one, other = usual(name), call(name, -table(name), better="higher")
    for (path, x), (_, y) in zip(numbers_in(one), numbers_in(other), strict=True):
        assert x == pytest.approx(y, rel=1e-9, abs=1e-12) or x == pytest.approx(-y, rel=1e-9), path


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in ("hierarchical", "folds")])
def test_the_order_of_problems_does_not_matter(name: str) -> None:
    scores = bo.Scores(table(name), better="lower")
    turned = scores.select(problems=[7, 3, 11, 0, 1, 2, 4, 5, 6, 8, 9, 10])
    for (path, x), (_, y) in zip(numbers_in(on(name, scores)), numbers_in(on(name, turned)), strict=True):
        assert x == pytest.approx(y, rel=1e-9, abs=1e-9), path


@pytest.mark.few(65)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("parameter", ["prior_strength", "rope"])
@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf, "1", None, True], ids=str)
def test_strength_and_rope_are_numbers_from_zero_on(name: str, parameter: str, value: Any) -> None:
    if accepts(name, parameter):
        with pytest.raises(bo.BakeoffError, match=parameter):
            call(name, table(name), **{parameter: value})


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if accepts(n, "gamma")])
@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, math.nan, "5%", True], ids=str)
def test_gamma_is_strictly_between_0_and_1(name: str, value: Any) -> None:
    with pytest.raises(bo.BakeoffError, match="gamma"):
        call(name, table(name), gamma=value)


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if accepts(n, "n_draws")])
@pytest.mark.parametrize("value", [0, -5, 10.5, "many", True], ids=str)
def test_draws_are_a_sensible_whole_number(name: str, value: Any) -> None:
    with pytest.raises(bo.BakeoffError, match="n_draws"):
        call(name, table(name), n_draws=value)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in RUNS])
def test_infinite_scores_are_ordered_or_refused_naming_the_cell(name: str) -> None:
    values = PLAIN.copy()
    values[0, 0], values[1, 1], values[2, 0] = math.inf, -math.inf, math.inf
    if name in DIFFERENCES:
        with pytest.raises(bo.BakeoffError, match=r"problem 'P1', algorithm 'A1' is inf"):
            call(name, values)
    else:
        check_result(call(name, values))


DEGENERATE = {
    "one problem": np.array([[1.0, 2.0, 3.0]]),
    "two algorithms": PLAIN[:, :2],
    "all tied": np.ones((6, 3)),
    "identical columns": np.column_stack([PLAIN[:, 0], PLAIN[:, 0], PLAIN[:, 1]]),
    "perfect agreement": np.tile(np.arange(4.0), (9, 1)),
    "more algorithms than problems": np.random.default_rng(0).normal(size=(3, 8)),
    "majority cycle": np.tile([[1.0, 2, 3], [2, 3, 1], [3, 1, 2]], (4, 1)),
    "huge": np.array([[1e300, -1e300, 0.0], [1.0, 2.0, 3.0], [-1e300, 1e299, 2.0]]),
    "denormal": np.array([[5e-324, 1e-323, 0.0], [1e-310, 2e-310, 1.5e-310], [0.0, 5e-324, -0.0]]),
}


@pytest.mark.few(15)
@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in RUNS])
@pytest.mark.parametrize("kind", DEGENERATE)
def test_degenerate_tables_have_defined_results_or_a_reason(name: str, kind: str) -> None:
    try:
        check_result(call(name, DEGENERATE[kind]))
    except bo.BakeoffError as error:
        assert name == "friedman", error  # noqa: PT017 - the ellipsoid needs as many problems as algorithms
        assert "region='exact'" in str(error)  # noqa: PT017 - either answer is right


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n in RUNS])
def test_a_table_without_runs_is_refused_or_means_one_run(name: str) -> None:
    try:
        check_result(call(name, PLAIN))
    except bo.BakeoffError as error:
        assert "run" in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", ["sign_test", "signed_rank"])
def test_identical_algorithms_are_symmetric(name: str) -> None:
    values = np.column_stack([PLAIN[:, 0], PLAIN[:, 0]])
    result = call(name, values)
    assert result.p_better == result.p_worse
    assert call(name, values, rope=0.1).p_equivalent == pytest.approx(1.0, abs=1e-3)
    turned = call(name, PLAIN[:, [1, 0]])
    straight = call(name, PLAIN[:, [0, 1]])
    assert straight.p_better == pytest.approx(turned.p_worse, abs=1e-12)
