"""Bayesian reports: sentences are true, every format says the same, and the JSON holds the results' own fields."""

from __future__ import annotations

import csv
import dataclasses
import json
import re
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.errors import WrongTypeError
from bakeoff.wings.bayes import Overview
from bakeoff.wings.bayes.analysis.reporting import (
    document,
    document as posterior_contents,
    readings as posterior_readings,
    sentences as posterior_sentences,
    tables as posterior_tables,
)
from bakeoff.wings.bayes.statements.wording import at_least, between, chance
from unit.figures.figures_cases import NAMES
from unit.report.latex_cases import PREAMBLES, can_compile, compiled

SEEDS = range(18)
TAGS = re.compile(r"<[^>]+>")


@lru_cache
def case(seed: int) -> Overview:
    """Small tables with ties, any options; every fifth with an infinite score."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 16)), int(rng.choice([2, 2, 3, 4, 6]))
    values = np.round(rng.normal(size=(n, k)) + rng.random() * np.arange(k), int(rng.integers(0, 3)))
    if seed % 5 == 4:
        values[0, 0] = np.inf
    scores = bo.Scores(values, [f"A{j}" for j in range(k)], better=("lower", "higher")[seed % 2])
    return bo.bayes.overview(
        scores,
        control="A1" if seed % 3 == 2 else None,
        rope=0.5 if seed % 4 == 3 else 0.0,
        prior_strength=float(rng.choice([0.0, 1.0, 2.5])),
        gamma=float(rng.choice([0.05, 0.3])),
        n_draws=300,
        prior="ignorance" if seed % 6 == 5 else "equal",
    )


# --- sentences ----------------------------------------------------------------------------------------------------


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_better_is_said_where_it_was_accepted_and_nowhere_else(seed: int) -> None:
    o = case(seed)
    said = posterior_sentences.verdict(o)
    if len(o.joint.algorithms) == 2:
        sign = o.pairs[0].sign
        decided = {"a better": (sign.a, sign.b), "b better": (sign.b, sign.a)}.get(sign.verdict)
        opening = re.match(r"(A\d) is better than (A\d)", said)
        assert (opening and opening.groups()) == decided
        return
    accepted = {(s.better, s.worse) for s in o.joint.statements if s.accepted}
    found = re.match(r"(A\d)(?: \(the control\))? is (.*?); ", said)
    if found is None:
        assert not accepted or o.control is not None
        return
    name, claims = found.groups()
    better = re.search(r"better than (.*?)(?: and worse than|$)", claims)
    worse = re.search(r"worse than (.*)$", claims)
    for words, pairs in (
        (better, {b for a, b in accepted if a == name}),
        (worse, {a for a, b in accepted if b == name}),
    ):
        if words is None:
            assert not pairs
        elif "each of" in words[1]:
            assert len(pairs) == len(o.joint.algorithms) - 1
        else:
            assert set(re.findall(r"A\d", words[1])) == pairs
    assert str(o.joint.n_accepted) in said or "this one statement" in said


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_probabilities_said_are_those_of_the_results(seed: int) -> None:
    o = case(seed)
    said = posterior_sentences.verdict(o)
    if len(o.joint.algorithms) > 2 and o.joint.n_accepted:
        p = o.joint.joint if o.prior == "equal" else o.joint.statements[o.joint.n_accepted - 1].joint_bounds[0]
        exact = o.joint.joint_standard_error == 0
        shown = chance(p, 1 - o.gamma, exact=exact).lstrip("<> ")
        assert (shown if o.prior == "equal" else at_least(p, 1 - o.gamma, exact=exact)) in said
    best = max(o.ranks.p_best)
    if posterior_sentences.too_few(o):
        assert "With so few problems, the best depends on the prior" in posterior_sentences.best(o)
    else:
        assert chance(float(best), exact=o.ranks.method == "exact") in posterior_sentences.best(o)


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_sentence_is_whole(seed: int) -> None:
    o = case(seed)
    texts = [posterior_sentences.verdict(o), posterior_sentences.basis(o)]
    readings = posterior_readings.readings(o)
    few = posterior_sentences.too_few(o)
    assert {term for term, _ in readings} >= ({"best"} if few else {"best", "expected loss"})
    for text in (*texts, *(text for _, text in readings)):
        assert text[0].isupper()
        assert text.endswith(".")
        assert not re.search(r"nan|inf\b|None|  |\.\.|\bP [<>]|array|np\.", text), text


def test_better_though_practically_equivalent_is_a_caution() -> None:
    values = np.random.default_rng(0).normal(size=(30, 1)) + np.array([0.0, 0.01, 3.0])
    o = bo.bayes.overview(bo.Scores(values, better="lower"), rope=0.1, n_draws=200)
    (caution,) = (c for c in o.cautions if c.code == "better-but-equivalent")
    assert "A1 better than A2. " in caution.text
    assert "statements count every difference" in posterior_sentences.basis(o)


@pytest.mark.slow
def test_over_all_priors_every_number_is_a_bound() -> None:
    o = bo.bayes.overview(bo.datasets.load("derrac_cec2005"), prior="ignorance", n_draws=500)
    readings = dict(posterior_readings.readings(o))
    last, following = o.joint.statements[o.joint.n_accepted - 1 : o.joint.n_accepted + 1]
    need = 1 - o.gamma
    assert f"{at_least(last.joint_bounds[0], need, exact=False)}, whatever the prior" in readings["together"]
    lowest = at_least(following.joint_bounds[0], need, exact=False)
    assert f"the joint probability would be {lowest}." in readings["together"]
    assert "is at least 0.99" in readings["a statement"]


@pytest.mark.parametrize("seed", range(20))
def test_bounds_are_rounded_outwards_and_stay_on_their_side(seed: int) -> None:
    rng = np.random.default_rng(seed)
    low, high = np.sort(rng.choice([rng.random(2), 0.95 + 1e-4 * rng.normal(size=2), np.array([0.0, 1.0])])).tolist()
    for level in (None, 0.95):
        shown = [float(x) for x in re.findall(r"[\d.]+", between(low, high, level))]
        assert shown[0] <= low <= high <= shown[1]
        assert float(at_least(low, level).removeprefix("at least ")) == shown[0]
        if level is not None:
            assert (shown[0] > level, shown[1] > level) == (low > level, high > level)


def test_what_depends_on_the_prior_is_said_with_its_bounds() -> None:
    """The verdict gave the number of the prior at equality, and spoke of "better" where equivalence was in doubt."""
    values = np.column_stack([[0.0] * 3, [0.0, 0.01, 0.02]])
    o = bo.bayes.overview(bo.Scores(values, better="lower"), rope=0.1, prior="ignorance", n_draws=200)
    assert o.pairs[0].sign.verdict == "indeterminate"
    said = posterior_sentences.verdict(o)
    assert said.startswith("It depends on the prior whether A1 and A2 differ by more than 0.1: A1 better between 0 and")
    reading = dict(posterior_readings.readings(o))["this pair"]
    assert "practically equivalent between 0.8" in reading
    assert "signed ranks, with the prior at equality" in reading
    tied = bo.bayes.overview(bo.Scores([[1, 2]] * 3 + [[2, 1]] * 2, better="lower"), prior="ignorance", n_draws=200)
    said = posterior_sentences.verdict(tied)
    bounds = tied.pairs[0].sign.p_better_bounds
    assert bounds is not None
    assert f"the probability that A1 is better than A2 is {between(*bounds)}" in said


@pytest.mark.parametrize("rope", [0.0, 0.5])
def test_tables_say_which_numbers_have_one_prior(rope: float) -> None:
    values = np.random.default_rng(1).normal(size=(9, 3))
    for prior, said in (("ignorance", True), ("equal", False)):
        o = bo.bayes.overview(bo.Scores(values, better="lower"), rope=rope, prior=prior, n_draws=200)  # type: ignore[arg-type]
        notes = [posterior_tables.ranking(o).note, posterior_tables.pairs(o)[0].note]
        assert ["prior at equality" in note for note in notes] == [said, said]


def test_of_three_statements_none_accepted_is_said_truly() -> None:
    few = bo.bayes.overview(bo.Scores([[1, 2, 3]], better="lower"), prior="ignorance", n_draws=200)
    said = posterior_sentences.verdict(few)  # 0.5 to 1: above 0.95 under some priors
    assert "has a probability above 0.95 whatever the prior ranking" in said
    assert "(between 0.500 and 1). Most probably best with the prior at equality: A1" in said
    half = bo.bayes.overview(bo.Scores([[1, 1, 1]] * 3, better="lower"), gamma=0.6, n_draws=200)
    assert "above 0.4" not in posterior_sentences.verdict(half)  # every statement has probability 0.5


def test_where_equality_lies_is_said_truly() -> None:
    def reading(rows: list[list[float]], **options: object) -> dict[str, str]:
        o = bo.bayes.overview(bo.Scores(rows, better="lower"), n_draws=200, **options)  # type: ignore[arg-type]
        return dict(posterior_readings.readings(o))

    nothing = reading([[1, 1, 1]] * 4)
    assert "inside the 95 % credible region" in nothing["all equal"]
    assert "the posterior holds nothing else" in nothing["all equal"]
    assert nothing["best"].startswith("A1, A2 and A3 each have the lowest mean rank")
    assert reading([[1, 1, 2]] * 5)["expected loss"].startswith("The smallest expected loss is that of A1 and A2:")
    assert "it is the posterior mean itself" in reading([[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 5)["all equal"]
    unreached = reading([[1, 2, 3]] * 6, prior_strength=0)["all equal"]
    assert "outside the 95 % credible region (no region of the posterior reaches it)" in unreached
    assert "holds between 0." in reading([[1, 2, 3]] * 9 + [[3, 2, 1]] * 3, prior="ignorance")["all equal"]


def test_what_is_practically_equivalent_is_named() -> None:
    values = np.random.default_rng(0).normal(size=(30, 1)) + np.array([0.0, 0.01, 3.0])
    o = bo.bayes.overview(bo.Scores(values, better="lower"), rope=0.1, n_draws=200)
    said = dict(posterior_readings.readings(o))["equivalent"]
    assert re.search(r"outcome: A1 and A2 \(> 0\.999\)\.$", said)
    none = bo.bayes.overview(bo.Scores(values, better="lower"), rope=0.001, n_draws=200)
    assert dict(posterior_readings.readings(none))["equivalent"].startswith(
        "By signs no pair is practically equivalent"
    )


def test_a_tie_for_the_best_names_all() -> None:
    o = bo.bayes.overview(bo.Scores(np.tile([[1.0], [2.0]], (1, 3)), better="lower"), n_draws=200)
    assert posterior_sentences.best(o) == "Equally probable to be best: A1, A2 and A3 (0.333 each)"
    assert "for every pair both directions are equally probable" in posterior_sentences.verdict(o)


def test_what_is_near_the_level_is_shown_on_its_side() -> None:
    assert float(chance(0.9500004, 0.95)) > 0.95
    assert float(chance(0.9499996, 0.95)) < 0.95
    assert [chance(p) for p in (0.0, 1e-12, 0.0004, 0.0006, 0.9996, 1.0)] == [
        *("0", "< 0.001", "< 0.001", "0.001", "> 0.999", "1")
    ]
    rng = np.random.default_rng(0)
    for p in rng.beta(0.2, 0.2, 2000).tolist():
        shown, level = chance(p, 0.95), 0.95
        if shown[0] in "<>":
            assert p < 0.0005 if shown[0] == "<" else p >= 0.9995
        else:
            assert (float(shown) > level, float(shown) < level) == (p > level, p < level)
            assert abs(float(shown) - p) <= 0.0005 + 1e-12


# --- formats ------------------------------------------------------------------------------------------------------


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_format_renders_the_same_document(seed: int) -> None:
    o = case(seed)
    document = posterior_contents.REPORT.document(o, "bakeoff bayes x.csv")
    pages = {kind: report.render(o, kind, "bakeoff bayes x.csv") for kind in ("txt", "md", "html", "tex", "json")}
    words = " ".join(pages["txt"].split())
    assert document.verdict in words
    assert words.startswith(document.verdict) == (document.doubts is None)
    assert document.verdict in TAGS.sub("", pages["html"]).replace("&#39;", "'").replace("&lt;", "<").replace(
        "&gt;", ">"
    )
    assert json.loads(pages["json"])["verdict"] == document.verdict
    for kind in ("md", "html", "tex"):
        assert "nan" not in re.sub(r"Bhattacharyya", "", TAGS.sub(" ", pages[kind])).lower().split()
    assert "NaN" not in pages["json"]
    assert "Infinity" not in pages["json"]


@pytest.mark.slow
def test_names_are_escaped_everywhere(tmp_path: Path) -> None:
    names = [name for name in NAMES if name and "\ud800" not in name][:12]
    values = np.round(np.random.default_rng(0).normal(size=(9, len(names))), 1)
    o = bo.bayes.overview(bo.Scores(values, names, better="lower"), n_draws=100)
    page = report.render(o, "html")
    assert "<b>&" not in page
    assert page.count("<svg") == 4  # each for the width of a phone and for that of a page
    assert "\x1b" not in report.render(o, "txt")
    for suffix in (".html", ".md", ".tex", ".json", ".csv", ".svg"):
        o.save(tmp_path / f"r{suffix}")


def test_the_json_holds_the_fields_of_the_results() -> None:
    o = bo.bayes.overview(bo.datasets.load("demsar_2006"), rope=0.01, n_draws=300)
    content = o.to_dict()
    assert content["statements"] == [
        {k: list(v) if isinstance(v, tuple) else v for k, v in dataclasses.asdict(s).items()}
        for s in o.joint.statements
    ]
    assert content["joint"]["joint"] == o.joint.joint
    assert content["ranks"]["p_best"] == dict(zip(o.ranks.algorithms, o.ranks.p_best.tolist(), strict=True))
    assert content["friedman"]["statistic"] == o.friedman.statistic
    for pair, given in zip(content["pairs"], o.pairs, strict=True):
        assert (pair["a"], pair["b"]) == (given.a, given.b)
        assert pair["sign"]["p_better"] == given.sign.p_better
        assert pair["signed_rank"]["p_equivalent"] == given.signed_rank.p_equivalent
        assert "draws" not in pair["signed_rank"]
    assert json.loads(json.dumps(content, allow_nan=False)) == content


def test_an_infinite_statistic_is_null_with_a_caution() -> None:
    agree = bo.Scores([[1, 2, 3]] * 6, better="lower")
    content = bo.bayes.overview(agree, prior_strength=0.0, n_draws=100).to_dict()
    assert content["friedman"]["statistic"] is None
    assert "not-finite" in [caution["code"] for caution in content["cautions"]]


@pytest.mark.slow
def test_everything_cited_is_in_the_bibliography() -> None:
    for seed in SEEDS:
        assert set(document.cited_keys(case(seed))) <= set(report.references.bibliography())


def test_the_frame_and_the_csv_hold_the_pairs(tmp_path: Path) -> None:
    o = bo.bayes.overview(bo.datasets.load("demsar_2006"), rope=0.01, n_draws=300)
    frame = o.to_frame()
    assert list(frame["a"]) == [s.better for s in o.joint.statements]
    assert list(frame["joint"]) == [s.joint for s in o.joint.statements]
    pair = next(p for p in o.pairs if {p.a, p.b} == {frame["a"][0], frame["b"][0]})
    turned = pair.a != frame["a"][0]
    assert frame["sign_p_better"][0] == (pair.sign.p_worse if turned else pair.sign.p_better)
    o.save(tmp_path / "pairs.csv")
    with (tmp_path / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["probability"]) for row in rows] == list(frame["probability"])


def test_large_families_list_the_accepted_ones_first() -> None:
    values = np.random.default_rng(0).normal(size=(30, 12)) + np.arange(12)
    o = bo.bayes.overview(bo.Scores(values, better="lower"), n_draws=200)
    tables = {t.key: t for s in posterior_contents.REPORT.document(o).sections for t in s.blocks if hasattr(t, "rows")}
    assert len(tables["pairs"].rows) == o.joint.n_accepted
    assert len(tables["pairs-rest"].rows) == 66 - o.joint.n_accepted
    shown = report.render(o, "txt")
    assert f"{66 - o.joint.n_accepted} pairs without an accepted statement are not listed" in " ".join(shown.split())
    assert "not-computed" in [c.code for c in o.cautions]


def test_what_has_no_report_is_refused() -> None:
    with pytest.raises(WrongTypeError, match="JointComparison"):
        report.render(bo.bayes.compare(bo.datasets.load("demsar_2006"), n_draws=100), "txt")  # type: ignore[arg-type]


# --- the overview itself ------------------------------------------------------------------------------------------


def test_each_part_is_what_its_procedure_returns_alone() -> None:
    s = bo.datasets.load("demsar_2006")
    o = bo.bayes.overview(s, rope=0.01, n_draws=400, rng=5)
    assert o.joint == bo.bayes.compare(s, n_draws=400, rng=5)
    ranks = bo.bayes.rank_probabilities(s, n_draws=400, rng=5, prior="exchangeable")
    assert np.array_equal(o.ranks.p_rank, ranks.p_rank)
    assert o.friedman.statistic == bo.bayes.friedman(s).statistic
    alone = bo.bayes.signed_rank(s, 0, 2, rope=0.01, n_draws=400, rng=5)
    assert np.array_equal(o.pairs[1].signed_rank.draws, alone.draws)
    assert o.pairs[1].sign == bo.bayes.sign_test(s, 0, 2, rope=0.01)


def test_a_generator_gives_one_seed_to_all() -> None:
    s = bo.datasets.load("demsar_2006")
    one, two = (bo.bayes.overview(s, n_draws=200, rng=np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(one.ranks.p_rank, two.ranks.p_rank)
    assert not np.array_equal(one.ranks.p_rank, bo.bayes.overview(s, n_draws=200).ranks.p_rank)


def test_rows_in_another_order_give_the_same_answer() -> None:
    s = bo.datasets.load("demsar_2006")
    turned = s.select(problems=list(reversed(s.problems)))
    a, b = (bo.bayes.overview(x, rope=0.01, n_draws=200).to_dict() for x in (s, turned))
    for key in ("statements", "ranks", "pairs", "friedman", "verdict"):
        assert a[key] == b[key], key


def test_few_problems_take_the_exact_region() -> None:
    o = bo.bayes.overview(bo.Scores([[1, 2, 3], [3, 1, 2]], better="lower"), n_draws=100)
    assert (o.friedman.region, o.friedman_exact) == ("exact", None)


def test_cautions_about_pairs_are_said_once_for_each_kind() -> None:
    o = bo.bayes.overview(bo.Scores([[1, 2, 3]] * 4, better="lower"), n_draws=100)
    unanimous = [c for c in o.cautions if c.code == "certainty"]
    assert any("A1 against A2 (the same holds for 2 more of the pairs)" in c.text for c in unanimous)


@pytest.mark.slow
def test_pdflatex_compiles_the_report(tmp_path: Path) -> None:
    if not can_compile():
        pytest.skip("no pdflatex with lmodern, booktabs and tikz here")
    names = ("\\input{x}$x^2$ & % # _ ~", "<b>[1]*{a}", "a|b`c'd\"e", "λ_1 χ² Ω")
    values = np.random.default_rng(0).normal(size=(12, 4)) + np.arange(4)
    o = bo.bayes.overview(bo.Scores(values, names, better="lower"), control=0, rope=0.1, n_draws=1000)
    report.save(o, tmp_path / "report.tex", "bakeoff bayes a_b%.csv")
    assert compiled(tmp_path, PREAMBLES["article"], ["report"])[1] == []
