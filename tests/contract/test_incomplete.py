"""compare() of a table with kept holes: what is tested on what, what is refused, and what every report says of it."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

import bakeoff as bo
from bakeoff.analyses.compare.statistics.incomplete.cautions import algorithms_pvalue, hardness_pvalue
from bakeoff.cli import main
from bakeoff.errors import ParameterError

NAN = math.nan
# Skillings & Mack (1981), assembly times of nine operators by four methods
ASSEMBLY = [
    *([3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0], [3.6, 4.2, 3.7, 3.9]),
    *([4.5, 4.7, 3.7, NAN], [NAN, 4.2, 3.4, NAN], [4.3, 4.6, 4.4, 4.9], [3.5, NAN, 3.7, 3.9]),
]
S = bo.Scores(ASSEMBLY, ["a", "b", "c", "d"], better="lower", missing="keep")
CSV = "problem,a,b,c,d\n" + "".join(
    f"op{i},{','.join('' if x != x else str(x) for x in row)}\n" for i, row in enumerate(ASSEMBLY, 1)
)


def codes(result: bo.Comparison) -> list[str]:
    return [caution.code for caution in result.cautions]


@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign", "sign-without-ties", "t"])
def test_a_pair_is_what_its_own_test_says_on_the_problems_both_have(pairwise: str) -> None:
    result = bo.compare(S, pairwise=pairwise)
    assert result.omnibus.name == "skillings-mack"
    assert result.omnibus.statistic == pytest.approx(15.493048797529275, abs=1e-9)
    test = {"wilcoxon": bo.wilcoxon, "sign": bo.sign_test, "t": bo.paired_t}.get(
        pairwise, lambda s, a, b: bo.sign_test(s, a, b, ties="drop")
    )
    for pair in result.pairs:
        columns = [S.index(pair.a), S.index(pair.b)]
        both = ~S.holes[:, columns].any(axis=1)
        two = bo.Scores(S.values[both][:, columns], better="lower")
        assert pair.pvalue == pytest.approx(test(two, 0, 1).pvalue, rel=1e-12)
        assert pair.n_problems == both.sum() == pair.wins + pair.ties + pair.losses
        alone = bo.compare(two, pairwise=pairwise).pairs[0]
        assert pair.effect == alone.effect
        assert pair.rank_biserial == alone.rank_biserial
    assert result.primary == "holm"
    adjusted = bo.adjust([pair.pvalue for pair in result.pairs], "holm")
    assert [pair.adjusted["holm"] for pair in result.pairs] == adjusted.tolist()
    assert {"missing", "different-problems"} <= set(codes(result))


def test_the_effect_and_cautions_name_what_is_missing() -> None:
    said = next(c.text for c in bo.compare(S).cautions if c.code == "missing")
    assert said.startswith("4 scores of 36 missing (a 1, b 1, d 2): P6 / d, P7 / a, P7 / d, P9 / b.")
    result = bo.compare(S)
    assert result.omnibus.pvalue == pytest.approx(0.00144029630, abs=1e-9)
    assert (result.missing, result.contrasts, result.kendall_w, result.critical_difference) == ("common", *[None] * 3)
    assert result.detectable is None
    complete = [row for row in ASSEMBLY if not any(x != x for x in row)]
    assert result.means.tolist() == pytest.approx(np.mean(complete, axis=0).tolist())


@pytest.mark.parametrize(("missing", "said"), [("bounds", "Verdicts on pairs hold"), ("", "All results assume that")])
@pytest.mark.slow_cases("bounds-Verdicts on pairs hold")
def test_what_missing_scores_leave_true(missing: str, said: str) -> None:
    name = "missing (bounds)" if missing else "missing (scores)"
    (text,) = (c.text for c in bo.compare(S, missing=missing or None).cautions if c.name == name)
    assert said in text


@pytest.mark.parametrize(("pairwise", "times"), [("wilcoxon", 0), ("mean-ranks", 1)])
def test_what_was_met_matters_to_mean_ranks_only(pairwise: str, times: int) -> None:
    """All pairs have nine problems in common here, of ten."""
    values = np.random.default_rng(0).normal(size=(10, 3))
    values[0, :2] = np.nan
    table = bo.Scores(values, better="lower", missing="keep")
    assert codes(bo.compare(table, pairwise=pairwise)).count("different-problems") == times


def test_groups_that_never_met_are_named_up_to_three() -> None:
    values = np.full((7, 14), np.nan)
    for i in range(7):
        values[i, 2 * i : 2 * i + 2] = 1, 2
    with pytest.raises(bo.BakeoffError, match=r"falls into 7 groups .*\('A5', 'A6'\) and 4 more \(7 in all\)"):
        bo.skillings_mack(bo.Scores(values, better="lower", missing="keep"))


def test_mean_ranks_are_contrasts_of_skillings_mack_scores() -> None:
    found, result = bo.skillings_mack(S, "chi2"), bo.compare(S, pairwise="mean-ranks")
    assert found.scores.tolist() == pytest.approx([-14.12559752, -4.28124415 * -1, -4.28124415, 14.12559752], abs=1e-7)
    for pair in result.pairs:
        a, b, c = S.index(pair.a), S.index(pair.b), found.covariance
        z = (found.scores[b] - found.scores[a]) / math.sqrt(c[a, a] + c[b, b] - 2 * c[a, b])
        assert pair.statistic == pytest.approx(z, abs=1e-9)
        assert pair.pvalue == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-9)
    assert (result.pair("a", "d").verdict, result.standard_error) == ("a better", "permutation")


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_estimated_mean_ranks_are_the_mean_ranks_where_nothing_is_missing(better: str) -> None:
    from bakeoff.analyses.compare.statistics.incomplete.ranks import estimated_mean_ranks, score_contrasts

    s = bo.Scores(bo.datasets.load("demsar_2006").values, better=better)  # type: ignore[arg-type]
    assert estimated_mean_ranks(s).tolist() == pytest.approx(bo.compare(s).mean_ranks.tolist(), abs=1e-9)
    z = score_contrasts(bo.skillings_mack(s, "chi2"), [(0, 1), (0, 3), (2, 3)]).statistic
    ranked = bo.compare(s, pairwise="mean-ranks")
    assert z.tolist() == pytest.approx([ranked.pair(i, j).statistic for i, j in ((0, 1), (0, 3), (2, 3))], abs=1e-9)


def test_estimated_mean_ranks_see_through_the_opponents() -> None:
    """b lost to the strong a only, c beat the weak d only: c's ranks look better than b's, though b beats c."""
    rows = [[1, 2, NAN, NAN]] * 4 + [[NAN, NAN, 3, 4]] * 4 + [[NAN, 2, 3, NAN]] * 4
    s = bo.Scores(rows, ["a", "b", "c", "d"], better="lower", missing="keep")
    assert list(bo.compare(s).ranks) == ["a", "b", "c", "d"]


def test_mean_ranks_of_groups_that_never_met_are_unknown() -> None:
    rows = [[1, 2, NAN, NAN], [2, 1, NAN, NAN], [NAN, NAN, 3, 4]] * 3
    apart = bo.Scores(rows, ["a", "b", "c", "d"], better="lower", missing="keep")
    assert np.isnan(bo.score_table(apart).mean_ranks).all()


def test_bounds_of_sign_tests_by_hand() -> None:
    """a wins 7 of 7 against d, with two problems unknown: from 9 of 9, 2·2⁻⁹, to 7 of 9."""
    pair = bo.compare(S, pairwise="sign", missing="bounds").pair("a", "d")
    assert pair.bounds is not None
    assert (pair.bounds.smallest, pair.bounds.largest) == pytest.approx((2 / 2**9, 2 * (1 + 9 + 36) / 2**9))
    assert (pair.bounds.kind, pair.bounds.n_missing, pair.pvalue) == ("exact", 2, pair.bounds.largest)
    assert pair.verdict == "depends on the missing scores"
    assert (pair.effect, pair.interval) == (None, None)
    assert "missing" in codes(bo.compare(S, pairwise="sign", missing="bounds"))


def test_bounds_decide_where_all_completions_agree() -> None:
    table = np.array([[i, i + 10.0, i + 10.0 + (-1) ** i * (i % 7)] for i in range(20)])
    table[3, 0] = table[5, 2] = NAN
    held = bo.compare(bo.Scores(table, better="lower", missing="keep"), missing="bounds")
    assert [pair.verdict for pair in held.pairs] == ["a better", "a better", "no difference shown"]
    assert held.groups == (("A1",), ("A2", "A3"))
    turned = bo.compare(bo.Scores(-table, better="higher", missing="keep"), missing="bounds")
    assert [p.verdict for p in turned.pairs] == [p.verdict for p in held.pairs]
    assert held.pair("A2", "A1").verdict == "b better"


def test_without_missing_scores_bounds_are_the_comparison() -> None:
    s = bo.datasets.load("demsar_2006")
    assert bo.compare(s, missing="bounds").to_dict() == bo.compare(s).to_dict()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"omnibus": "quade"}, "omnibus must be 'skillings-mack'"),
        ({"recipe": "demsar-2006"}, "recipe needs a complete table"),
        ({"standard_error": "papers", "pairwise": "mean-ranks"}, "standard_error must be left out"),
        ({"pairwise": "aligned"}, "pairwise must be one of wilcoxon, sign, .* where scores are missing; got 'aligned'"),
        ({"pairwise": "t", "missing": "bounds"}, "with missing='bounds'; got 't': without limits"),
        ({"posthoc": "nemenyi"}, "posthoc must "),
        ({"missing": "worst"}, "missing must be one of 'bounds'"),
        ({"pairwise": "wilcoxn"}, "did you mean 'wilcoxon'"),
    ],
)
def test_what_has_no_meaning_is_refused_by_name(options: dict[str, str], said: str) -> None:
    with pytest.raises(bo.BakeoffError, match=said):
        bo.compare(S, **options)  # type: ignore[arg-type]


def test_a_pair_that_never_met_cannot_be_told_apart() -> None:
    rows = [[1, 2, NAN]] * 8 + [[1, NAN, 2]] * 8
    result = bo.compare(bo.Scores(rows, better="lower", missing="keep"))
    pair = result.pair("A2", "A3")
    assert (pair.n_problems, pair.pvalue, pair.verdict, pair.effect) == (0, 1.0, "cannot tell", None)
    assert "1 pair with too few problems in common" in next(c.text for c in result.cautions if c.code == "out-of-reach")
    with pytest.raises(bo.BakeoffError, match="falls into 2 groups"):
        bo.compare(bo.Scores([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]], better="lower", missing="keep"))


def test_clusters_are_not_ignored() -> None:
    s = bo.Scores(ASSEMBLY, better="lower", missing="keep", clusters=list("aabbccdde"))
    with pytest.raises(bo.BakeoffError, match="unit 'cluster' needs a complete table"):
        bo.compare(s)
    assert "dependence" in codes(bo.compare(s, unit="problem"))
    assert "dependence" not in codes(bo.compare(S))


def test_bounds_of_mean_ranks_of_two_problems_can_tell_nothing() -> None:
    """z is at most √(n(k − 1)) = 2, and three pairs ask for more than p = .0455."""
    s = bo.Scores([[1, 2, 3], [1, 2, NAN]], better="lower", missing="keep")
    found = bo.compare(s, pairwise="mean-ranks", missing="bounds")
    assert {pair.verdict for pair in found.pairs} == {"cannot tell"}


@pytest.mark.slow
def test_neither_order_nor_direction_matter() -> None:
    one = bo.compare(S)
    turned = S.select(["d", "b", "a", "c"], [f"P{i}" for i in (4, 2, 9, 1, 7, 8, 3, 6, 5)])
    other = bo.compare(turned)
    assert one.ranks == other.ranks
    for pair in one.pairs:
        again = other.pair(pair.a, pair.b)
        assert (pair.pvalue, pair.adjusted, pair.verdict) == (again.pvalue, again.adjusted, again.verdict)
        assert pair.effect == again.effect
    held, again = (bo.compare(s, missing="bounds") for s in (S, turned))
    assert [p.bounds for p in held.pairs] == [again.pair(p.a, p.b).bounds for p in held.pairs]


# --- do they gather? --------------------------------------------------------------------------------------------


def test_missing_scores_of_one_algorithm() -> None:
    rng = np.random.default_rng(1)
    table = rng.normal(size=(30, 4))
    table[:8, 2] = NAN
    s = bo.Scores(table, better="lower", missing="keep")
    assert algorithms_pvalue(s) < 0.001
    said = next(c.text for c in bo.compare(s).cautions if c.name == "missing (gathered)")
    assert said.startswith("Missing scores are concentrated on 'A3' (8 of 8; Cochran's test")


def test_missing_scores_of_hard_problems() -> None:
    rng = np.random.default_rng(2)
    table = rng.normal(size=(40, 5)) + np.linspace(0, 9, 40)[:, None]
    for i in range(34, 40):
        table[i, rng.integers(5)] = NAN
    for better, values in (("lower", table), ("higher", -table)):
        s = bo.Scores(values, better=better, missing="keep")  # type: ignore[arg-type]
        assert hardness_pvalue(s) < 1e-4
        said = next(c.text for c in bo.compare(s).cautions if c.name == "missing (gathered)")
        assert "on problems whose other scores are bad" in said
    assert hardness_pvalue(bo.Scores(-table, better="lower", missing="keep")) > 0.9


@pytest.mark.slow
def test_scores_missing_at_random_seldom_seem_to_gather() -> None:
    """Two tests at 5 %, both conservative: the caution appears in at most 10 % of such tables."""
    rng, draws, fired = np.random.default_rng(3), 400, np.zeros(2)
    for _ in range(draws):
        table = rng.normal(size=(25, 5)) + rng.normal(size=(25, 1)) * 3
        table[rng.random(table.shape) < 0.06] = NAN
        s = bo.Scores(table, better="lower", missing="keep")
        fired += [algorithms_pvalue(s) <= 0.05, hardness_pvalue(s) <= 0.05]
    assert (fired / draws <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / draws)).all()


@pytest.mark.exhaustive
def test_family_wise_error_with_missing_scores() -> None:
    """Nothing differs, a fifth of the scores missing at random: any pair is declared different in at most 5 %."""
    rng, draws = np.random.default_rng(4), 250
    wrong = {"wilcoxon": 0, "sign": 0, "mean-ranks": 0}
    for _ in range(draws):
        table = rng.normal(size=(20, 4))
        table[rng.random(table.shape) < 0.2] = NAN
        s = bo.Scores(table, better="lower", missing="keep")
        for pairwise in wrong:
            wrong[pairwise] += any(
                p.verdict in ("a better", "b better") for p in bo.compare(s, pairwise=pairwise).pairs
            )
    assert max(wrong.values()) / draws <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / draws)


# --- reports ----------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "times.csv"
    path.write_text(CSV, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["keep", "bounds"])
def test_every_format_and_verify(file: Path, missing: str) -> None:
    targets = [file.with_name(f"r.{suffix}") for suffix in ("json", "html", "md", "tex", "txt", "csv", "xlsx", "svg")]
    options = [str(file), "--better", "lower", "--missing", missing, "--look", "width=130"]
    printed = CliRunner().invoke(
        main, ["compare", "--details", *options, *(x for t in targets for x in ("--report", str(t)))]
    )
    assert printed.exit_code == 0, printed.output
    assert "4 scores missing" in printed.output
    assert "4 scores of 36 missing (a 1, b 1, d 2)" in printed.output
    for target in targets:
        if target.suffix in (".html", ".md", ".tex", ".txt"):
            text = target.read_text(encoding="utf-8")
            assert re.search("Skillings", text)
            assert "estimated" in text
            assert "nan" not in re.sub(r"[a-z]*nan[a-z]+|[a-z]+nan", "", text.lower()).split()
    content = json.loads(targets[0].read_text(encoding="utf-8"))
    assert content["missing"]["per_algorithm"] == {"a": 1, "b": 1, "c": 0, "d": 2}
    assert content["missing"]["cells"] == [["op6", "d"], ["op7", "a"], ["op7", "d"], ["op9", "b"]]
    assert content["scores"]["values"][5][3] is None
    assert [pair["n_problems"] for pair in content["pairs"]] == [7, 8, 7, 8, 6, 7]
    assert ("bounds" in content["pairs"][0]) == (missing == "bounds")
    assert load_workbook(targets[6]).sheetnames
    for more in ([], [str(file)]):
        checked = CliRunner().invoke(main, ["verify", str(targets[0]), *more])
        assert checked.exit_code == 0, checked.output
    content["pairs"][0]["pvalue"] /= 2
    assert [d.where for d in bo.verify(content).differences] == ["pairs[0].pvalue"]


def test_the_sentences_of_bounds(file: Path) -> None:
    options = [str(file), "--better", "lower", "--missing", "bounds", "--look", "width=130", "--details"]
    printed = CliRunner().invoke(main, ["compare", *options, "--pairwise", "sign"]).output
    printed = " ".join(printed.split())
    assert "the verdict on 2 pairs depends on the missing scores" in printed
    assert "largest" in printed
    two = CliRunner().invoke(main, ["compare", *options, "--pairwise", "sign", "--only", "a", "--only", "d"]).output
    assert "Whether a and d differ depends on the missing scores (p from 0.00391 to 0.180)." in two
    control = CliRunner().invoke(main, ["compare", *options, "--pairwise", "sign", "--control", "a"]).output
    assert "depends on the missing scores" in control


def test_runs_with_missing_cells_are_verified_too() -> None:
    runs = [[[1, 2], [NAN, NAN]], *[[[1, 3], [2, NAN]]] * 7]
    s = bo.Scores(runs, better="lower", missing="keep")
    report = bo.compare(s).to_dict()
    assert bo.verify(json.loads(json.dumps(report))).ok
    assert bo.score_table(s).to_dict()["values"][0][1] is None
    report["scores"]["runs"][1][1] = []
    with pytest.raises(bo.BakeoffError, match=r"scores.runs\[1\]\[1\] must be a list of at least one run"):
        bo.verify(report)


def test_a_table_of_scores_with_holes() -> None:
    table = bo.score_table(S, control="a", ranks=True)
    assert np.isnan(table.ranks[5, 3])
    assert table.mean_ranks.tolist() == bo.compare(S).mean_ranks.tolist()
    assert table.ties is not None
    assert (table.wins.tolist(), table.ties.tolist()) == ([0, 6, 7, 7], [8, 0, 0, 0])  # type: ignore[union-attr]
    assert "–: missing." in str(table) or "missing" in str(table)


@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign", "mean-ranks"])
def test_where_missing_scores_gather_verdicts_are_those_of_bounds(pairwise: str) -> None:
    """Of algorithms that are missing where they failed; and missing="common" takes them for chance."""
    kinds = set()
    for seed in range(30):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(30, 3)) + np.array([0.0, 0.0, 2.0])
        values[values[:, 0] - values[:, 1] < rng.choice([-1.8, -0.8]), 0] = np.nan
        scores = bo.Scores(values, ["A", "B", "C"], better="higher", missing="keep")
        found, bounds, common = (
            bo.compare(scores, pairwise=pairwise, missing=way) for way in (None, "bounds", "common")
        )
        gathers = "missing (gathered)" in {caution.name for caution in found.cautions}
        for own, bound, shared in zip(found.pairs, bounds.pairs, common.pairs, strict=True):
            assert own.pvalue == shared.pvalue
            if own.verdict != shared.verdict:
                assert gathers
                assert own.verdict == "depends on the missing scores" != bound.verdict or own.verdict == bound.verdict
            elif gathers and own.verdict in ("a better", "b better"):
                assert own.verdict == bound.verdict
            kinds.add((gathers, own.verdict))
    assert {(True, "depends on the missing scores"), (True, "b better")} <= kinds


def test_without_bounds_nothing_stands_where_missing_scores_gather() -> None:
    """Of t, and of a margin."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(40, 2))
    values[values[:, 0] - values[:, 1] < -0.7, 0] = np.nan
    scores = bo.Scores(values, ["A", "B"], better="higher", missing="keep")
    for options in ({"pairwise": "t"}, {"margin": 2.5}):
        assert bo.compare(scores, **options).pairs[0].verdict == "depends on the missing scores"  # type: ignore[arg-type]
    assert bo.compare(scores, pairwise="t", missing="common").pairs[0].verdict == "a better"
    with pytest.raises(ParameterError, match="missing must be one of 'bounds', 'common'; got 'chance'"):
        bo.compare(scores, missing="chance")  # type: ignore[arg-type]
