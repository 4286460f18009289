"""bo.sensitivity: what would change a verdict, in every form in which it is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.analyses.sensitivity.statistics import Sensitivity
from bakeoff.cli import main
from bakeoff.errors import MissingScoreError, ParameterError
from bakeoff.report import render

TABLE = Path(bo.datasets.__file__).parent / "derrac_cec2005.csv"


@pytest.fixture(scope="module")
def found() -> Sensitivity:
    return bo.sensitivity(bo.datasets.load("derrac_cec2005"), control="SaDE", n_resamples=200, rng=1)


@pytest.mark.slow
def test_the_table_of_derrac(found: Sensitivity) -> None:
    """SaDE against CHC: 20 wins, 5 losses. The five largest of its differences carry it, counted by hand: without them
    Wilcoxon's p first exceeds .05/8 (the smallest of eight, by Holm); a t-test of scores that differ by powers of ten
    shows nothing."""
    pair = found.pair("SaDE", "CHC")
    assert (pair.a, pair.b, pair.verdict) == ("SaDE", "CHC", "a better")
    assert pair.critical == pytest.approx(0.05 / 8)
    assert pair.fragility is not None
    assert (pair.fragility.n, pair.fragility.exact) == (5, True)
    scores = found.scores
    for gone, passes in ((pair.fragility.problems[:4], True), (pair.fragility.problems, False)):
        rest = scores.select(problems=[p for p in scores.problems if p not in gone])
        assert (bo.wilcoxon(rest, "SaDE", "CHC").pvalue <= 0.05 / 8) == passes
    assert pair.flips_without == ()
    assert not pair.solid
    assert all(name.startswith("t + ") for name in pair.contradicting if not name.startswith("sign"))
    assert pair.analyses["wilcoxon + holm"] == "a better"
    assert pair.rounded is None  # the scores have more than four decimals
    assert pair.replicability is not None
    assert 0.5 < pair.replicability.estimate < 0.75
    near = found.pair("SaDE", "PSO")  # adjusted p = .047
    assert near.replicability is not None
    assert 0.3 < near.replicability.estimate < 0.5
    assert near.fragility is not None
    assert near.fragility.n == 1


def test_the_sentence_says_what_holds_and_who_carries_it(found: Sensitivity) -> None:
    page = " ".join(render(found, "txt").split())
    again = found.pair("CHC", "SaDE").replicability
    assert again is not None
    assert (
        "SaDE better than CHC: holds under 30 of 37 analyses, without any one problem, without any one algorithm, "
        f"and in {100 * again.estimate:.0f} % of second experiments" in page
    )
    assert "5 of 25 problems carry it: F3, F6, F12, F20 and F23." in page
    assert "It is not a new test" in page
    assert found.verdict.startswith("None of 3 differences hold under all 37 analyses, 1 of 3 without any one")


def test_what_is_left_out_is_said(found: Sensitivity) -> None:
    assert set(found.left_out) >= {"finner", "li", "fdr-bh"}
    assert not any("finner" in name or "fdr" in name for name in found.analyses)
    assert found.analyses[0] == "wilcoxon + holm"
    two = bo.sensitivity(bo.Scores(np.arange(20.0).reshape(10, 2) ** 1.1, better="lower"), n_resamples=0)
    assert two.analyses == ("wilcoxon", "sign", "t", "mean-ranks", "aligned", "quade")
    assert two.pairs[0].flips_without_algorithm == ()
    assert two.pairs[0].adjusted_range_algorithms is None


@pytest.mark.slow
def test_the_verdicts_are_those_of_compare_with_the_same_choices() -> None:
    scores = bo.datasets.load("garcia_2010")
    for options in ({}, {"pairwise": "sign"}, {"posthoc": ["shaffer", "holm"]}, {"recipe": "derrac-2011"}):
        compared = bo.compare(scores, **options)
        direct = bo.sensitivity(scores, **options, n_resamples=30, rng=2)
        given = bo.sensitivity(compared, n_resamples=30, rng=2)
        assert [pair.verdict for pair in direct.pairs] == [pair.verdict for pair in compared.pairs]
        assert direct.to_dict()["pairs"] == given.to_dict()["pairs"]
    with pytest.raises(ParameterError, match="control is fixed by the comparison"):
        bo.sensitivity(bo.compare(scores), control=scores.algorithms[0])


def test_one_decimal_fewer_makes_ties() -> None:
    values = np.array([[0.51, 0.54]] * 12 + [[0.61, 0.62]] * 2)
    pair = bo.sensitivity(bo.Scores(values, better="lower"), n_resamples=0).pairs[0]
    assert (pair.verdict, pair.rounded) == ("a better", "no difference shown")
    finer = bo.sensitivity(bo.Scores(values + 0.10000123, better="lower"), n_resamples=0)
    assert (finer.decimals, finer.pairs[0].rounded) == (None, None)


@pytest.mark.parametrize(("test", "truth"), [("wilcoxon", 0.17), ("sign", 0.17), ("mean-ranks", None)])
def test_six_differences_of_one_sign_are_seldom_shown_again(test: str, truth: float | None) -> None:
    """It was 1.00: P(all six point the same way again), over effects of 0, .2, .5 and .8, is .17."""
    values = np.c_[np.zeros(6), [0.3, 0.1, 0.9, 0.2, 0.5, 0.4]]
    pair = bo.sensitivity(bo.Scores(values, better="lower"), pairwise=test).pairs[0]
    assert pair.verdict == "a better"
    assert pair.replicability is not None
    if truth is None:
        assert 0.05 < pair.replicability.estimate < 0.6
    else:
        assert abs(pair.replicability.estimate - truth) < 0.08


def test_a_clear_difference_is_solid_and_no_removal_changes_it() -> None:
    values = np.column_stack([np.zeros(30), np.linspace(1.0, 2.0, 30)])
    pair = bo.sensitivity(bo.Scores(values, better="lower"), n_resamples=50).pairs[0]
    assert pair.solid
    assert pair.replicability is not None
    assert 0.9 < pair.replicability.estimate < 1.0
    assert pair.replicability.standard_error > 0.0
    few = bo.sensitivity(bo.Scores(values[:4], better="lower"), n_resamples=10).pairs[0]
    assert few.verdict == "cannot tell"
    assert few.fragility is not None
    assert few.fragility.n is None


@pytest.mark.slow
def test_the_same_seed_draws_the_same_experiments() -> None:
    rng = np.random.default_rng(3)
    scores = bo.Scores(rng.normal(size=(12, 3)), better="lower")
    first, again = (bo.sensitivity(scores, n_resamples=40, rng=7).to_dict() for _ in range(2))
    assert first == again
    told: list[tuple[int, int]] = []
    bo.sensitivity(scores, n_resamples=60, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (12, 12)


def by_name(found: Sensitivity) -> dict[frozenset[str], tuple[object, ...]]:
    """What does not depend on the order of rows and columns, nor on the unit; resamples do on the order of rows."""
    turned = {"a better": "b better", "b better": "a better"}
    pairs = {}
    for pair in found.pairs:
        swapped = pair.a > pair.b
        worlds = {name: turned.get(said, said) if swapped else said for name, said in pair.analyses.items()}
        least = pair.fragility
        assert pair.adjusted_range is not None
        pairs[frozenset((pair.a, pair.b))] = (
            *sorted(worlds.items()),
            sorted(pair.flips_without),
            sorted(pair.flips_without_algorithm),
            [float(f"{p:.9g}") for p in pair.adjusted_range],
            None if least is None else (least.n, least.exact),
        )
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_order_direction_or_unit_changes_what_is_examined(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(9, 4)) + np.arange(4) * rng.uniform(0, 1.5), seed % 3)
    names, problems = list("abcd"), [f"P{i}" for i in range(9)]
    found = by_name(bo.sensitivity(bo.Scores(values, names, problems, better="lower"), n_resamples=0))
    rows, columns = rng.permutation(9), rng.permutation(4)
    moved = bo.Scores(
        values[rows][:, columns], [names[j] for j in columns], [problems[i] for i in rows], better="lower"
    )
    assert by_name(bo.sensitivity(moved, n_resamples=0)) == found
    other = bo.Scores(-8.0 * values, names, problems, better="higher")
    assert by_name(bo.sensitivity(other, n_resamples=0)) == found


@pytest.mark.few(3)
@pytest.mark.parametrize("table", ["one problem", "all tied", "huge", "tiny", "one huge row", "two values"])
def test_degenerate_tables_have_an_answer(table: str) -> None:
    values = {
        "one problem": [[1.0, 2.0, 3.0]],
        "all tied": np.ones((4, 3)),
        "huge": np.array([[1, 2, 3], [3, 1, 2], [0, 0, 1], [2, 5, 3]]) * 1e307,
        "tiny": np.array([[1, 2, 3], [3, 1, 2], [0, 0, 1], [2, 5, 3]]) * 5e-324,
        "one huge row": [[1.0, 2.0, 3.0], [1e300, 2e300, -1e300], [2.0, 1.0, 5.0]],
        "two values": [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]],
    }[table]
    found = bo.sensitivity(bo.Scores(values, better="lower"), n_resamples=20)
    assert len(found.pairs) == 3
    assert str(found)
    for pair in found.pairs:
        if pair.replicability is not None:
            assert 0.0 < pair.replicability.estimate < 1.0


@pytest.mark.parametrize("option", ["omnibus", "pairwise", "posthoc", "recipe", "standard_error", "transform", "unit"])
@pytest.mark.parametrize("value", ["nonsense", 3])
def test_an_unknown_choice_is_refused(option: str, value: object) -> None:
    scores = bo.Scores([[1.0, 2.0], [2.0, 4.0], [1.0, 5.0]], better="lower")
    with pytest.raises(bo.BakeoffError, match=option):
        bo.sensitivity(scores, **{option: value})  # type: ignore[arg-type]


def test_analyses_that_infinite_scores_forbid_are_left_out_with_the_reason() -> None:
    scores = bo.Scores([[1.0, np.inf, 2.0], [2.0, 1.0, 3.0], [1.0, 3.0, 2.5]], better="lower")
    found = bo.sensitivity(scores, n_resamples=5)
    assert not any(name.startswith("t ") for name in found.analyses)
    assert any("problem 'P1', algorithm 'A2' is inf" in reason for reason in found.left_out.values())
    with pytest.raises(bo.BakeoffError, match="problem 'P1', algorithm 'A2' is inf"):
        bo.sensitivity(scores, pairwise="t", n_resamples=5)


def test_holes_are_refused() -> None:
    with pytest.raises(MissingScoreError):
        bo.sensitivity(bo.Scores([[1.0, 2.0], [np.nan, 1.0], [2.0, 3.0]], better="lower", missing="keep"))


@pytest.mark.slow
def test_commands(tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    base = [str(TABLE), "--better", "lower", "--control", "SaDE"]
    done = CliRunner().invoke(main, ["sensitivity", *base, "--resamples", "20", "--report", str(saved)])
    assert done.exit_code == 0, done.output
    assert "SaDE better than CHC: holds under" in done.stdout
    assert "Would another analysis give another verdict?" in done.stdout
    content = json.loads(saved.read_text(encoding="utf-8"))
    assert content["pairs"][2]["fragility"]["n"] == 5
    assert bo.verify(saved).ok
    content["pairs"][0]["replicability"]["estimate"] = 0.99
    assert not bo.verify(content).ok


@pytest.mark.slow
def test_beside_a_margin_the_verdicts_on_differences_are_examined() -> None:
    scores = bo.datasets.load("garcia_2010")
    with_margin = bo.compare(scores, margin=0.2)
    assert "practically equal" in {pair.verdict for pair in with_margin.pairs}
    found = bo.sensitivity(with_margin, n_resamples=0)
    assert [pair.verdict for pair in found.pairs] == [pair.verdict for pair in bo.compare(scores).pairs]


@pytest.mark.slow
def test_whole_clusters_are_left_out_and_drawn_again() -> None:
    rng = np.random.default_rng(0)
    groups = np.repeat(rng.normal(size=(15, 4)) + 0.7 * np.arange(4), 4, axis=0)
    values = (groups + 0.5 * rng.normal(size=(60, 4))).round(2)
    scores = bo.Scores(values, better="lower", clusters=[f"c{i // 4}" for i in range(60)])
    for options in ({}, {"pairwise": "mean-ranks"}, {"control": "A1", "pairwise": "sign"}):
        compared, found = bo.compare(scores, **options), bo.sensitivity(scores, **options, n_resamples=20)
        assert [pair.verdict for pair in found.pairs] == [pair.verdict for pair in compared.pairs]
        flips: dict[tuple[str, str], list[str]] = {(pair.a, pair.b): [] for pair in compared.pairs}
        for gone in dict.fromkeys(scores.clusters or ()):
            kept = [p for p, c in zip(scores.problems, scores.clusters or (), strict=True) if c != gone]
            for pair, whole in zip(
                bo.compare(scores.select(problems=kept), **options).pairs, compared.pairs, strict=True
            ):
                if pair.verdict != whole.verdict:
                    flips[whole.a, whole.b].append(gone)
        assert {(pair.a, pair.b): list(pair.flips_without) for pair in found.pairs} == flips
        assert "of 15 clusters" in str(found)
        assert "any one cluster" in str(found)
    single = bo.sensitivity(scores, unit="problem", n_resamples=20)
    assert [pair.verdict for pair in single.pairs] == [
        pair.verdict for pair in bo.compare(scores, unit="problem").pairs
    ]
    assert bo.verify(found.to_dict()).ok


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"margin": 0.2}, {"intervals": "single"}, {"effect": "a12"}])
def test_a_report_on_a_comparison_with_other_options_is_verified(options: dict[str, object]) -> None:
    """It had the cautions and references of a margin, of single intervals, which its request does not name."""
    rng = np.random.default_rng(4)
    runs = rng.normal(size=(8, 3, 4)) + np.arange(3)[None, :, None] + 9
    scores = bo.Scores(runs, ["a", "b", "c"], better="lower")
    compared = bo.compare(scores, **options)  # type: ignore[arg-type]
    found = bo.sensitivity(compared, n_resamples=0)
    assert bo.verify(found.to_dict()).ok
    assert found.cautions == bo.sensitivity(scores, n_resamples=0).cautions


@pytest.mark.slow
def test_what_the_source_says_stays_with_a_comparison_made_again() -> None:
    compared = bo.compare(bo.datasets.load("demsar_2006"), margin=0.01)
    about = bo.Caution(code="unfinished", text="3 runs are missing.")
    compared = replace(compared, cautions=(about, *compared.cautions), added=(about,))
    found = bo.sensitivity(compared, n_resamples=0)
    assert about in found.cautions
    assert found.added == (about,)
    assert bo.verify(found.to_dict()).ok


def test_two_algorithms_are_named_where_no_difference_is_shown() -> None:
    """It said "between any of 1 pair"."""
    turns = np.column_stack([np.zeros(12), np.tile([1.0, -1.0], 6)])
    alike = bo.sensitivity(bo.Scores(turns, ["new", "old"], better="lower"), n_resamples=0)
    assert alike.verdict == (
        "No difference is shown between new and old, under any analysis and without any one problem."
    )
    values = np.column_stack([np.zeros(9), [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, -0.85]])
    near = bo.sensitivity(bo.Scores(values, ["new", "old"], better="lower"), n_resamples=0)
    assert near.verdict == (
        "No difference is shown between new and old; they would differ under some other of 6 analyses and without some "
        "one problem."
    )


def test_no_correction_by_logic_is_sound_for_signs() -> None:
    """A is as often better as B, B as C, and A more often than C: compare() corrects signs by Holm."""
    steps = np.array([(2.0, -1.0), (-1.0, 2.0), (1.0, 1.0), (-2.0, -2.0)] * 8)
    values = np.cumsum(np.column_stack([np.zeros(32), -steps]), axis=1)
    found = bo.sensitivity(bo.Scores(values, list("ABC"), better="higher"), n_resamples=0)
    by_logic = ("shaffer", "shaffer-dynamic", "bergmann-hommel")
    assert {"sign + bonferroni", "sign + holm", "wilcoxon + shaffer"} <= set(found.analyses)
    assert not any(f"sign + {method}" in found.analyses for method in by_logic)
    assert all("not transitive" in found.left_out[f"sign + {method}"] for method in by_logic)
    asked = bo.sensitivity(
        bo.Scores(values, list("ABC"), better="higher"), pairwise="sign", posthoc="shaffer", n_resamples=0
    )
    assert asked.analyses[0] == "sign + shaffer"
    assert "sign + shaffer" not in asked.left_out
