"""Which corrections are computed, why, and what is said to who asks for one that does not fit; pairs turned round."""

import math
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.statistics.corrections import choose_corrections, corrections_in_words
from bakeoff.analyses.compare.statistics.results import Interval
from bakeoff.errors import BakeoffError, ParameterError
from bakeoff.scores.pair_family import turned_on_scale


def table(n: int = 14, k: int = 4, seed: int = 0) -> bo.Scores:
    return bo.Scores(np.random.default_rng(seed).normal(size=(n, k)) + 0.6 * np.arange(k), better="lower")


@pytest.mark.parametrize(
    ("control", "pairwise", "k", "method", "reason"),
    [
        (True, "wilcoxon", 5, "holm", "the default with a control"),
        (False, "wilcoxon", 12, "bergmann-hommel", "the default for all pairs of up to 12 algorithms: rejects"),
        (False, "wilcoxon", 13, "shaffer", "the default for all pairs of more than 12 algorithms"),
        (False, "sign", 5, "holm", "the default for sign tests"),
        (False, "sign-without-ties", 13, "holm", "the default for sign tests"),
        (True, "sign", 5, "holm", "the default with a control"),
    ],
)
def test_the_default_correction(control: bool, pairwise: str, k: int, method: str, reason: str) -> None:
    found = choose_corrections(None, control, "iman-davenport", pairwise, k, None)
    assert (found.methods, found.named) == ((method,), False)
    assert found.reason.startswith(reason)


def test_all_begin_with_the_default_and_several_with_the_first() -> None:
    every = choose_corrections("all", False, "iman-davenport", "wilcoxon", 4, None)
    assert (every.methods[0], every.named) == ("bergmann-hommel", False)
    assert len(set(every.methods)) == len(every.methods) > 5
    some = choose_corrections(["holm", "shaffer", "holm"], False, "iman-davenport", "wilcoxon", 4, None)
    assert (some.methods, some.named, some.reason) == (("holm", "shaffer"), True, "requested (the first decides)")


@pytest.mark.parametrize(
    ("posthoc", "control", "said"),
    [
        ([], False, "is an empty list"),
        (3, False, "must be a name, a list of names, or 'all'; got 3"),
        (["holm", "all"], False, "it cannot be one of a list: give it alone"),
        ("shaffer", True, "it corrects for all pairs, but control= asks"),
        ("li", False, "it corrects for comparisons with a control: name one with control="),
        ("hom", False, "did you mean"),
    ],
)
def test_a_correction_that_does_not_fit(posthoc: Any, control: bool, said: str) -> None:
    with pytest.raises(ParameterError) as caught:
        choose_corrections(posthoc, control, "iman-davenport", "wilcoxon", 4, None)
    assert caught.value.parameter == "posthoc"
    assert said in str(caught.value)


def test_the_help_lists_both_families() -> None:
    said = corrections_in_words()
    assert "With a control: holm (default), " in said
    assert "All pairs: bergmann-hommel (default), " in said
    assert said.count("(default)") == 2


@pytest.mark.parametrize(
    ("scale", "low", "high", "expected"),
    [
        ("difference", -1.0, 3.0, (-3.0, 1.0)),
        ("a12", 0.2, 0.9, (0.1, 0.8)),
        ("percent", -50.0, 100.0, (-50.0, 100.0)),
        ("percent", -100.0, 25.0, (-20.0, math.inf)),
        ("log-ratio", 0.5, 2.0, (-2.0, -0.5)),
    ],
)
def test_an_interval_turned_round(scale: Any, low: float, high: float, expected: tuple[float, float]) -> None:
    assert turned_on_scale(scale, low, high) == pytest.approx(expected)
    whole = Interval(low=low, high=high, confidence_level=0.95, each_level=0.99, scale=scale).turned
    assert (whole.low, whole.high) == pytest.approx(expected)
    assert (whole.confidence_level, whole.each_level, whole.scale) == (0.95, 0.99, scale)


