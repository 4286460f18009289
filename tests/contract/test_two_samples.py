"""Functions of two algorithms also take two plain samples: x of a and y of b, with the direction by name."""

from __future__ import annotations

import importlib
from array import array
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ScoreError, WrongTypeError

# the AUCs of Demšar (2006), Table 2: C4.5 with m tuned, and plain C4.5
TUNED = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978]
PLAIN = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957]

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "wilcoxon": bo.wilcoxon,
    "sign_test": bo.sign_test,
    "paired_t": bo.paired_t,
    "sign_flip": bo.sign_flip,
    "cluster_t": bo.cluster_t,
    "mcnemar": bo.mcnemar,
    "resampled_t": partial(bo.resampled_t, test_fraction=0.1),
    "hodges_lehmann": bo.hodges_lehmann,
    "median_difference": bo.median_difference,
    "rank_biserial": bo.rank_biserial,
    "equivalence": partial(bo.equivalence, margin=0.05),
    "bayes.sign_test": bo.bayes.sign_test,
    "bayes.signed_rank": bo.bayes.signed_rank,
}


def test_published_numbers_from_two_lists() -> None:
    found = bo.wilcoxon(TUNED, PLAIN, better="higher")
    assert (found.a, found.b) == ("x", "y")
    assert (found.r_plus, found.r_minus) == (93.0, 12.0)  # Demšar (2006), section 3.1.3, page 8
    assert bo.sign_test(TUNED, PLAIN, better="higher").statistic == 11.0  # section 3.1.4: 11 of 14
    t = bo.paired_t(TUNED, PLAIN, better="higher")
    assert (round(t.statistic, 4), t.df, round(t.pvalue, 5)) == (2.8462, 13, 0.01376)  # R 4.2.2, t.test(paired = TRUE)
    # Fagerland et al. (2013), Table 1: 1 and 7 discordant pairs
    before, after = [1] + [0] * 7 + [1] + [0] * 12, [1] + [1] * 7 + [0] + [0] * 12
    assert round(bo.mcnemar(before, after, better="lower").pvalue, 4) == 0.0703
    assert round(bo.mcnemar(before, after, better="lower", method="mid-p").pvalue, 4) == 0.0391
    # Benavoli et al. (2015), Table 1: 20 of 30
    won = bo.bayes.sign_test([0] * 20 + [1] * 10, [1] * 20 + [0] * 10, better="lower")
    assert (round(won.p_worse, 4), won.verdict) == (0.0307, "a better")


def series(name: str, values: list[float], label: str) -> Any:
    library = importlib.import_module(name)
    return library.Series(label, values) if name == "polars" else library.Series(values, name=label)


@pytest.mark.few(9)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.slow_cases("lower-bayes.signed_rank")
def test_the_answer_is_that_of_a_table(name: str, better: str) -> None:
    x, y = (TUNED, PLAIN) if name != "mcnemar" else ([1.0] * 9 + [0.0] * 5, [0.0] * 7 + [1.0] * 7)
    function = FUNCTIONS[name]
    table = bo.Scores(list(zip(x, y, strict=True)), ["x", "y"], better=better)  # type: ignore[arg-type]
    wanted = function(table, "x", "y")
    for given in (tuple, np.array, lambda v: array("d", v), lambda v: series("pandas", v, "s")):
        found = function(given(x), given(y), better=better)
        assert repr(found) == repr(wanted)


@pytest.mark.parametrize("package", ["pandas", pytest.param("polars", marks=pytest.mark.needs("polars"))])
def test_series_lend_their_names(package: str) -> None:
    found = bo.wilcoxon(series(package, TUNED, "tuned"), series(package, PLAIN, "plain"), better="higher")
    assert (found.a, found.b) == ("tuned", "plain")
    of_lists = bo.wilcoxon(TUNED, PLAIN, better="higher")
    assert (found.statistic, found.pvalue) == (of_lists.statistic, of_lists.pvalue)


REFUSED: dict[str, tuple[Callable[[Any], Any], type, str]] = {
    "no direction": (
        lambda f: f([1, 0], [0, 1]),
        ParameterError,
        r'^better must be "lower" or "higher" with two samples',
    ),
    "a wrong direction": (lambda f: f([1, 0], [0, 1], better="up"), ParameterError, r"^better must be one of"),
    "a direction beside a table": (
        lambda f: f(bo.Scores([[0, 1]], better="lower"), 0, 1, better="lower"),
        ParameterError,
        r"^better must be left out with Scores, which have it already \(better='lower'\)",
    ),
    "other lengths": (lambda f: f([1, 0, 1], [0, 1], better="lower"), ScoreError, r"^x has 3 values and y has 2: "),
    "a hole": (
        lambda f: f([1, 0, 1, 1], [0, float("nan"), 1, None], better="lower"),
        MissingScoreError,
        r"^y has missing scores \(NaN\): y\[1\], y\[3\]\.",
    ),
    "text": (lambda f: f(["good", "bad"], [0, 1], better="lower"), ScoreError, r"^x must be numbers"),
    "no values": (lambda f: f([], [], better="lower"), ScoreError, r"^x has no values"),
    "a table as y": (
        lambda f: f([1, 0], [[0, 1], [1, 0]], better="lower"),
        ScoreError,
        r"^y must be one-dim.*\(2, 2\)",
    ),
    "an option by place": (
        lambda f: f([1, 0], [0, 1], "lower"),
        WrongTypeError,
        r"^b has no meaning after two samples; got",
    ),
    "a table and one name": (
        lambda f: f(bo.Scores([[0, 1]], better="lower"), 0),
        WrongTypeError,
        r"^b must be .* missing",
    ),
    "a list and names": (lambda f: f([[0, 1], [1, 0]], "a", "b"), WrongTypeError, r"^better is needed: .*better="),
    "mappings": (lambda f: f({"p": 1}, {"p": 0}, better="lower"), WrongTypeError, r"^scores must be a bakeoff.Scores"),
}


@pytest.mark.few(76)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_pair_of_samples_is_refused(name: str, case: str) -> None:
    call, kind, message = REFUSED[case]
    with pytest.raises(kind, match=message):
        call(FUNCTIONS[name])


def test_series_in_another_order_are_not_mixed_up() -> None:
    import pandas

    x = pandas.Series([1.0, 2.0, 3.0], index=["p", "q", "r"])
    y = pandas.Series([3.0, 1.0, 2.0], index=["r", "p", "q"])
    with pytest.raises(ScoreError, match=r"^y has the same labels as x at other places.*reindex"):
        bo.wilcoxon(x, y, better="lower")
    assert bo.wilcoxon(x, y.reindex(x.index), better="lower").zeros == 3
    assert bo.wilcoxon(x, pandas.Series([1.0, 2.0, 3.0], index=[7, 8, 9]), better="lower").zeros == 3  # by position
