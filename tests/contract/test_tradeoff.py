"""bo.tradeoff and bakeoff tradeoff: what is said, what is refused, every door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
import lm_eval_folder
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ScoreError

MARGINS: dict[str, float | str] = {"accuracy": 0.02, "seconds": "5%"}


def tables(n: int = 30, seed: int = 4) -> dict[str, bo.Scores]:
    """cheap and good are on the frontier, bad is dominated."""
    rng = np.random.default_rng(seed)
    names = ["good", "cheap", "bad"]
    quality = np.array([0.9, 0.7, 0.7]) + 0.02 * rng.normal(size=(n, 3)) + 0.1 * rng.normal(size=(n, 1))
    cost = np.array([4.0, 1.0, 4.0]) * np.exp(0.1 * rng.normal(size=(n, 3)))
    return {"accuracy": bo.Scores(quality, names, better="higher"), "seconds": bo.Scores(cost, names, better="lower")}


def test_three_states() -> None:
    found = bo.tradeoff(tables(), MARGINS)
    assert (found.frontier, found.dominated, found.cannot_tell) == (("good", "cheap"), ("bad",), ())
    assert set(found.position("bad").dominated_by) >= {"cheap"}
    assert found.pair("cheap", "good").verdict == "not shown"
    assert found.position("bad").p_pareto < 0.5 < found.position("good").p_pareto


def test_better_and_worse_within_the_margins_is_a_choice() -> None:
    """a is a little more accurate, b a little faster: each is a better trade-off than the other, none is dominated."""
    rng = np.random.default_rng(8)
    accuracy = np.array([0.805, 0.800]) + 0.001 * rng.normal(size=(40, 2))
    seconds = np.array([10.2, 10.0]) * np.exp(0.005 * rng.normal(size=(40, 2)))
    metrics = {"accuracy": bo.Scores(accuracy, better="higher"), "seconds": bo.Scores(seconds, better="lower")}
    found = bo.tradeoff(metrics, MARGINS)
    assert {p.verdict for p in found.pairs} == {"a better trade-off"}
    assert found.dominated == ()
    assert found.frontier == ("A1", "A2")
    assert "Each is a better trade-off" in found.verdict


def test_rows_and_columns_in_any_order() -> None:
    given = tables()
    turned = given["seconds"].select(["bad", "good", "cheap"], list(reversed(given["seconds"].problems)))
    found = bo.tradeoff({"accuracy": given["accuracy"], "seconds": turned}, MARGINS)
    assert found.to_dict()["pairs"] == bo.tradeoff(given, MARGINS).to_dict()["pairs"]


def test_no_digit_depends_on_the_order_of_rows_or_metrics() -> None:
    given, rows = tables(), np.random.default_rng(3).permutation(30)
    labels = [f"c{i // 3}" for i in range(30)]
    for clusters in (None, labels):
        first, second = (
            {
                name: bo.Scores(
                    s.values[order],
                    s.algorithms,
                    better=s.better,
                    clusters=None if clusters is None else [clusters[i] for i in order],
                )
                for name, s in given.items()
            }
            for order in (np.arange(30), rows)
        )
        one, two = bo.tradeoff(first, MARGINS), bo.tradeoff(dict(reversed(second.items())), MARGINS)
        assert one.pairs == two.pairs
        assert [p.p_pareto for p in one.positions] == [p.p_pareto for p in two.positions]


def test_long_tails_against_what_is_shown() -> None:
    rng = np.random.default_rng(5)
    quality = np.column_stack([0.9 + 0.01 * rng.normal(size=40), 0.7 + 0.01 * rng.normal(size=40)])
    cost = np.column_stack([np.exp(1.2 * rng.normal(size=40)), np.full(40, 2.0) + 0.1 * rng.normal(size=40)])
    given = {"accuracy": bo.Scores(quality, better="higher"), "seconds": bo.Scores(cost, better="lower")}
    found = bo.tradeoff(given, {"accuracy": 0.02, "seconds": 4.0})
    assert found.pair(0, 1).verdict == "a better trade-off"
    assert "skew" in {caution.code for caution in found.cautions}
    assert "skew" not in {caution.code for caution in bo.tradeoff(tables(), MARGINS).cautions}


def test_clusters_copies_tell_nothing_new() -> None:
    def copied(scores: bo.Scores) -> bo.Scores:
        labels = [f"g{i // 2}" for i in range(2 * scores.n_problems)]
        values = np.repeat(scores.values, 2, axis=0)
        return bo.Scores(values, scores.algorithms, better=scores.better, clusters=labels)

    once = bo.tradeoff(tables(), MARGINS)
    twice = bo.tradeoff({name: copied(scores) for name, scores in tables().items()}, MARGINS)
    assert twice.unit == "cluster"
    expected = [p.p_better_tradeoff for p in once.pairs]
    assert [p.p_better_tradeoff for p in twice.pairs] == pytest.approx(expected)
    assert [p.p_pareto for p in twice.positions] == [p.p_pareto for p in once.positions]


def test_what_is_refused() -> None:
    given = tables()
    with pytest.raises(ParameterError, match="there is none for seconds"):
        bo.tradeoff(given, {"accuracy": 0.02})
    with pytest.raises(ParameterError, match="two or more"):
        bo.tradeoff({"accuracy": given["accuracy"]}, {"accuracy": 0.02})
    with pytest.raises(ParameterError, match="of seconds: must be a number above 0"):
        bo.tradeoff(given, {"accuracy": 0.02, "seconds": -1})
    less = given["seconds"].select(["good", "cheap"])
    with pytest.raises(ScoreError, match="not in seconds: bad"):
        bo.tradeoff({"accuracy": given["accuracy"], "seconds": less}, MARGINS)
    free = bo.Scores(given["seconds"].values * 0, given["seconds"].algorithms, better="lower")
    with pytest.raises(ParameterError, match="needs scores above 0"):
        bo.tradeoff({"accuracy": given["accuracy"], "seconds": free}, MARGINS)
    clustered = bo.Scores(
        given["seconds"].values, given["seconds"].algorithms, better="lower", clusters=["x", "y"] * 15
    )
    with pytest.raises(ScoreError, match="same clusters"):
        bo.tradeoff({"accuracy": given["accuracy"], "seconds": clustered}, MARGINS)


def test_identical_algorithms_are_not_told_apart() -> None:
    values = np.random.default_rng(1).normal(size=(15, 1)) + 5
    twins = {name: bo.Scores(np.hstack([values, values]), better="lower") for name in ("x", "y")}
    found = bo.tradeoff(twins, {"x": 0.1, "y": 0.1})
    assert found.cannot_tell == ("A1", "A2")
    assert all(p.p_pareto > 0.99 for p in found.positions)


def test_verification() -> None:
    assert bo.verify(bo.tradeoff(tables(), {"accuracy": 0.1 / 3, "seconds": "5%"})).ok  # all digits of a margin
    found = bo.tradeoff(tables(), MARGINS)
    assert bo.verify(found).ok
    content = found.to_dict()
    content["pairs"][0]["adjusted"] = 0.5
    assert [d.where for d in bo.verify(content).differences] == ["pairs[0].adjusted"]


def long_rows(columns: bool) -> list[str]:
    given = tables()
    lines = ["problem,algorithm,accuracy,seconds" if columns else "problem,algorithm,metric,score"]
    for i, problem in enumerate(given["accuracy"].problems):
        for j, name in enumerate(given["accuracy"].algorithms):
            both = [repr(float(given[metric].values[i, j])) for metric in given]
            if columns:
                lines.append(",".join([problem, name, *both]))
            else:
                lines += [f"{problem},{name},{metric},{x}" for metric, x in zip(given, both, strict=True)]
    return lines


@pytest.mark.parametrize("form", ["columns", "rows", "files"])
def test_command_line(form: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(long_rows(form != "rows")))
    files = [str(path)] if form != "files" else []
    if form == "files":
        for j, name in ((2, "accuracy"), (3, "seconds")):
            kept = [",".join([*line.split(",")[:2], line.split(",")[j]]) for line in long_rows(True)]
            kept[0] = "problem,algorithm,score"
            (tmp_path / f"{name}.csv").write_text("\n".join(kept))
            files.append(f"{name}={tmp_path / name}.csv")
    specs = ["--metric", "accuracy:higher:margin=0.02", "--metric", "seconds:lower:margin=5%:log"]
    run = CliRunner().invoke(main, ["tradeoff", *files, *specs, "--json"])
    assert run.exit_code == 0, run.output
    content = json.loads(run.stdout)
    assert content["frontier"] == ["good", "cheap"]
    expected = [p.p_better_tradeoff for p in bo.tradeoff(tables(), MARGINS).pairs]
    assert [p["p_better_tradeoff"] for p in content["pairs"]] == expected


@pytest.mark.parametrize(
    ("specs", "said"),
    [
        (["accuracy:higher", "seconds:lower:margin=5%"], "has no margin"),
        (["accuracy:margin=1", "seconds:lower:margin=5%"], "--metric must be"),
        (["accuracy:higher:margin=0.1:log", "seconds:lower:margin=5%"], "as a percentage"),
        (["accuracy:higher:margin=0.1"], "bakeoff compare --margin"),
        (["acuracy:higher:margin=0.1", "seconds:lower:margin=5%"], "did you mean 'accuracy'"),
    ],
)
def test_what_the_command_refuses(specs: list[str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(long_rows(False)))
    run = CliRunner().invoke(main, ["tradeoff", str(path), *(x for spec in specs for x in ("--metric", spec))])
    assert run.exit_code == 2
    assert said in run.stderr


def test_terminal_lists_only_the_pairs_that_are_shown(tmp_path: Path) -> None:
    """12 algorithms have 132 ordered pairs: a page of "not shown" hid the answer."""
    rng = np.random.default_rng(3)
    rows = [
        f"p{i},s{j},{0.5 + 0.04 * j + rng.normal(0, 0.005):.6f},{np.exp(-0.3 * j + rng.normal(0, 0.02)):.6f}"
        for i in range(20)
        for j in range(12)
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["problem,algorithm,accuracy,seconds", *rows]))
    specs = ["--metric", "accuracy:higher:margin=0.01", "--metric", "seconds:lower:margin=5%"]
    run = CliRunner().invoke(main, ["tradeoff", str(path), *specs])
    assert run.exit_code == 0, run.output
    page = " ".join(run.stdout.split())
    assert "66 pairs without a better trade-off are not listed; --report FILE.html has them all." in page
    assert "not shown" not in page
    assert "… and 26 more with a better trade-off;" in page


def refused(*words: str) -> str:
    run = CliRunner().invoke(main, ["tradeoff", *words])
    assert run.exit_code == 2, run.output
    return str(run.stderr)


def test_names_as_a_user_mistakes_them(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(long_rows(True)))
    good, bad = "accuracy:higher:margin=0.02", "second:lower:margin=5%"
    said = refused(str(path), "--metric", good, "--metric", bad)
    assert "--metric second: " in said
    assert "did you mean 'seconds'" in said
    said = refused(f"acuracy={path}", f"seconds={path}", "--metric", good, "--metric", "seconds:lower:margin=5%")
    assert "did you mean 'accuracy'" in said
    said = refused(str(path), str(path), "--metric", good, "--metric", "seconds:lower:margin=5%")
    assert "accuracy=FILE" in said


def test_standard_input_and_a_metric_with_a_space(tmp_path: Path) -> None:
    text = "\n".join(long_rows(True)).replace("accuracy", "top 1: all", 1)
    specs = ["--metric", "top 1: all:higher:margin=0.02", "--metric", "seconds:lower:margin=5%"]
    run = CliRunner().invoke(main, ["tradeoff", "-", *specs, "--json"], input=text)
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["margins"] == {"top 1: all": "0.02", "seconds": "5%"}


def test_metrics_of_another_program(tmp_path: Path) -> None:
    rng, labels = np.random.default_rng(2), []
    for name in ("large", "small"):
        lines = [lm_eval_folder.line(d, acc=float(rng.random() < 0.7), bleu=float(rng.random())) for d in range(30)]
        folder = lm_eval_folder.model(tmp_path, name, {"boolq": lines}, higher={"acc": True, "bleu": True})
        labels += ["--label", f"{name}={folder}"]
    specs = ["--metric", "acc:higher:margin=0.05", "--metric", "bleu:higher:margin=0.1"]
    run = CliRunner().invoke(main, ["tradeoff", *labels, *specs, "--json"])
    assert run.exit_code == 0, run.output
    content = json.loads(run.stdout)
    assert (content["metrics"], content["n_problems"]) == (["acc", "bleu"], 30)
    assert "dependence" not in {caution["code"] for caution in content["cautions"]}
    said = refused(*labels, "--metric", "acc:lower:margin=0.05", "--metric", "bleu:higher:margin=0.1")
    assert "--metric acc: must be 'higher', as the file says of acc" in said


@pytest.mark.parametrize("weights", ["tasks", "problems", "clusters"])
def test_its_means_are_those_of_evaluate(weights: Any) -> None:
    """It counted problems, whatever the tasks, so that one file had other means than by evaluate."""
    rng = np.random.default_rng(0)
    about = {"tasks": ["a"] * 99 + ["b"] * 21, "clusters": [f"c{i // 3}" for i in range(120)], "weights": weights}
    quality = bo.Scores(rng.normal(np.array([[[1], [0], [0]]]), size=(120, 3, 2)), better="higher", **about)
    seconds = np.exp(rng.normal(size=(120, 3)))
    tables = {"quality": quality, "seconds": bo.Scores(seconds, better="lower", **about)}
    found = bo.tradeoff(tables, {"quality": 0.2, "seconds": "5%"})
    own = [bo.evaluate(quality), bo.evaluate(bo.Scores(np.log(seconds), better="lower", **about))]
    for position, mean, log in zip(found.positions, *(e.estimates for e in own), strict=True):
        assert position.means[0].mean == pytest.approx(mean.mean, rel=1e-12)
        assert position.means[0].interval == pytest.approx(mean.interval, rel=1e-9)
        assert np.log(position.means[1].mean) == pytest.approx(log.mean, rel=1e-12)
        assert np.log(position.means[1].interval) == pytest.approx(log.interval, rel=1e-9)
    for pair in own[0].pairs:
        assert found.pair(pair.a, pair.b).difference["quality"] == pytest.approx(pair.difference, rel=1e-12)
    assert f"each {weights[:-1]} counting the same" in " ".join(str(found).split())
    assert bo.verify(found).ok


def test_metrics_have_one_design_and_a_task_of_one_problem_shows_nothing() -> None:
    values, tasks = np.random.default_rng(1).normal(size=(10, 2)), ["a"] * 9 + ["b"]
    x, y = (bo.Scores(v, better="higher", tasks=tasks) for v in (values, values + np.array([1, 0])))
    found = bo.tradeoff({"x": x, "y": y}, {"x": 0.1, "y": 0.1})
    assert {pair.verdict for pair in found.pairs} == {"cannot tell"}
    assert "out-of-reach" in {caution.code for caution in found.cautions}
    with pytest.raises(ScoreError, match="the same tasks and weights; those of y differ"):
        bo.tradeoff({"x": x, "y": y.with_design(weights="problems")}, {"x": 0.1, "y": 0.1})
