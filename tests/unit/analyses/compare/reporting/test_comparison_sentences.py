"""The verdict and the methods paragraph in words."""

import dataclasses

import numpy as np
import pytest

from bakeoff.analyses.compare.reporting.methods import cited_keys, methods
from bakeoff.analyses.compare.reporting.sentences import basis, standing, verdict
from bakeoff.analyses.compare.statistics import Comparison, Effect
from bakeoff.report.document import plain_text
from bakeoff.scores import Scores
from unit.report.report_cases import comparison, pair

ABC = ("A", "B", "C")
SAME, UNKNOWN = "no difference shown", "cannot tell"


def decided(
    verdicts: list[str], names: tuple[str, ...] = ABC, control: str | None = None, **changes: object
) -> Comparison:
    """A comparison whose pairs have these verdicts, in order."""
    base = comparison(names, control, **changes)
    pairs = tuple(dataclasses.replace(p, verdict=v) for p, v in zip(base.pairs, verdicts, strict=True))
    return dataclasses.replace(base, pairs=pairs)


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (["a better"] * 3, "A is better than each of the 2 other algorithms; 3 of 3 pairs differ."),
        (
            ["a better", SAME, SAME],
            "A has the best mean rank (1.000) and is better than B (1 of 2); no difference from C was shown. "
            "In all, 1 of 3 pairs differs.",
        ),
        (
            [SAME, SAME, "a better"],
            "A has the best mean rank (1.000), but is not shown to be better than any other algorithm; "
            "1 of 3 pairs differs.",
        ),
        ([SAME] * 3, "No difference is shown between any of the 3 algorithms; A has the best mean rank (1.000)."),
        (
            [UNKNOWN] * 3,
            "Some of the 3 algorithms differ. This experiment cannot tell which: with 25 problems no outcome "
            "could have reached α = 0.05 for any of 3 pairs. Against one control, 2 pairs could.",
        ),
        (
            ["b better", "a better", SAME],
            "A has the best mean rank (1.000), but is better than C (1 of 2) and worse than B (1 of 2); "
            "2 of 3 pairs differ.",
        ),
        (
            ["b better", SAME, SAME],
            "A has the best mean rank (1.000), but is worse than B (1 of 2); 1 of 3 pairs differs.",
        ),
    ],
)
def test_all_pairs(verdicts: list[str], sentence: str) -> None:
    assert verdict(decided(verdicts)) == sentence


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (["a better"] * 2, "B (the control) is better than each of the 2 other algorithms."),
        (["b better"] * 2, "B (the control) is worse than each of the 2 other algorithms."),
        (["a better", "b better"], "B (the control) is better than A (1 of 2) and worse than C (1 of 2)."),
        ([SAME] * 2, "No difference is shown between B (the control) and any of the 2 other algorithms."),
        ([SAME, "a better"], "B (the control) is better than C (1 of 2); no difference from A was shown."),
        (
            [UNKNOWN] * 2,
            "This experiment cannot tell B (the control) from the 2 other algorithms: with 25 problems no outcome "
            "could have reached α = 0.05.",
        ),
    ],
)
def test_with_a_control(verdicts: list[str], sentence: str) -> None:
    assert verdict(decided(verdicts, control="B")) == sentence


def test_shared_best_rank() -> None:
    found = decided(["a better", "a better", SAME], mean_ranks=np.array([1.5, 1.5, 3.0]))
    assert verdict(found) == "A and B share the best mean rank (1.500); 2 of 3 pairs differ."
    found = decided([SAME] * 3, mean_ranks=np.array([2.0, 2.0, 2.0]))
    assert (
        verdict(found)
        == "No difference is shown between any of the 3 algorithms; all share the same mean rank (2.000)."
    )


def test_two_algorithms() -> None:
    one = comparison(("A", "B"), pairwise="wilcoxon")
    assert verdict(one) == "A is better than B (p = 0.00140), typically by 0.25 (95 % interval 0.125 to 0.500)."
    turned = Effect(estimate=-0.25, low=-0.5, high=-0.125, confidence_level=0.95)
    lost = dataclasses.replace(one, pairs=(pair("A", "B", verdict="b better", effect=turned),))
    assert verdict(lost).startswith(
        "B is better than A (p = 0.00140), typically by 0.25 (95 % interval 0.125 to 0.500)"
    )
    same = dataclasses.replace(one, pairs=(pair("A", "B", verdict=SAME, pvalue=0.3),))
    assert verdict(same).startswith("No difference is shown between A and B (p = ")
    unknown = dataclasses.replace(one, pairs=(pair("A", "B", verdict=UNKNOWN),))
    assert verdict(unknown).startswith("This experiment cannot tell whether A and B differ: with 25 problems")
    assert basis(one) == "One pair, no correction, α = 0.05; 25 problems; lower scores are better."


def test_a_size_against_the_verdict_is_left_out() -> None:
    against = Effect(estimate=-0.25, low=-0.5, high=0.125, confidence_level=0.95)
    one = dataclasses.replace(comparison(("A", "B")), pairs=(pair("A", "B", effect=against),))
    assert verdict(one) == "A is better than B (p = 0.00140)."