@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign", "t", "mean-ranks"])
def test_a_pair_turned_round_is_that_of_the_table_turned_round(pairwise: str) -> None:
    scores = table(14, 2)
    margin = 0.4 if pairwise in ("wilcoxon", "t") else None
    there, back = (
        bo.compare(scores.select(order), pairwise=pairwise, margin=margin).pairs[0] for order in ([0, 1], [1, 0])
    )
    for name in ("a", "b", "verdict", "wins", "ties", "losses", "test"):
        assert getattr(there.turned, name) == getattr(back, name)
    for name in ("statistic", "pvalue", "rank_biserial", "p_a_not_worse", "p_b_not_worse", "adjusted_a_not_worse"):
        one, other = getattr(there.turned, name), getattr(back, name)
        assert one == (None if other is None else pytest.approx(other, rel=1e-9))
    assert there.turned.effect.estimate == pytest.approx(back.effect.estimate)
    assert there.turned.turned == there


@pytest.mark.parametrize(
    ("options", "parameter"),
    [
        ({"pairwise": "sign"}, "pairwise"),
        ({"posthoc": "holm"}, "posthoc"),
        ({"transform": "log"}, "transform"),
        ({"omnibus": "friedman"}, "omnibus"),
    ],
)
def test_what_a_recipe_fixes_cannot_be_given(options: dict[str, str], parameter: str) -> None:
    with pytest.raises(BakeoffError, match=r"is fixed by recipe='demsar-2006'.*; leave out one of the two") as caught:
        bo.compare(table(), recipe="demsar-2006", **options)
    assert caught.value.parameter == parameter


def test_the_steps_of_a_recipe_in_words() -> None:
    found = bo.compare(table(), recipe="derrac-2011", control="A1")
    steps = {step.name: step for step in found.steps}
    assert list(steps) == ["multiple-sign", "iman-davenport", "aligned", "quade", "post-hoc", "contrast-estimation"]
    test = found.omnibus
    assert f"with {test.df[0]:g} and {test.df[1]:g} degrees of freedom" in steps["iman-davenport"].outcome
    assert steps["iman-davenport"].outcome.endswith("equality is rejected.")
    assert steps["iman-davenport"].passed is True
    different = [f"{p.a} – {p.b}" for p in found.pairs if p.verdict in ("a better", "b better")]
    said = f"By Holm at alpha = 0.05, {len(different)} of 3 are declared different: "
    assert steps["post-hoc"].outcome.startswith(said)
    assert steps["post-hoc"].title.startswith("Comparisons with the control (holm, bonferroni")
    assert steps["multiple-sign"].outcome.startswith("One-sided, exact distribution, critical count ")
    assert steps["contrast-estimation"].outcome == "A1 has the best effect, estimated from medians of differences."


def test_a_recipe_that_stops_at_its_gate() -> None:
    scores = bo.Scores(np.random.default_rng(1).normal(size=(8, 3)), better="lower")
    found = bo.compare(scores, recipe="demsar-2006")
    gate, last = found.steps
    assert (gate.passed, gate.outcome.endswith("equality is not rejected, so no pair is declared different.")) == (
        False,
        True,
    )
    assert (
        last.outcome == "The omnibus test does not reject, so no pair is declared different, whatever its adjusted p."
    )


@pytest.mark.parametrize(("step", "said"), [(3.0, "the pair is declared different."), (0.0, None)])
def test_a_recipe_of_two_algorithms(step: float, said: str | None) -> None:
    values = np.random.default_rng(2).normal(size=(12, 2)) + step * np.arange(2)
    last = bo.compare(bo.Scores(values, better="lower"), recipe="demsar-2006").steps[-1]
    assert last.title == "Comparison of the two algorithms"
    assert said is None or last.outcome == f"A single hypothesis needs no correction: at alpha = 0.05 {said}"


def test_ranks_are_listed_best_first_and_equal_ones_as_in_the_table() -> None:
    scores = bo.Scores([[3.0, 1.0, 2.0, 1.0], [3.0, 1.0, 2.0, 1.0], [3.0, 1.0, 2.0, 1.0]], list("abcd"), better="lower")
    found = bo.compare(scores)
    assert list(found.ranks.items()) == [("b", 1.5), ("d", 1.5), ("c", 3.0), ("a", 4.0)]
