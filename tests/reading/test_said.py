"""What a reader does to scores is said in line 2 and in JSON, verified, and the same for every source."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.report.sections import read_line


def bakeoff(*words: str) -> Any:
    return CliRunner().invoke(main, list(words))


def episodes(rng: np.random.Generator, seeds: list[str]) -> pd.DataFrame:
    """Five episodes of each seed, in any order of the rows."""
    rows = [
        (f"env{i}", algorithm, seed, episode, round(float(rng.normal()), 3))
        for i in range(6)
        for algorithm in ("A", "B")
        for seed in seeds
        for episode in range(5)
    ]
    frame = pd.DataFrame(rows, columns=["env", "algo", "seed", "episode", "return"])
    return frame.iloc[rng.permutation(len(frame))].reset_index(drop=True)


@pytest.mark.parametrize("seeds", [["0", "1", "2"], ["s/0", "s/1", "s/2"], ["a", "a/0", "a/0/1"]])
def test_inner_runs_are_averaged_first(seeds: list[str]) -> None:
    """Names of seeds may hold the sign between parts of a name; pandas' means are the oracle."""
    frame = episodes(np.random.default_rng(4), seeds)
    scores = bo.read_scores(frame, better="higher", run="seed,episode")
    assert scores.n_runs.tolist() == [[3, 3]] * 6
    means = frame.groupby(["env", "algo", "seed"])["return"].mean()
    for i, problem in enumerate(scores.problems):
        for j, algorithm in enumerate(scores.algorithms):
            names = scores.run_ids[i, j].tolist()
            assert sorted(names) == sorted(seeds)
            assert scores.runs[i, j].tolist() == pytest.approx([means[problem, algorithm, x] for x in names], abs=1e-12)
    assert "averaged over “episode” first" in read_line(scores)


def test_the_order_of_the_rows_changes_no_bit_of_inner_means() -> None:
    frame = episodes(np.random.default_rng(5), ["0", "1"])
    runs = []
    for seed in range(6):
        shuffled = frame.sample(frac=1, random_state=seed)
        scores = bo.read_scores(shuffled, better="higher", run="seed,episode").select(algorithms=["A", "B"])
        order = np.argsort(scores.problems)
        runs.append(np.sort(scores.runs[order], axis=2).tolist())
    assert all(own == runs[0] for own in runs)


def test_a_run_without_one_of_its_inner_scores_has_none() -> None:
    frame = episodes(np.random.default_rng(6), ["0", "1"])
    frame.loc[0, "return"] = np.nan
    with pytest.raises(
        bo.errors.MissingScoreError, match=f"problem '{frame.env[0]}', algorithm '{frame.algo[0]}', run"
    ):
        bo.read_scores(frame, better="higher", run="seed,episode")


def test_equal_inner_runs_are_refused() -> None:
    frame = episodes(np.random.default_rng(7), ["0"])
    with pytest.raises(ReadingError, match="must occur once"):
        bo.read_scores(pd.concat([frame, frame[:1]]), better="higher", run="seed,episode")


BIAS = pd.DataFrame(
    [
        (f"im{i}", method, round(float(x), 3))
        for i in range(10)
        for method, x in zip(("a", "b", "c"), np.random.default_rng(i).normal((-5, 0.1, 3), 1), strict=True)
    ],
    columns=["image", "method", "bias"],
)


def test_signed_scores_are_stopped_and_both_ways_out_work() -> None:
    with pytest.raises(ReadingError, match=r"has both signs.*better='closest-to=0'.*keep='bias'"):
        bo.read_scores(BIAS, better="lower")
    as_they_are = bo.read_scores(BIAS, better="lower", keep="bias")
    assert bo.compare(as_they_are).verdict.startswith("a is better than each")
    sizes = bo.read_scores(BIAS, better="closest-to=0")
    assert (sizes.values == np.abs(as_they_are.values)).all()
    assert bo.compare(BIAS, better="closest-to=0").verdict.startswith("b is better than each")
    assert "each score its distance from 0" in read_line(sizes)