def test_names_of_many_are_counted() -> None:
    names = tuple("ABCDEFGHIJ")
    base = comparison(names)
    pairs = tuple(dataclasses.replace(p, verdict="a better" if p.a == "A" and p.b != "J" else SAME) for p in base.pairs)
    assert "is better than 8 of the 9 other algorithms; no difference from J" in verdict(
        dataclasses.replace(base, pairs=pairs)
    )


def test_the_false_discovery_rate_is_not_called_family_wise() -> None:
    found = comparison(
        ABC,
        primary="fdr-bh",
        posthoc=("fdr-bh",),
        pairwise="wilcoxon",  # z tests on ranks keep it nominally only
        pairs=tuple(dataclasses.replace(p, adjusted={"fdr-bh": 0.03}) for p in comparison(ABC).pairs),
    )
    assert basis(found).startswith("Benjamini–Hochberg over 3 pairs, false discovery rate α = 0.05")
    assert "at a false discovery rate of α = 0.05" in plain_text(methods(found))


def test_standing_is_seen_from_either_side() -> None:
    found = decided(["a better", "b better", SAME])
    assert standing(found, "A").better == ["B"]
    assert standing(found, "A").worse == ["C"]
    assert standing(found, "B").worse == ["A"]
    assert standing(found, "C").better == ["A"]
    assert standing(found, "C").alike == ["B"]


def test_the_methods_name_everything_that_was_used() -> None:
    text = plain_text(methods(comparison()))
    for part in (
        "5 algorithms were compared on 25 problems (lower scores are better)",
        "the Iman–Davenport extension of the Friedman test, corrected for ties "
        "(Friedman, 1937; Iman & Davenport, 1980)",
        "F = 5.3351 with 8 and 192 degrees of freedom, p = 4.50×10⁻⁶",
        "χ² = 36.373 with 8 degrees of freedom",
        "W = 0.182",
        "All 10 pairs of the 5 algorithms were compared by two-sided z tests on mean ranks",
        "adjusted by Holm's step-down procedure (Holm, 1979), at a nominal family-wise error rate of α = 0.05 "
        "over 10 hypotheses",
        "Finner (Finner, 1993); they do not affect the verdicts",
        "95 % confidence intervals",
        "bakeoff 0.",
        "SciPy 1.",
    ):
        assert part in text, part
    assert cited_keys(comparison())[:2] == ("friedman1937", "imandavenport1980")


def test_the_methods_own_up_to_runs_dropped_and_filled() -> None:
    runs = np.arange(18.0).reshape(3, 3, 2)
    scores = Scores.from_cells(runs, ABC, ("p", "q", "r"), better="higher", dropped=("s", "t"), filled=(("p", "A"),))
    text = plain_text(methods(comparison(ABC, scores=scores)))
    assert "3 algorithms were compared on 3 problems (higher scores are better)" in text
    assert "each score is the mean of 2 runs" in text
    assert "2 problems with a missing score left out" in text
    assert "1 missing score counted as the worst possible" in text


def test_an_unknown_procedure_is_called_by_its_own_name() -> None:
    pairs = tuple(dataclasses.replace(p, adjusted={"brand-new": 0.5}) for p in comparison(ABC).pairs)
    found = comparison(ABC, primary="brand-new", posthoc=("brand-new",), pairs=pairs)
    assert "adjusted by brand-new, at a nominal family-wise" in plain_text(methods(found))
    assert basis(found).startswith("brand-new over 3 pairs")


def test_one_hypothesis_needs_no_correction() -> None:
    text = plain_text(methods(comparison(("A", "B"), pairwise="wilcoxon")))
    assert "a single hypothesis needs no correction" in text
    assert "Holm" not in text


def test_the_critical_difference_is_named_only_where_there_is_one() -> None:
    assert "critical difference" not in plain_text(methods(comparison()))
    assert "critical difference of mean ranks is 2.403" in plain_text(methods(comparison(critical_difference=2.4028)))


def test_an_analysis_of_variance_has_no_ties_and_tukey_no_raw_p_to_adjust() -> None:
    test = dataclasses.replace(comparison().omnibus, name="anova", ties="none")
    pairs = tuple(dataclasses.replace(p, adjusted={"tukey": 0.2}) for p in comparison(ABC).pairs)
    found = comparison(
        ABC, omnibus=test, companion=None, pairwise="t", posthoc=("tukey",), primary="tukey", pairs=pairs
    )
    text = plain_text(methods(found))
    assert "tested by repeated-measures analysis of variance (Fisher, 1925): F = " in text
    assert (
        "compared by Tukey's studentized-range test on the pooled error of the analysis of variance (Tukey, 1949)"
        in text
    )
    assert "Unadjusted p-values are those of two-sided paired t-tests (Student, 1908)." in text
    assert "ties" not in text


def test_the_correction_for_sphericity_is_told() -> None:
    import bakeoff as bo

    found = bo.compare(bo.datasets.load("demsar_2006"), omnibus="anova")
    text = plain_text(methods(found))
    assert "corrected for non-sphericity (Greenhouse & Geisser, 1959), p = " in text
