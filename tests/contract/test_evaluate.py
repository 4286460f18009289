"""Evaluations as a user meets them: a file, a page, a verdict, and kind answers to odd tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import report
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, InfiniteScoreError, MissingScoreError, ParameterError, ScoreError
from bakeoff.report.document import Table

ANSWERS = Path(__file__).parents[1] / "oracles" / "data" / "formats" / "eval_ref_60q_15c_3m_4k.csv"
READ = ["--better", "higher", "--problem", "question", "--algorithm", "model", "--cluster", "passage"]


def evaluate(*options: str) -> str:
    done = CliRunner().invoke(main, ["evaluate", str(ANSWERS), *READ, *options])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def models(n: int = 80, k: int = 3, seed: int = 0) -> bo.Scores:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, 1)) + rng.normal(size=(n, k)) + np.linspace(1.5, 0, k)
    return bo.Scores(values, ["A", "B", "C", "D", "E"][:k], better="higher")


def test_two_models_have_one_order_and_no_tied_sets() -> None:
    """The means began with the better one, the pair and the suites with the other; "differs from all others" twice."""
    two = models(k=2).values[:, ::-1]
    found = bo.evaluate(bo.Scores(two, ["worse", "better"], better="higher"), suites=["x", "y"] * 40, n_resamples=99)
    assert [e.algorithm for e in found.ranked] == ["better", "worse"]
    assert (found.listed[0].a, found.pairs[0].a) == ("better", "worse")
    assert found.listed[0].difference == -found.pairs[0].difference > 0
    page = report.document(found)
    tables = {block.key: block for section in page.sections for block in section.blocks if isinstance(block, Table)}
    assert [column.title for column in tables["suites"].columns[1:]] == ["better", "worse"]
    assert tables["pairs"].rows[0].cells[0] == "better – worse"
    assert "groups" not in {section.key for section in page.sections}
    kept = bo.evaluate(bo.Scores(two, ["worse", "better"], better="higher"), control="worse", n_resamples=99)
    assert kept.listed[0].a == "worse"


def test_the_page() -> None:
    page = evaluate()
    assert page.startswith("A has the highest mean, 0.6125, but is not shown to be better than any of the 2\nothers.")
    assert "Paired t with clustered errors, largest |t| over 3 pairs, family-wise α = 0.05;" in page
    assert "60 questions in 15 clusters, 4 runs each" in page
    assert "A, B and C: not shown to differ on average" in page
    assert "twice as many runs by 9 %: get more questions in new" in page
    assert re.search(r"A – B +0\.050+ +−0\.1\d+ to 0\.2\d+ +0\.472 ", page)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [(), ("--control", "B", "--correction", "holm"), ("--unit", "problem", "--alpha", "0.1")]
)
def test_every_format_and_verify(tmp_path: Path, options: tuple[str, ...]) -> None:
    targets = [tmp_path / f"e.{suffix}" for suffix in ("json", "html", "md", "tex", "txt", "csv", "svg", "png")]
    evaluate(*options, *[x for target in targets for x in ("--report", str(target))])
    assert all(target.stat().st_size > 100 for target in targets)
    assert targets[1].read_text().count("<svg") >= 2
    content = json.loads(targets[0].read_text())
    assert content["schema"] == "bakeoff.evaluate/1"
    assert bo.verify(targets[0]).ok
    content["pairs"][0]["adjusted"] /= 2
    assert [d.where for d in bo.verify(content).differences] == ["pairs[0].adjusted"]


@pytest.mark.parametrize("suites", ["prefix", {"p": 1}, ["x", "y"] * 40])
@pytest.mark.slow_cases("prefix")
def test_verify_of_suites(suites: object) -> None:
    scores = models()
    scores = bo.Scores(scores.values, scores.algorithms, [f"{'ab'[i % 2]}/{i}" for i in range(80)], better="higher")
    given = {name: name[0] for name in scores.problems} if isinstance(suites, dict) else suites
    found = bo.evaluate(scores, suites=given)  # type: ignore[arg-type]
    assert [(s.n, s.n_clusters) for s in found.suite_means] == [(40, 40), (40, 40)]
    assert bo.verify(found).ok
    assert "macro average" in report.render(found, "txt")


def test_names_that_scripts_use() -> None:
    found = bo.evaluate(models())
    assert [e.algorithm for e in found.estimates] == ["A", "B", "C"]
    pair = found.pairs[0]
    assert (pair.a, pair.b, pair.verdict) == ("A", "B", "a better")
    assert pair.difference > 0 < pair.interval[0] < pair.interval[1]
    assert pair.adjusted >= pair.pvalue
    assert found.rank_intervals["A"] == (1, 1)
    assert found.groups[0] == ("A",)
    assert found.detectable == max(p.detectable for p in found.pairs if p.detectable is not None)
    assert found.pair("B", "A") == pair.turned
    assert found.estimate("A").n == 80


def test_direction() -> None:
    s = models()
    up, down = bo.evaluate(s), bo.evaluate(bo.Scores(-s.values, s.algorithms, better="lower"))
    assert [p.difference for p in up.pairs] == pytest.approx([p.difference for p in down.pairs])
    assert [p.adjusted for p in up.pairs] == [p.adjusted for p in down.pairs]
    assert up.rank_intervals == down.rank_intervals
    assert down.verdict.startswith("A has the lowest mean")


def test_one_seed_one_answer() -> None:
    s = models(k=4)
    assert bo.evaluate(s, rng=3).to_dict() == bo.evaluate(s, rng=3).to_dict()
    assert [p.adjusted for p in bo.evaluate(s, rng=3).pairs] != [p.adjusted for p in bo.evaluate(s, rng=4).pairs]


@pytest.mark.parametrize("correction", ["max-t", "holm", "bonferroni"])
def test_corrections_decide_as_their_intervals(correction: str) -> None:
    found = bo.evaluate(models(40, 5, 1), correction=correction)  # type: ignore[arg-type]
    for pair in found.pairs:
        assert pair.adjusted >= pair.pvalue
        assert pair.simultaneous is not None
        assert pair.simultaneous[0] <= pair.interval[0]
        away = not pair.simultaneous[0] <= 0 <= pair.simultaneous[1]
        if correction != "holm" or away:  # Holm rejects more than Bonferroni's intervals show
            assert away == (pair.verdict in ("a better", "b better"))


def test_right_and_wrong_answers_decide_as_their_intervals() -> None:
    rng = np.random.default_rng(4)
    right = rng.random((150, 1)) + rng.normal(size=(150, 5)) * 0.4 + [0.3, 0.2, 0.1, 0, 0] > 0.6
    found = bo.evaluate(bo.Scores(right.astype(float), better="higher"))
    assert {p.test for p in found.pairs} == {"mcnemar"}
    assert any(p.verdict == "a better" for p in found.pairs)
    for pair in found.pairs:
        assert pair.simultaneous is not None
        if pair.verdict in ("a better", "b better"):
            assert not pair.simultaneous[0] <= 0 <= pair.simultaneous[1]


def test_the_example_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "guides" / "evaluate.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    known: dict[str, bo.Evaluation] = {}
    exec(code, known)
    assert capsys.readouterr().out == shown
    pair = known["found"].pair("large", "medium")
    assert pair.simultaneous is not None
    low, high = pair.simultaneous
    said = f"answered {100 * pair.difference:.1f} points more right than medium (simultaneous 95 % interval over"
    assert f"{said} three pairs {100 * low:.1f} to {100 * high:.1f}" in " ".join(page.replace("> ", "").split())


def test_the_note_says_what_decides() -> None:
    page = " ".join(report.render(bo.evaluate(models()), "md").split())
    assert "the adjusted p decides a pair" in page
    assert "Holm may decide a pair whose interval contains 0" in report.render(
        bo.evaluate(models(), correction="holm"), "md"
    )


def test_control() -> None:
    found = bo.evaluate(models(), control="B")
    assert [(p.a, p.b) for p in found.pairs] == [("B", "A"), ("B", "C")]
    assert found.groups == ()
    assert found.verdict == "B is better than C (1 of 2) and worse than A (1 of 2)."


@pytest.mark.parametrize(("groups", "told"), [(5, False), (6, True)])
def test_too_few_clusters_cannot_tell(groups: int, told: bool) -> None:
    values = np.random.default_rng(0).normal(size=(groups * 4, 3)) * 0.01 + [9, 0, -9]
    scores = bo.Scores(values, better="higher", clusters=np.repeat(np.arange(groups), 4).tolist())
    found = bo.evaluate(scores)
    assert {p.verdict for p in found.pairs} == ({"a better"} if told else {"cannot tell"})
    assert ("out-of-reach" in {c.code for c in found.cautions}) == (not told)
    assert "too-few" in {c.code for c in found.cautions}
    if not told:
        assert set(found.rank_intervals.values()) == {(1, 3)}
        assert (
            found.verdict == "This experiment cannot tell: with 5 clusters no outcome could show a difference at 0.05."
        )
        assert found.detectable is None
        assert all(p.simultaneous is None for p in found.pairs)
    assert {p.verdict for p in bo.evaluate(scores, correction="holm").pairs} == {"a better"}


def test_kind_answers() -> None:
    with pytest.raises(ScoreError, match="scores has one problem, which does not show how problems vary"):
        bo.evaluate(bo.Scores([[1.0, 2.0]], better="higher"))
    with pytest.raises(ScoreError, match=r"has one cluster only, 'x', .* say unit='problem'"):
        bo.evaluate(bo.Scores([[1.0, 2.0], [0.0, 1.0]], better="higher", clusters=["x", "x"]))
    assert bo.evaluate(bo.Scores([[1.0, 2.0], [0, 1.5]], better="higher", clusters=["x", "x"]), unit="problem").pairs
    holes = bo.Scores([[1.0, 2.0], [np.nan, 1.0], [0, 3]], better="higher", missing="keep")
    with pytest.raises(MissingScoreError, match="problem 'P2', algorithm 'A1'"):
        bo.evaluate(holes)
    with pytest.raises(InfiniteScoreError, match="problem 'P1', algorithm 'A2' is inf"):
        bo.evaluate(bo.Scores([[1.0, np.inf], [0, 1.0]], better="higher"))
    with pytest.raises(
        ParameterError, match="correction must be one of 'max-t', 'holm', 'bonferroni'; got 'maxt'; did"
    ):
        bo.evaluate(models(), correction="maxt")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match='tasks "new" needs scores of several tasks'):
        bo.evaluate(models(), tasks="new")
    with pytest.raises(ScoreError, match="suites must be a label for each of the 80 problems") as caught:
        bo.evaluate(models(), suites=["x" * 400])
    assert len(str(caught.value)) == len("suites ") + 300
    with pytest.raises(ScoreError, match="suites must be a label for each of the 80 problems"):
        bo.evaluate(models(), suites=["a", "b"])
    with pytest.raises(ScoreError, match="needs problems called task/question"):
        bo.evaluate(models(), suites="prefix")
    single = bo.evaluate(models(), suites=["many"] * 79 + ["single"])
    assert {pair.verdict for pair in single.pairs} == {"cannot tell"}
    assert single.estimates[0].mean == np.mean([models().values[:79, 0].mean(), models().values[79, 0]])
    with pytest.raises(ParameterError, match="n_resamples must be a whole number of at least 20"):
        bo.evaluate(models(), n_resamples=10)


@pytest.mark.parametrize(
    "values",
    [
        [[1.0, 1.0]] * 8,
        [[1.0, 0.0]] * 8,
        [[0.5, 0.25]] * 8,
        [[1e200, -1e200], [2e200, 1e200], [3e200, 0]] * 3,
        [[1e-300, 2e-300], [3e-300, 1e-300], [0, 0]] * 3,
        [[0.3, 0.2], [0.2, 0.1]] * 5,
        [[0.0, 0.0], [1.0, 0.0]],
    ],
)
def test_odd_scores_give_numbers_and_no_warning(values: list[list[float]]) -> None:
    found = bo.evaluate(bo.Scores(values, better="higher"))
    content = json.dumps(found.to_dict(), allow_nan=False)
    assert content
    pair = found.pairs[0]
    assert 0 <= pair.pvalue <= pair.adjusted <= 1
    assert bo.verify(found).ok
    assert str(found)


def test_equal_differences_and_constant_scores_are_said() -> None:
    equal = bo.evaluate(bo.Scores([[x / 10 + 0.25, x / 10] for x in range(9)], better="higher"))
    assert equal.pairs[0].statistic == np.inf
    assert equal.pairs[0].verdict == "a better"
    assert "no-variation" in {c.code for c in equal.cautions}
    constant = bo.evaluate(bo.Scores([[1.0, float(x % 2)] for x in range(30)], better="higher"))
    assert constant.estimates[0].standard_error == 0
    assert constant.estimates[0].interval[0] == pytest.approx(30 / (30 + 1.959963984540054**2))
    assert constant.pairs[0].correlation is None
    assert "no-variation" in {c.code for c in constant.cautions}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (None, "4 runs each"),
        ("answer", "4 answers each"),
        ("seed", "4 seeds each"),
        ("split", "4 splits each"),
        ("process", "4 processes each"),
        ("iteration", "4 iterations each"),
    ],
)
def test_what_was_averaged(kind: str | None, said: str) -> None:
    runs = np.random.default_rng(0).normal(size=(12, 2, 4))
    found = bo.evaluate(bo.Scores(runs, better="higher", run_kind=kind))
    assert said in " ".join(str(found).split())
    dependent = kind in ("split", "iteration")
    assert (found.estimates[0].sigma2_within is None) == dependent
    assert ("dependence" in {c.code for c in found.cautions}) == dependent
    assert ("these-seeds" in {c.code for c in found.cautions}) == (kind == "seed")


def test_unequal_numbers_of_answers() -> None:
    runs = np.full((6, 2, 3), np.nan)
    rng = np.random.default_rng(1)
    runs[:, :, 0] = rng.integers(0, 2, size=(6, 2))
    runs[:4, :, 1:] = rng.integers(0, 2, size=(4, 2, 2))
    cells = bo.Scores.from_cells(runs, ["A", "B"], [f"q{i}" for i in range(6)], better="higher")
    found = bo.evaluate(cells)
    within = [np.mean(np.var(runs[:4, j], axis=1, ddof=1)) for j in range(2)]
    assert [e.sigma2_within for e in found.estimates] == pytest.approx(within)
    noise = [np.mean([*(np.var(runs[:4, j], axis=1, ddof=1) / 3), within[j], within[j]]) for j in range(2)]
    d = cells.values[:, 0] - cells.values[:, 1]
    assert found.pairs[0].omega2 == pytest.approx(np.var(d, ddof=1) - sum(noise))


def test_clusters_as_suites_and_across_suites() -> None:
    s = models(30)
    clustered = bo.Scores(s.values, s.algorithms, better="higher", clusters=["x"] * 10 + ["y"] * 20)
    found = bo.evaluate(clustered, suites="clusters")
    assert [m.suite for m in found.suite_means] == ["x", "y"]
    assert "dependence" not in {c.code for c in found.cautions}
    assert bo.verify(found).ok
    with pytest.raises(ScoreError, match="hold problems of several tasks, the first 'x'"):
        bo.evaluate(clustered, suites=["a", "b"] * 15)


@pytest.mark.parametrize(("questions", "hinted"), [("{}/q{}", True), ("q{1}", False)])
def test_tasks_taken_for_clusters_are_asked_about(questions: str, hinted: bool) -> None:
    """Files of lm-eval with several tasks have these as clusters: three of them cannot tell."""
    tasks = np.repeat(["mmlu", "gsm8k", "arc"], 20)
    names = [questions.format(task, i) for i, task in enumerate(tasks)]
    scores = bo.Scores(models(60).values, problems=names, better="higher", clusters=tasks.tolist())
    (caution,) = [c for c in bo.evaluate(scores).cautions if c.code == "out-of-reach"]
    assert ("suites='clusters'" in caution.text) == hinted
    assert {p.verdict for p in bo.evaluate(scores, suites="clusters").pairs} == {"a better"}


def test_figures_show_what_was_decided() -> None:
    found = bo.evaluate(models())
    means, pairs = bo.diagram(found), bo.diagram(found, "differences")
    assert (means.form, pairs.form) == ("means", "differences")
    named = [item.about[0] for item in means.items if item.role == "name"]
    assert named == [e.algorithm for e in found.ranked]
    filled = {item.about: item.filled for item in pairs.items if item.role == "estimate"}  # type: ignore[union-attr]
    assert filled == {(p.a, p.b): p.verdict in ("a better", "b better") for p in found.pairs}
    many = bo.evaluate(models(k=5))
    assert {item.about for item in bo.diagram(many).items if item.role == "tied set"} == {
        g for g in many.groups if len(g) > 1
    }


def test_errors_name_the_options() -> None:
    done = CliRunner().invoke(main, ["evaluate", str(ANSWERS), *READ, "--tasks", "new"])
    assert done.exit_code == 2
    assert "--task COLUMN" in done.stderr
    assert "Traceback" not in done.stderr
    with pytest.raises(BakeoffError):
        bo.evaluate(models(), control="nobody")


def test_a_p_at_the_level_of_a_sample_is_said() -> None:
    found = bo.evaluate(models(30, 4))
    edge = sorted(p.adjusted for p in found.pairs)[len(found.pairs) // 2]
    assert "sampled" not in {c.code for c in bo.evaluate(models(12, 4), alpha=0.3).cautions}  # all signs
    (caution,) = [c for c in bo.evaluate(models(30, 4), alpha=edge + 1e-4).cautions if c.code == "sampled"]
    assert "n_resamples=99990" in caution.text


def test_clusters_that_were_not_used_are_named_with_what_they_do() -> None:
    s = models(30)
    clustered = bo.Scores(s.values, s.algorithms, better="higher", clusters=["x"] * 10 + ["y"] * 20)
    (said,) = [c for c in bo.evaluate(clustered, unit="problem").cautions if c.code == "dependence"]
    assert said.text.endswith("If problems of a cluster resemble each other, standard errors are too small.")


def test_one_suite_that_a_cluster_rules_is_enough_to_flip_signs_as_well() -> None:
    """6 of 20 questions in one of 15 clusters."""
    values = np.random.default_rng(1).normal([0.8, 0.0], size=(40, 2))
    clusters = [f"x{i // 2}" for i in range(20)] + ["y0"] * 6 + [f"y{i}" for i in range(1, 15)]
    s = bo.Scores(values, better="higher", clusters=clusters)
    (pair,) = bo.evaluate(s, suites=["x"] * 20 + ["y"] * 20).pairs
    assert pair.t_pvalue < pair.sign_flip == pair.pvalue
