"""``pair(a, b)`` of every result that has pairs: by names or places, and ``pair(b, a)`` is its mirror."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from analysis_examples import joined
from bakeoff.analyses import by_schema
from bakeoff.analysis import Analysis
from bakeoff.errors import ParameterError
from bakeoff.places import load
from every_kind import RESULTS

S = bo.datasets.load("demsar_2006")


@cache
def result(kind: str) -> Any:
    return RESULTS[kind]()


def has_pairs(record: Analysis) -> bool:
    """By the class of its results, the first that is drawn."""
    return hasattr(load(next(iter(record.drawn_by))), "pairs")


WITH_PAIRS = [record.kind for record in by_schema().values() if record.drawn_by and has_pairs(record)]


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_with_pairs_finds_them_by_name(kind: str) -> None:
    found = result(kind)
    assert callable(getattr(found, "pair", None)) == hasattr(found, "pairs")


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", WITH_PAIRS)
def test_names_and_places_find_the_same_pair(kind: str) -> None:
    first = result(kind).pairs[0]
    names = getattr(result(kind), "algorithms", None) or result(kind).scores.algorithms
    i, j = names.index(first.a), names.index(first.b)
    assert_same(result(kind).pair(first.a, first.b), first)
    assert_same(result(kind).pair(i, j), first)
    assert_same(result(kind).pair(i - len(names), first.b), first)


@pytest.mark.parametrize("kind", WITH_PAIRS)
@pytest.mark.slow_cases("sensitivity")
def test_unknown_names_are_refused(kind: str) -> None:
    first = result(kind).pairs[0]
    for a, b in (("nobody", first.b), (first.a, "nobody"), (first.a, 99), (first.a, first.a)):
        with pytest.raises(ParameterError):
            result(kind).pair(a, b)


@pytest.mark.parametrize("kind", WITH_PAIRS)
def test_the_pair_turned_twice_is_the_pair(kind: str) -> None:
    if not hasattr(result(kind).pairs[0], "turned"):
        pytest.skip("a against b and b against a are two tests")
    for pair in result(kind).pairs[:3]:
        turned = result(kind).pair(pair.b, pair.a)
        assert (turned.a, turned.b) == (pair.b, pair.a)
        assert_same(turned.turned, pair)


def curve_rows() -> list[dict[str, Any]]:
    return [
        {"problem": f"p{i}", "algorithm": a, "budget": b, "score": i % 3 + (a == "B") + 1 / b}
        for i in range(8)
        for a in "AB"
        for b in (1, 2, 4)
    ]


CALLS: Mapping[str, tuple[Callable[[], bo.Scores], Callable[[bo.Scores], Any]]] = joined("turned")


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", CALLS)
def test_a_turned_pair_is_that_of_the_table_with_its_columns_exchanged(kind: str) -> None:
    scores, call = CALLS[kind][0](), CALLS[kind][1]
    one, two = call(scores), call(scores.select(scores.algorithms[::-1]))
    for pair in two.pairs:
        assert_same(one.pair(pair.a, pair.b), pair)


def test_a_turned_pair_of_curves_keeps_its_sentence() -> None:
    found = bo.curves(curve_rows(), better="lower")
    one, other = found.pair("A", "B"), found.pair("B", "A")
    assert other.verdict == one.verdict
    assert other.difference.tolist() == (-one.difference).tolist()
    assert (one.segments[0].better, other.segments[0].better) == ("a", "b")


def test_a_turned_posterior_is_that_of_the_exchanged_algorithms() -> None:
    for rope in (0.0, 0.01):
        sign = bo.bayes.sign_test(S, 0, 1, rope=rope, prior="ignorance")
        assert_same(sign.turned, bo.bayes.sign_test(S, 1, 0, rope=rope, prior="ignorance"))
    ranked = bo.bayes.signed_rank(S, 0, 1, n_draws=200)
    assert ranked.turned.p_better == ranked.p_worse
    assert ranked.turned.draws.tolist() == ranked.draws[:, ::-1].tolist()


def assert_same(first: Any, second: Any) -> None:
    """Equal but for rounding, field by field."""
    if dataclasses.is_dataclass(first):
        assert type(first) is type(second)
        for field in dataclasses.fields(first):
            assert_same(getattr(first, field.name), getattr(second, field.name))
    elif isinstance(first, Mapping):
        assert first.keys() == second.keys()
        for key in first:
            assert_same(first[key], second[key])
    elif isinstance(first, tuple) and first and isinstance(first[0], str):
        assert sorted(first) == sorted(second)  # names are listed in the order of columns
    elif isinstance(first, tuple | list | np.ndarray):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    elif isinstance(first, float | np.floating):
        assert first == pytest.approx(second, rel=1e-9, abs=1e-9, nan_ok=True)
    else:
        assert first == second