@pytest.mark.needs("polars")
def test_distances_are_taken_before_means_in_a_lazy_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mean of signed errors is near 0, however large these are."""
    import polars as pl

    from bakeoff.reading import lazy_frames

    rng = np.random.default_rng(8)
    frame = pl.DataFrame(
        {
            "problem": np.repeat([f"p{i}" for i in range(5)], 60),
            "algorithm": np.tile(np.repeat(["a", "b"], 30), 5),
            "run": np.tile(np.arange(30), 10),
            "bias": rng.normal(size=300).round(3),
            "n_features": np.repeat(np.arange(5) + 3, 60),
        }
    )
    whole = bo.read_scores(frame, better="closest-to=0.5")
    monkeypatch.setattr(lazy_frames, "COLLECTED", 10)
    lazy = bo.read_scores(frame.lazy(), better="closest-to=0.5")
    assert lazy.values == pytest.approx(whole.values, abs=1e-12)
    assert lazy.read_as.roles == whole.read_as.roles
    with pytest.raises(ReadingError, match="has both signs"):
        bo.read_scores(frame.lazy(), better="lower")


@pytest.mark.parametrize(
    ("text", "options", "said", "key"),
    [
        (BIAS.to_csv(index=False), ["--better", "closest-to=0"], "distance from 0", {"closest_to": 0.0}),
        (BIAS.to_csv(index=False), ["--better", "closest-to=0.50"], "distance from 0.5", {"closest_to": 0.5}),
        (
            "dataset,A,B,n_rows\n" + "".join(f"d{i},.{i}1,.{i}2,{100 + 7 * i}\n" for i in range(1, 9)),
            ["--better", "higher"],
            "left out: “n_rows” (describes the dataset)",
            {"roles": [{"column": "n_rows", "role": "description", "why": "describes the problem"}]},
        ),
        (
            "dataset,A,B\n" + "".join(f"d{i},{i}1.5%,{i}2%\n" for i in range(1, 9)),
            ["--better", "higher"],
            "scores written as percentages",
            {"written": "percentages"},
        ),
        (
            "question,A,B\n" + "".join(f"q{i},True,{i % 2 == 0}\n" for i in range(12)),
            ["--better", "higher"],
            "scores written as truth values (true is 1)",
            {"written": "truth values (true is 1)"},
        ),
    ],
)
def test_what_was_done_is_said_written_and_verified(
    text: str, options: list[str], said: str, key: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(text, encoding="utf-8")
    done = bakeoff("compare", "t.csv", *options, "--report", "r.json", "--report", "r.html")
    assert done.exit_code == 0, done.stderr
    assert said in " ".join(done.stdout.split())
    reading = json.loads(Path("r.json").read_text(encoding="utf-8"))["scores"]["reading"]
    assert {name: reading[name] for name in key} == key
    for words in (["r.json"], ["r.json", "t.csv"], ["r.html", "t.csv"], ["r.json", "t.csv", *options]):
        checked = bakeoff("verify", *words)
        assert checked.exit_code == 0, (words, checked.stdout, checked.stderr)


def test_another_target_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    BIAS.to_csv("t.csv", index=False)
    assert bakeoff("compare", "t.csv", "--better", "closest-to=0", "--report", "r.json").exit_code == 0
    text = Path("r.json").read_text(encoding="utf-8")
    Path("r.json").write_text(text.replace('"closest_to": 0.0', '"closest_to": 1.0'), encoding="utf-8")
    assert bakeoff("verify", "r.json").exit_code == 1
    assert bakeoff("verify", "r.json", "t.csv").exit_code == 1


@pytest.mark.parametrize("better", ["closest", "closest-to", "closest-to=", "closest-to=x", "closest-to=inf"])
def test_a_target_is_a_number(better: str) -> None:
    with pytest.raises(ParameterError, match="better must be closest-to=X with a number"):
        bo.read_scores(BIAS, better=better)


def test_a_setting_of_models_in_rows_is_no_problem() -> None:
    text = "method,k,Alien,Amidar,Breakout\nA,50,3.5,2.6,10.3\nB,10,1.4,4.05,16.5\n"
    with pytest.raises(ReadingError, match="'k' is called like one of its settings"):
        bo.read_scores(io.StringIO(text), better="higher")
    assert bo.read_scores(io.StringIO(text), better="higher", drop="k").problems == ("Alien", "Amidar", "Breakout")
    assert bo.read_scores(io.StringIO(text), better="higher", keep="k").n_problems == 4


def test_a_column_called_like_an_average_or_a_count_is_no_algorithm_where_its_values_disagree() -> None:
    for name, column in (("mean score", ("1225.3", "1194.9", "545.3")), ("n_reviews", ("1049", "1787", "3614"))):
        rows = zip(("ta001", "ta002", "ta003"), ("1255,1136", "1170,1270", "463,793"), column, strict=True)
        text = f"instance,Gurobi,greedy,{name}\n" + "\n".join(",".join(row) for row in rows)
        with pytest.raises(
            bo.BakeoffError, match=f"'{name}' is called like an? .*drop='{name}'|'{name}' is called like what"
        ):
            bo.read_scores(io.StringIO(text), "lower")
        assert bo.read_scores(io.StringIO(text), "lower", drop=[name]).algorithms == ("Gurobi", "greedy")


def test_a_first_column_of_percentages_stays_an_algorithm_beside_a_count() -> None:
    text = "qwen,n_reviews,llama,gemma\n71.1%,4,72.3%,75.4%\n84.4%,12,78.8%,80.2%\n68.6%,3,69.2%,67.4%\n"
    assert bo.read_scores(io.StringIO(text), "higher").algorithms == ("qwen", "llama", "gemma")
