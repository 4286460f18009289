"""bo.curves and bakeoff curves: input, refusals, cautions, reports."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import figures
from bakeoff.cli import main
from bakeoff.errors import (
    InfiniteScoreError,
    MissingScoreError,
    ParameterError,
    ReadingError,
    ReportError,
    ScoreError,
    UnknownNameError,
)

FORMATS = Path(__file__).parents[1] / "oracles" / "data" / "formats"


def rows(n: int = 8, better_from: int = 4, budgets: tuple[int, ...] = (1, 2, 4, 8)) -> list[dict[str, Any]]:
    """B is better by about 1 from a budget on; before, the difference changes its sign from problem to problem."""
    return [
        {
            "problem": f"f{i}",
            "algorithm": a,
            "run": r,
            "budget": b,
            "score": 10.0 - b / 10 + 0.01 * r + (a == "B") * (-1 - 0.1 * i if b >= better_from else 0.3 * (-1) ** i),
        }
        for i in range(n)
        for a in "AB"
        for r in range(2)
        for b in budgets
    ]


def test_the_sentence_says_from_where_to_where() -> None:
    found = bo.curves(rows(), better="lower")
    assert found.verdict == "B better from budget 4 to 8, no difference shown before."
    assert found.pair("B", "A").segments == ((4, 8, "a"),)
    assert bo.curves(rows(), better="lower", grid=[1, 2]).verdict == (
        "No difference shown between A and B from budget 1 to 2."
    )


def test_the_order_turns() -> None:
    table = [r | {"score": r["score"] - 1.0 * (r["algorithm"] == "A" and r["budget"] <= 2)} for r in rows()]
    pair = bo.curves(table, better="lower").pairs[0]
    assert pair.verdict == "A better from budget 1 to 2 and B better from budget 4 to 8"


def test_the_same_table_from_everywhere(tmp_path: Path) -> None:
    import pandas as pd

    frame = pd.DataFrame(rows())
    frame.to_csv(tmp_path / "long.csv", index=False)
    want = bo.curves(rows(), better="lower").to_dict()
    columns: dict[str, Any] = {name: frame[name].to_numpy() for name in frame}
    for source in (frame, columns, frame.sample(frac=1, random_state=1), str(tmp_path / "long.csv")):
        found = bo.curves(source, better="lower").to_dict()
        assert found["verdict"] == want["verdict"]
        assert found["pairs"][0]["adjusted"] == want["pairs"][0]["adjusted"]


def test_names_of_columns() -> None:
    table = [
        {"f": r["problem"], "who": r["algorithm"], "r": r["run"], "fes": r["budget"], "y": r["score"]} for r in rows()
    ]
    found = bo.curves(table, problem="f", algorithm="who", run="r", budget="fes", score="y", better="lower")
    assert found.pairs[0].verdict == "B better from 4 to 8 fes, no difference shown before"
    with pytest.raises(ReadingError, match="the column of the problem is not clear"):
        bo.curves(table, better="lower")
    with pytest.raises(UnknownNameError, match="no column 'F'"):
        bo.curves(table, problem="F", better="lower")


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (lambda t: [r | {"run": 1} for r in t], ScoreError, "more than once"),
        (lambda t: [{k: v for k, v in r.items() if k != "run"} for r in t], ScoreError, "run=NAME"),
        (lambda t: [r for r in t if (r["problem"], r["algorithm"]) != ("f1", "B")], MissingScoreError, "'f1'.*'B'"),
        (lambda t: [r for r in t if r["algorithm"] == "A"], ScoreError, "one algorithm only"),
        (
            lambda t: [r | {"score": None if r["problem"] == "f2" else r["score"]} for r in t],
            MissingScoreError,
            "record",
        ),
        (
            lambda t: [r | {"score": -np.inf if r["problem"] == "f2" else r["score"]} for r in t],
            InfiniteScoreError,
            "good",
        ),
        (lambda t: [r | {"budget": r["budget"] - 1} for r in t], ScoreError, "spacing='linear'"),
        (
            lambda t: [r | {"budget": r["budget"] + 100 * (r["problem"] == "f3")} for r in t],
            ScoreError,
            "begins at 101.*ends at 8",
        ),
        (lambda t: [r for r in t if r["problem"] == "f0"], ScoreError, "one problem only"),
    ],
)
def test_refusals(change: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        bo.curves(change(rows()), better="lower")


def test_parameters_are_checked() -> None:
    for wrong, said in (
        ({"grid": [2, 1]}, "increasing"),
        ({"grid": [0.5, 2]}, "between 1 and 8"),
        ({"cell": "best"}, "cell"),
        ({"scale": "ln"}, "scale"),
        ({"alpha": 1.0}, "alpha"),
        ({"n_resamples": 3}, "n_resamples"),
        ({"target": 1.0, "best_so_far": False}, "target"),
    ):
        with pytest.raises(ParameterError, match=said):
            bo.curves(rows(), better="lower", **wrong)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="better"):
        bo.curves(rows(), better=None)
    with pytest.raises(ParameterError, match="alpha"):
        bo.curves("no-such-file.csv", better="lower", alpha=2)  # before anything is read
    found = bo.curves(rows(), better="lower")
    with pytest.raises(ParameterError, match="between 1 and 8"):
        found.fixed_budget(9)


def test_runs_end_at_different_budgets() -> None:
    table = [*rows(), {"problem": "f0", "algorithm": "A", "run": 0, "budget": 99, "score": 1.0}]
    found = bo.curves(table, better="lower")
    assert found.t[-1] == 8
    assert [c.name for c in found.cautions] == ["unequal (budgets)"]
    assert "up to 8 budget" not in found.cautions[0].text


def test_a_run_that_reached_the_target_keeps_it() -> None:
    """Without that, the fastest run would end the comparison for all."""
    table = [r for r in rows() if not (r["problem"] == "f0" and r["algorithm"] == "B" and r["budget"] == 8)]
    low = min(r["score"] for r in table if r["problem"] == "f0" and r["algorithm"] == "B")
    assert bo.curves(table, better="lower").t[-1] == 4
    found = bo.curves(table, better="lower", target=low + 0.05)
    assert found.t[-1] == 8
    assert found.table.values[0, 1, -1] == pytest.approx(low + 0.05)
    with pytest.raises(ParameterError, match="not be better than"):
        found.fixed_target(low)


def test_few_problems_cannot_tell() -> None:
    found = bo.curves(rows(4), better="lower")
    assert found.pairs[0].verdict == "cannot tell"
    assert found.verdict.startswith("This experiment cannot tell: with 4 problems")
    assert [c.code for c in found.cautions] == ["out-of-reach"]


def test_clusters_count_equally_where_that_is_asked_for() -> None:
    """Clusters of unequal sizes: the differences of each are averaged, so copies of a problem change nothing."""
    table = [r | {"cluster": r["problem"]} for r in rows()]
    copied = [r | {"problem": f"{r['problem']}-copy"} for r in table if r["problem"] in ("f1", "f2")]
    once = bo.curves(table, better="lower", weights="clusters")
    twice = bo.curves([*table, *copied], better="lower", weights="clusters")
    assert (twice.n_units, twice.unit) == (8, "cluster")
    assert twice.areas.tolist() == pytest.approx(once.areas.tolist())
    usual = bo.curves([*table, *copied], better="lower")
    assert usual.means == pytest.approx(usual.table.values.mean(axis=0))
    assert usual.pairs[0].difference == pytest.approx(usual.means[1] - usual.means[0])  # of costs: a less b is better
    assert twice.pairs[0].adjusted.tolist() == once.pairs[0].adjusted.tolist()
    alone = bo.curves([*table, *copied], better="lower", unit="problem")
    assert alone.n_units == 10
    assert "dependence" in [c.code for c in alone.cautions]
    with pytest.raises(ScoreError, match="several clusters"):
        bo.curves([r | {"cluster": r["run"]} for r in rows()], better="lower")


def test_scales_and_logarithms() -> None:
    table = [r | {"score": r["score"] * 10.0 ** (3 * int(r["problem"][1:]))} for r in rows()]
    assert "scales-differ" in [c.code for c in bo.curves(table, better="lower").cautions]
    found = bo.curves(table, better="lower", scale="log")
    assert "scales-differ" not in [c.code for c in found.cautions]
    assert found.pairs[0].verdict == "B better from budget 4 to 8, no difference shown before"
    with pytest.raises(ScoreError, match="no logarithm"):
        bo.curves([r | {"score": r["score"] - 9.9} for r in rows()], better="lower", scale="log")


@pytest.mark.slow
def test_a_grid_of_many_budgets_is_thinned() -> None:
    table = rows(budgets=tuple(range(1, 1300)))
    found = bo.curves(table, better="lower")
    assert 100 < len(found.t) <= 200
    assert (found.t[0], found.t[-1]) == (1, 1299)
    assert "coarse-grid" in [c.code for c in found.cautions]
    assert len(bo.curves(table, better="lower", grid=50).t) <= 50


def test_a_seed_gives_the_same_answer() -> None:
    table = rows(20)
    one, two = (bo.curves(table, better="lower", rng=5, n_resamples=199) for _ in range(2))
    assert not one.exact
    assert one.to_dict() == two.to_dict()


def test_direction_and_names_do_not_matter() -> None:
    table = rows()
    turned = [r | {"score": -r["score"]} for r in table]
    low, high = bo.curves(table, better="lower"), bo.curves(turned, better="higher")
    assert low.pairs[0].adjusted.tolist() == high.pairs[0].adjusted.tolist()
    assert low.pairs[0].difference == pytest.approx(high.pairs[0].difference)
    assert high.pairs[0].segments == low.pairs[0].segments


@pytest.mark.parametrize("format", ["coco", "ioh"])
def test_logs_give_whole_curves(format: str, tmp_path: Path) -> None:
    shutil.copytree(FORMATS / format, tmp_path / "new")
    found = bo.curves({"old": str(FORMATS / format), "new": str(tmp_path / "new")}, better=None)
    assert found.table.algorithms == ("old", "new")
    assert found.runs is not None
    assert found.runs.budget_name == "evaluations"
    assert np.all(found.pairs[0].difference == 0)
    if format == "coco":
        assert found.table.target == 1e-8
        assert found.fixed_budget(38).runs[0, 0].tolist() == [0.2317872502, 0.6193441596]  # type: ignore[index]
        assert found.fixed_target(0.5).values[0, 0] == 38  # one run of two reached it
        each = bo.curves(
            {"old": str(FORMATS / format), "new": str(tmp_path / "new")}, better="lower", budget="evaluations/dimension"
        )
        assert each.t[-1] == 30
    else:
        assert found.t[-1] == 30
        best = bo.read_results({"old": str(FORMATS / format), "new": str(tmp_path / "new")})
        assert found.fixed_budget(30).values == pytest.approx(best.values, abs=1e-8)
    with pytest.raises(ReadingError, match="at least 2 algorithms"):
        bo.curves(str(FORMATS / format), better=None)
    with pytest.raises(ParameterError, match="does not agree"):
        bo.curves({"a": str(FORMATS / format), "b": str(tmp_path / "new")}, better="higher")


def test_a_report_is_computed_again(tmp_path: Path) -> None:
    table = [r | {"cluster": f"c{int(r['problem'][1:]) // 2}"} for r in rows(16)]
    found = bo.curves(table, better="lower", n_resamples=199, rng=3)
    found.save(tmp_path / "curves.json")
    assert bo.verify(tmp_path / "curves.json").ok
    content = json.loads((tmp_path / "curves.json").read_text())
    content["pairs"][0]["adjusted"][0] /= 2
    assert [d.where for d in bo.verify(content).differences] == ["pairs[0].adjusted[0]"]
    del content["curves"]["t"]
    with pytest.raises(ReportError, match="no key 't'"):
        bo.verify(content)


def test_command_line(tmp_path: Path) -> None:
    import pandas as pd

    path = tmp_path / "long.csv"
    pd.DataFrame(rows()).to_csv(path, index=False)
    asked = ["curves", str(path), "--better", "lower", "--at", "4", "--to", "9.0"]
    page = CliRunner().invoke(main, asked)
    assert page.exit_code == 0, page.output
    assert "B better from budget 4 to 8, no difference shown before." in page.output
    assert "At budget 4: A" in page.output
    assert "of 16 runs" in page.output
    shown = CliRunner().invoke(main, ["curves", str(path), "--better", "lower", "--json"])
    assert json.loads(shown.output)["pairs"][0]["segments"] == [{"low": 4.0, "high": 8.0, "better": "b"}]
    html = tmp_path / "curves.html"
    assert CliRunner().invoke(main, ["curves", str(path), "--better", "lower", "--report", str(html)]).exit_code == 0
    assert "<svg" in html.read_text()
    refused = CliRunner().invoke(main, ["curves", str(path)])
    assert refused.exit_code != 0
    assert "--better is required: say --better lower" in refused.output
    beyond = CliRunner().invoke(main, ["curves", str(path), "--better", "lower", "--at", "0.1"])
    assert beyond.exit_code == 2
    assert "--at must be between" in beyond.stderr
    assert "--budget" not in beyond.stderr


@pytest.mark.few(2)
@pytest.mark.parametrize("k", [2, 3, 12, 40])
@pytest.mark.slow_cases("40")
def test_figure_is_inside_its_page(k: int) -> None:
    rng = np.random.default_rng(k)
    table = [
        {"problem": i, "algorithm": f"algorithm {j}", "budget": b, "score": float(rng.normal() - j * np.log(b))}
        for i in range(7)
        for j in range(k)
        for b in (1, 10, 100, 1000)
    ]
    found = bo.curves(table, problem="problem", better="lower", n_resamples=99)
    for width in (80, 160):
        drawing = bo.diagram(found, width_mm=width)
        texts = [item for item in drawing.items if hasattr(item, "box")]
        assert all(item.box[0] >= 0 and item.box[2] <= drawing.width + 0.5 for item in texts)
        marked = {item.about for item in drawing.items if item.role == "mark"}
        assert len(marked) == min(k, 8)


@pytest.mark.parametrize("clusters", [None, 17])
def test_no_order_matters(clusters: int | None) -> None:
    """Sampled signs, means of clusters, of runs: the same to the last bit for rows and algorithms in any order."""
    rng = np.random.default_rng(3)
    rows = [
        {
            "problem": p,
            "algorithm": a,
            "run": r,
            "budget": b,
            "score": rng.normal() + a,
            "cluster": p % (clusters or 34),
        }
        for p in range(34)
        for a in range(3)
        for r in range(2)
        for b in (1, 2, 4)
    ]
    found, other = (
        bo.curves(given, better="higher", best_so_far=False, n_resamples=499, rng=1, cluster="cluster")
        for given in (rows, [rows[i] for i in rng.permutation(len(rows))])
    )
    assert not found.exact
    for pair in found.pairs:
        turned = next(p for p in other.pairs if {p.a, p.b} == {pair.a, pair.b})
        sign = 1 if turned.a == pair.a else -1
        assert turned.adjusted.tolist() == pair.adjusted.tolist()
        assert (sign * turned.difference).tolist() == pair.difference.tolist()


def incomplete_log(tmp_path: Path) -> Path:
    """Six games, three agents; DQN was not run on two games, and lacks a score at one budget elsewhere."""
    rows = ["problem,algorithm,run,budget,score"]
    for i, game in enumerate(GAMES):
        for j, agent in enumerate(("DQN", "C51", "IQN")):
            if agent == "DQN" and i < 2:
                continue
            rows += [f"{game},{agent},{r},{b},{10**i * (j + b + r) if (i, j, b) != (4, 0, 2) else ''}"
                     for r in (1, 2) for b in (1, 2, 4)]  # fmt: skip
    file = tmp_path / "log.csv"
    file.write_text("\n".join(rows))
    return file


GAMES = ("pong", "alien", "breakout", "qbert", "asterix", "zaxxon")


def test_incomplete_runs_name_who_lacks_what_and_what_stays(tmp_path: Path) -> None:
    """T8: 300 of 1260 cells of Dopamine without runs, and no way out but an edited file."""
    file = incomplete_log(tmp_path)
    with pytest.raises(MissingScoreError, match="missing='drop' leaves such rows out"):
        bo.curves(file, better="higher")
    complete = tmp_path / "complete.csv"
    complete.write_text(file.read_text().replace(",2,\n", ",2,5\n"))
    with pytest.raises(MissingScoreError, match=r"'DQN' \(2 of 6\): drop=\['DQN'\] keeps all 6 problems, and missing"):
        bo.curves(complete, better="higher")
    assert bo.curves(complete, better="higher", drop=["DQN"]).table.problems == GAMES
    assert bo.curves(complete, better="higher", only=["C51", "IQN"]).table.algorithms == ("C51", "IQN")
    fewer = bo.curves(complete, better="higher", drop=["pong", "alien"])
    assert fewer.table.problems == GAMES[2:]
    assert fewer.table.dropped == ()


def test_dropped_problems_of_curves_are_counted_by_name(tmp_path: Path) -> None:
    file, report = incomplete_log(tmp_path), tmp_path / "r.json"
    found = bo.curves(file, better="higher", missing="drop")
    assert found.table.problems == GAMES[2:]
    assert found.table.dropped == GAMES[:2]
    said = next(c.text for c in found.cautions if c.code == "left-out")
    assert "2 problems (pong, alien)" in said
    found.save(report)
    assert bo.verify(report).ok
    command = ["curves", str(file), "--better", "higher", "--missing", "drop", "--drop", "qbert"]
    shown = CliRunner().invoke(main, command)
    assert shown.exit_code == 0, shown.output
    assert "3 problems × 3 algorithms" in shown.output
    with pytest.raises(ParameterError, match="missing must be one of 'raise', 'drop'"):
        bo.curves(file, better="higher", missing="worst")  # type: ignore[arg-type]


def test_games_of_unlike_scale_are_doubted(tmp_path: Path) -> None:
    found = bo.curves(incomplete_log(tmp_path), better="higher", drop=["DQN"], missing="drop")
    said = next(c.text for c in found.cautions if c.code == "scales-differ")
    assert "times as much on zaxxon as on the median problem" in said
    file = tmp_path / "even.csv"
    file.write_text(
        "problem,algorithm,budget,score\n"
        + "".join(f"p{i},{a},{b},{b + i + j}\n" for i in range(6) for j, a in enumerate("AB") for b in (1, 2))
    )
    assert "scales-differ" not in {c.code for c in bo.curves(file, better="higher").cautions}


def test_names_of_reinforcement_learning_are_known(tmp_path: Path) -> None:
    """N19, V15: game, agent, return."""
    file = tmp_path / "log.csv"
    file.write_text(
        "game,agent,step,return\n"
        + "".join(f"g{i},{a},{b},{b + i + j}\n" for i in range(6) for j, a in enumerate("AB") for b in (1, 2))
    )
    found = bo.curves(file, better="higher")
    assert (found.table.algorithms, found.table.metric, found.table.budget_name) == (("A", "B"), "return", "step")


def test_histories_of_weights_and_biases() -> None:
    """A row has what was logged at its step; the export of a chart has a column for each run."""
    import io

    lines = ["_step,_runtime,_timestamp,problem,algorithm,run,eval/return,loss"]
    wide = {}
    for problem in ("p1", "p2", "p3"):
        for algorithm, gain in (("A", 1), ("B", 2)):
            for step in range(6):
                logged = str(gain * step) if step % 2 == 0 else ""
                lines.append(f"{step},1.5,17,{problem},{algorithm},0,{logged},0.1")
            wide[f"{problem}__{algorithm}"] = [gain * step if step % 2 == 0 else None for step in range(6)]
    found = bo.curves(
        io.StringIO("\n".join(lines)), better="higher", score="eval/return", budget="_step", spacing="linear"
    )
    assert found.t.tolist() == [0, 2, 4]
    header = "Step," + ",".join(f"{name} - return{end}" for name in wide for end in ("", "__MIN", "__MAX"))
    rows = [
        f"{step}," + ",".join("" if x is None else str(x) for own in wide.values() for x in [own[step]] * 3)
        for step in range(6)
    ]
    text = "\n".join([header, *rows])
    exported = bo.curves(io.StringIO(text), better="higher", spacing="linear")
    assert exported.table.problems == ("p1", "p2", "p3")
    assert exported.pairs[0].difference == pytest.approx(found.pairs[0].difference)
    with pytest.raises(ReadingError, match="whose names must say problem and algorithm: CartPole__PPO"):
        bo.curves(io.StringIO(text.replace("__A", "A").replace("__B", "B")), better="higher")


@pytest.mark.parametrize(("floor", "ticks"), [(1e-6, ["10⁻⁶", "10⁻⁴", "0.01", "1"]), (0.5, [])])
def test_the_axis_of_logarithms_has_scores(floor: float, ticks: list[str]) -> None:
    """N16: "log10: 2, 0, −2" instead of 10²."""
    rows = [(p, a, b, max(floor, s / b**3)) for p in range(6) for a, s in (("x", 1), ("y", 2)) for b in (1, 10, 100)]
    table = [dict(zip(("problem", "algorithm", "budget", "score"), row, strict=True)) for row in rows]
    texts = re.findall(r">([^<>]+)</text>", figures.to_svg(bo.diagram(bo.curves(table, better="lower", scale="log"))))
    assert "geometric mean of score" in texts
    assert not any("log10" in text for text in texts)
    assert set(ticks) <= set(texts)
    if not ticks:
        assert {"0.5", "1"} <= set(texts) or "0.63" in texts
