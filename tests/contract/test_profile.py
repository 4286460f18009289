"""Profiles as a user meets them: a file, a page, a picture, and errors that name the cell."""

from __future__ import annotations

import json
import math
import re
import shutil
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import report
from bakeoff.cli import main
from bakeoff.errors import InfiniteScoreError, MissingScoreError, ParameterError, ScoreError, WrongTypeError
from bakeoff.figures import to_svg
from bakeoff.wings.curves.profile.statistics import Profile
from bakeoff.wings.curves.trajectories import Trajectories

TIMES = """problem,algorithm,time,status,family
p1,fast,1,ok,u
p1,slow,3,ok,u
p1,other,2,ok,u
p2,fast,1.5,ok,v
p2,slow,,timeout,v
p2,other,6,ok,v
p3,fast,,timeout,v
p3,slow,9,ok,v
p3,other,,crash,v
p4,fast,,timeout,w
p4,slow,,timeout,w
p4,other,,timeout,w
"""


@pytest.fixture
def times(tmp_path: Path) -> Path:
    path = tmp_path / "times.csv"
    path.write_text(TIMES)
    return path


def profile(path: Path, *options: str) -> str:
    asked = ["profile", str(path), "--better", "lower", "--score", "time", "--status", "status", *options]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def lognormal(n: int = 30, k: int = 4, seed: int = 0) -> bo.Scores:
    rng = np.random.default_rng(seed)
    return bo.Scores(rng.lognormal(size=(n, k)), better="lower")


@pytest.mark.parametrize(("sizes", "said"), [((1,) * 7 + (30,), True), ((4,) * 8, False)])
def test_unequal_clusters_make_bands_too_narrow(sizes: tuple[int, ...], said: bool) -> None:
    table = lognormal(n=sum(sizes)).values
    clusters = np.repeat(np.arange(len(sizes)), sizes).tolist()
    found = bo.profile(bo.Scores(table, better="lower", clusters=clusters), n_resamples=99)
    of_it = [c for c in found.cautions if c.code == "unequal"]
    assert bool(of_it) == said
    assert all(
        "bands of clusters drawn again are too narrow" in c.text and "1.5 of equal size" in c.text for c in of_it
    )


def test_the_page(times: Path) -> None:
    page = profile(times)
    assert page.startswith("fast is best, or tied for it, most often: on 50 % of 4 problems")
    assert "counted-as-worst (ratios): 6 cells (runs: 5 timeout, 1 crash) count as within no τ" in " ".join(
        page.split()
    )
    assert "On 1 problem every algorithm failed; it counts in all shares." in page
    assert "50 % of 4 problems" in profile(times, "--read", "cell=best")
    assert re.search(r"fast +50 % +50 % +50 % +50 % +50 % +50 % +68 %", page)


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", ["ratio", "difference", "data"])
@pytest.mark.parametrize("more", [(), ("--cluster", "family", "--band", "0.9", "--seed", "3"), ("--drop", "other")])
def test_every_format_and_verify(times: Path, tmp_path: Path, kind: str, more: tuple[str, ...]) -> None:
    targets = [tmp_path / f"e.{suffix}" for suffix in ("json", "html", "md", "tex", "txt", "csv", "svg")]
    profile(times, "--kind", kind, *more, *[x for target in targets for x in ("--report", str(target))])
    assert all(target.stat().st_size > 100 for target in targets)
    content = json.loads(targets[0].read_text())
    assert content["schema"] == "bakeoff.profile/1"
    assert bo.verify(targets[0]).ok
    content["curves"][0]["share"][0] += 0.01
    assert [d.where for d in bo.verify(content).differences] == ["curves[0].share[0]"]


def test_names_that_scripts_use() -> None:
    found = bo.profile(lognormal(), band=0.9, rng=1)
    k, steps = 4, len(found.tau)
    assert found.share.shape == found.lower.shape == found.upper.shape == (k, steps)
    assert found.at(2).shape == (k,)
    assert (np.diff(found.tau) > 0).all()
    assert (np.diff(found.share) >= 0).all()
    assert (found.lower <= found.share).all()
    assert (found.share <= found.upper).all()
    assert {"a", "b", "without", "tau"} <= set(found.flips[0].__dataclass_fields__)
    assert found.swap is None
    with pytest.raises(ValueError, match="read-only"):
        found.share[0, 0] = 1.0


def test_one_seed_one_answer() -> None:
    s = lognormal(30, 2)
    assert bo.profile(s, rng=3).to_dict() == bo.profile(s, rng=3).to_dict()
    assert bo.profile(s, rng=3).swap != bo.profile(s, rng=4).swap


def test_rows_and_columns_in_any_order() -> None:
    s = lognormal(12, 3)
    rows, columns = np.random.default_rng(1).permutation(12), [2, 0, 1]
    other = bo.profile(bo.Scores(s.values[rows][:, columns], [s.algorithms[j] for j in columns], better="lower"))
    found = bo.profile(s)
    assert other.tau.tolist() == found.tau.tolist()
    assert other.share.tolist() == found.share[columns].tolist()
    assert {frozenset((f.a, f.b, f.without)) for f in found.flips} == {
        frozenset((f.a, f.b, f.without)) for f in other.flips
    }


def test_what_cannot_be_a_ratio() -> None:
    scores = bo.Scores([[1.0, -2.0], [1.0, 2.0]], ["a", "b"], better="lower")
    with pytest.raises(ScoreError, match=r"-2 for problem 'P1', algorithm 'b': negative.*kind='difference'"):
        bo.profile(scores)
    assert bo.profile(scores, "difference").at(0).tolist() == [0.5, 0.5]
    with pytest.raises(InfiniteScoreError, match="infinitely good"):
        bo.profile(bo.Scores([[1.0, np.inf]], better="higher"))
    with pytest.raises(ScoreError, match="higher is better, and the budgets of a data profile are costs"):
        bo.profile(bo.Scores([[1.0, 2.0]], better="higher"), "data")
    with pytest.raises(MissingScoreError, match="problem 'P1', algorithm 'A2'"):
        bo.profile(bo.Scores([[1.0, np.nan], [1.0, 2.0]], better="lower", missing="keep"))
    with pytest.raises(ScoreError, match="one cluster only"):
        bo.profile(bo.Scores([[1.0, 2.0], [1.0, 2.0]], better="lower", clusters=["c", "c"]))
    with pytest.raises(ParameterError, match="kind must be one of"):
        bo.profile(scores, "log")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="band must be"):
        bo.profile(scores, "difference", band=95)
    with pytest.raises(WrongTypeError, match="scores_or_curves must be a bakeoff"):
        bo.profile([[1, 2]])  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="tau must be a number"):
        bo.profile(scores, "difference").at(math.nan)


def test_failed_runs_are_never_within_any_tau() -> None:
    """Infinite scores and statuses alike; one failed run of several makes the cell infinite."""
    infinite = bo.profile(bo.Scores([[1.0, np.inf], [2.0, 2.0]], better="lower"))
    status = bo.Scores(
        [[1.0, 9.0], [2.0, 2.0]], better="lower", status=[["ok", "TIMEOUT"], ["ok", "ok"]], missing="keep"
    )
    assert bo.profile(status).distances.tolist() == infinite.distances.tolist() == [[1.0, np.inf], [1.0, 1.0]]
    runs = np.array([[[1.0, 3.0], [1.0, 1.0]], [[2.0, 2.0], [4.0, np.nan]]])
    words = [[["ok", "ok"], ["ok", "ok"]], [["ok", "ok"], ["ok", "timeout"]]]
    found = bo.profile(bo.Scores(runs, better="lower", status=words, missing="keep"))
    assert found.distances.tolist() == [[2.0, 1.0], [1.0, np.inf]]
    (caution,) = (c for c in found.cautions if c.name == "counted-as-worst (ratios)")
    assert caution.text.startswith(
        "1 cell (runs: 1 timeout) counts as within no τ: the mean of its runs is infinite with"
    )
    scores = bo.Scores(runs, better="lower", status=words, missing="keep")
    assert bo.profile(scores, cell="best").distances.tolist() == [[1.0, 1.0], [1.0, 2.0]]
    assert bo.profile(scores, cell="median").distances.tolist() == [[2.0, 1.0], [1.0, np.inf]]
    three = bo.Scores([[[1, 9, 2], [3, np.nan, 5]]], better="lower", missing="keep",
                      status=[[["ok", "ok", "ok"], ["ok", "timeout", "ok"]]])  # fmt: skip
    assert bo.profile(three, cell="median").distances.tolist() == [[1.0, 2.5]]
    assert "each score is the median of" in report.render(bo.profile(three, cell="median"), "md")
    with pytest.raises(ParameterError, match="cell must be one of"):
        bo.profile(three, cell="success")  # type: ignore[arg-type]
    nobody = bo.profile(bo.Scores([[np.inf, np.inf]] * 3, better="lower"))
    assert nobody.solved.tolist() == [0.0, 0.0]
    assert nobody.verdict == "A1 and A2 have the same profile."
    bo.diagram(nobody)


def test_two_that_are_alike() -> None:
    found = bo.profile(bo.Scores([[1.0, 1.0]] * 4, ["x", "y"], better="lower"))
    assert found.verdict == "x and y have the same profile."
    assert found.swap is not None
    assert found.swap.pvalue == 1.0
    assert found.flips == ()
    turned = bo.profile(bo.Scores([[1.0, np.inf], [np.inf, 1.0]], ["x", "y"], better="lower"))
    assert turned.verdict == "x and y have the same profile."
    assert turned.swap is not None
    assert (turned.swap.statistic, turned.swap.tau, turned.swap.pvalue) == (0.0, None, 1.0)


def test_the_sentence_of_two() -> None:
    found = bo.profile(bo.Scores([[1.0, 2.0]] * 12, ["x", "y"], better="lower"))
    assert found.verdict.startswith(
        "The profiles differ: at τ = 1, where they are furthest apart, x is within it on 100 % and y on 0 % of the"
    )
    assert found.swap is not None
    assert found.swap.pvalue == 2 / 2**12
    few = bo.profile(bo.Scores([[1.0, 2.0]] * 5, ["x", "y"], better="lower"))
    assert few.verdict.startswith(
        "There is no verdict on the difference, because with 5 problems no outcome has a p-value up to 0.05: at τ = 1,"
    )
    assert bo.profile(bo.Scores([[1.0, 2.0]] * 6, better="lower")).verdict.startswith("The profiles differ")


def test_equal_clusters_count_as_often_as_they_have_problems() -> None:
    s = lognormal(6, 2)
    copies = bo.Scores(np.repeat(s.values, 3, axis=0), better="lower", clusters=list(np.repeat(list("uvwxyz"), 3)))
    once, found = bo.profile(s), bo.profile(copies)
    assert found.half_widths == pytest.approx(once.half_widths)
    assert found.swap is not None
    assert once.swap is not None
    assert (found.swap.statistic, found.swap.pvalue) == pytest.approx((once.swap.statistic, once.swap.pvalue))
    assert "clusters of problems" in report.render(found, "md")


def curves(*runs: tuple[int, list[float], list[float]], clusters: tuple[str, ...] | None = None) -> Trajectories:
    """Runs sorted by cell, as ``bo.curves`` has them."""
    return Trajectories(
        problems=("f", "g"),
        algorithms=("a", "b"),
        clusters=clusters,
        better="lower",
        cells=np.array([cell for cell, _, _ in runs]),
        runs=tuple(str(i) for i in range(len(runs))),
        starts=np.cumsum([0, *(len(budgets) for _, budgets, _ in runs)]),
        budgets=np.concatenate([budgets for _, budgets, _ in runs]),
        costs=np.concatenate([costs for _, _, costs in runs]),
        ends=np.array([budgets[-1] for _, budgets, _ in runs]),
        target=None,
        best_so_far=True,
        metric=None,
        budget_name="budget",
        run_kind=None,
        source_sha256="",
    )


def test_data_profiles_of_more_and_wild() -> None:
    """f: from 100 to 0, target 10 with tolerance 0.1: a after 3, b after 8. g: from 50 to 40, target 41: b after 4."""
    both = curves(
        (0, [1, 3, 9], [100, 10, 5]), (1, [1, 8], [100, 0]), (2, [1, 5], [50, 42]), (3, [1, 4], [50, 40]),
    )  # fmt: skip
    found = bo.profile(both, "data", tolerance=0.1)
    assert found.distances.tolist() == [[3, 8], [np.inf, 4]]
    assert found.at([3, 4, 8]).tolist() == [[0.5, 0.5, 0.5], [0.0, 0.5, 1.0]]
    assert found.scores.metric == "budget"
    assert found.scores.status is not None
    assert found.scores.status.tolist() == [["ok", "ok"], ["not reached", "ok"]]
    assert [c.code for c in found.cautions] == ["targets-of-these", "counted-as-worst"]
    assert bo.verify(found).ok
    simplex = bo.profile(both, "data", tolerance=0.1, dimensions={"f": 3, "g": 1})
    assert simplex.distances.tolist() == [[0.75, 2.0], [np.inf, 2.0]]
    easier = bo.profile(both, "data", tolerance=0.9)
    assert easier.distances.tolist() == [[3, 8], [5, 4]]


def reached(records: list[tuple[str, str, int, float, float]], name: str, targets: list[float], budget: float) -> float:
    """Of all (problem, run, target) the share that a run of ``name`` reached by ``budget``: one after the other."""
    runs = sorted({(problem, run) for problem, algorithm, run, _, _ in records if algorithm == name})
    count = 0
    for problem, run in runs:
        for target in targets:
            own = (r for r in records if r[:3] == (problem, name, run))
            count += any(spent <= budget and score <= target for _, _, _, spent, score in own)
    return count / (len(runs) * len(targets))


@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.slow_cases("higher")
def test_the_share_of_several_targets_that_runs_reach(better: Literal["lower", "higher"]) -> None:
    """N16: no ECDF over targets, which users of COCO know."""
    rng = np.random.default_rng(5)
    sign = 1.0 if better == "lower" else -1.0
    records, targets = [], [3.0, 0.3, 1.0, 0.03]
    for problem in "pqrstuv":
        for name, rate in (("a", 0.6), ("b", 1.0), ("c", 0.8)):
            for run in range(3):
                for budget in (1.0, 2.0, 5.0, 10.0, 50.0, 200.0):
                    score = round(float(10 * np.exp(rng.normal()) * budget**-rate), 2)  # it may get worse again
                    records.append((problem, name, run, budget, score))
    table = [
        dict(zip(("problem", "algorithm", "run", "budget", "score"), (*r[:4], sign * r[4]), strict=True))
        for r in records
    ]
    runs = bo.curves(table, better=better)
    found = bo.profile(runs, "data", targets=[sign * x for x in targets])
    for budget in (0.5, 1.0, 2.0, 7.0, 50.0, 1e6):
        shares = [reached(records, name, targets, budget) for name in "abc"]
        assert found.at(budget).tolist() == pytest.approx(shares, abs=1e-14)
    assert (found.scores.n_problems, found.n_clusters, found.counted) == (7 * 3 * 4, 7, "targets")
    assert "of 84 targets" in found.verdict
    assert "84 targets of all runs in 7 clusters of problems" in found.methods
    assert "84 targets of all runs in 7 clusters of problems × 3 algorithms." in report.render(found, "md")
    assert bo.verify(found).ok
    alone = bo.profile(bo.curves(table, better=better, only=["a", "b"]), "data", targets=[sign * x for x in targets])
    assert " of the targets (swap test, p = " in alone.verdict
    assert re.search(r"a reaches \d+ % and b \d+ % of the targets", alone.verdict)
    assert alone.at(7.0).tolist() == found.at(7.0).tolist()[:2]  # no target depends on who is in the table
    for options, message in (
        ({"targets": []}, "one target or more"),
        ({"targets": [1.0], "over": "runs"}, "must be 'problems' with targets"),
        ({"targets": ["x"]}, "targets"),
    ):
        with pytest.raises(bo.BakeoffError, match=message):
            bo.profile(runs, "data", **options)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="Scores are budgets to a target already"):
        bo.profile(lognormal(4, 2), "data", targets=[1.0])


def test_targets_beyond_those_at_which_runs_stopped_are_refused() -> None:
    rows = [(p, a, b, 1 / b) for p in "pqrstu" for a in "ab" for b in (1, 10, 100)]
    table = [dict(zip(("problem", "algorithm", "budget", "score"), row, strict=True)) for row in rows]
    runs = bo.curves(table, better="lower", target=0.1)
    assert bo.profile(runs, "data", targets=[1, 0.1]).at(10).tolist() == [1.0, 1.0]
    with pytest.raises(ParameterError, match=r"must not be better than 0\.1, at which runs stopped; got 0\.01"):
        bo.profile(runs, "data", targets=[1, 0.01])


@pytest.mark.slow
def test_targets_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    lines = [
        f"{p},{a},{r},{b},{s / b}" for p in "pqrstu" for a, s in (("x", 1), ("y", 3)) for r in (1, 2) for b in (1, 9)
    ]
    path.write_text("\n".join(["problem,algorithm,run,evaluations,error", *lines]))
    asked = ["profile", str(path), "--better", "lower"]
    along = [*asked, "--kind", "data", "--budget", "evaluations"]
    answer = json.loads(CliRunner().invoke(main, [*along, "--targets", "1,0.2", "--json"]).output)
    assert [curve["ever"] for curve in answer["curves"]] == [1.0, 0.5]
    answer = json.loads(CliRunner().invoke(main, [*along, "--targets", "coco", "--json"]).output)
    assert answer["n_problems"] == 6 * 2 * 51
    for arguments, message in (
        ([*asked, "--targets", "1"], "--targets is for runs along a budget: pass --kind data"),
        ([*along, "--targets", ""], "must be coco, or numbers between commas"),
        ([*along, "--targets", "1;2"], "must be coco, or numbers between commas"),
        ([*along, "--target", "1"], "--kind data has its own targets: pass --targets 1"),
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 2
        assert message in result.stderr


RECORDS = """function,solver,evaluations,error
f,a,1,100
f,a,3,10
f,a,9,5
f,b,1,100
f,b,8,0
g,a,1,50
g,a,5,42
g,b,1,50
g,b,4,40
"""


def test_runs_along_a_budget_from_every_door(tmp_path: Path) -> None:
    """The same runs as above, of bo.curves and of the program; no score is read as a budget."""
    path = tmp_path / "runs.csv"
    path.write_text(RECORDS)
    columns = {"problem": "function", "algorithm": "solver", "budget": "evaluations", "score": "error"}
    found = bo.profile(bo.curves(str(path), better="lower", **columns), "data", tolerance=0.1)  # type: ignore[arg-type]
    assert found.distances.tolist() == [[3, 8], [np.inf, 4]]
    asked = ["profile", str(path), "--better", "lower", "--kind", "data", "--tolerance", "0.1", "--json"]
    named = [part for role, name in columns.items() for part in (f"--{role}", name)]
    done = CliRunner().invoke(main, [*asked, *named])
    assert done.exit_code == 0, done.stderr
    content = json.loads(done.stdout)
    assert [curve["tau"] for curve in content["curves"]] == [[3.0], [4.0, 8.0]]
    assert bo.verify(content).ok
    for options, said in (
        ([*asked, "--problem", "function"], "--tolerance is for runs along a budget"),
        ([*asked, *named, "--only", "a"], "--only is for tables of scores"),
        (["profile", str(path), "--better", "lower", "--budget", "evaluations"], "--budget is for --kind data"),
    ):
        done = CliRunner().invoke(main, options)
        assert done.exit_code == 2
        assert said in done.stderr


@pytest.mark.parametrize("format", ["coco", "ioh"])
def test_logs_of_whole_runs(format: str, tmp_path: Path) -> None:
    logs = Path(__file__).parents[1] / "oracles" / "data" / "formats" / format
    shutil.copytree(logs, tmp_path / "new")
    asked = ["profile", "--kind", "data", "--label", f"old={logs}", "--label", f"new={tmp_path / 'new'}"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.stderr
    assert "Data profile: τ is budget" in done.stdout


def test_several_runs_are_rows_of_one_cluster() -> None:
    runs = [(0, [1.0, 2.0], [9.0, 0.0]), (0, [1.0], [9.0]), (1, [1.0, 7.0], [9.0, 0.0]), (1, [1.0, 5.0], [8.0, 0.0])]
    found = bo.profile(curves(*runs, (2, [1.0], [3.0]), (3, [1.0], [3.0])), "data")
    assert found.scores.problems == ("f run 1", "f run 2", "g")
    assert found.scores.clusters == ("f", "f", "g")
    assert found.distances.tolist() == [[2, 7], [np.inf, 5], [1, 1]]
    assert (
        "Each run on a problem counts as a row in the cluster of that problem: 2 problems, 3 rows."
        in found.cautions[0].text
    )
    with pytest.raises(ScoreError, match="has 2 runs of 'a' and 1 of 'b' on problem 'f'"):
        bo.profile(curves(*runs[:3], (2, [1.0], [3.0]), (3, [1.0], [3.0])), "data")
    with pytest.raises(ParameterError, match="kind must be 'data' for curves"):
        bo.profile(curves(*runs), "ratio")
    with pytest.raises(ParameterError, match="dimensions has no number of variables of problem 'g'"):
        bo.profile(curves(*runs[:1], runs[2], (2, [1.0], [3.0]), (3, [1.0], [3.0])), "data", dimensions={"f": 2})


def test_the_example_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "guides" / "profile.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    known: dict[str, Profile] = {}
    exec(code, known)
    assert capsys.readouterr().out == shown
    drawn = to_svg(bo.diagram(known["found"], width_mm=160))
    assert (docs / "figures" / "profile-cec2005.svg").read_text(encoding="utf-8") == drawn


def test_help_and_errors_in_the_words_of_the_program(times: Path) -> None:
    said = CliRunner().invoke(main, ["profile", "--help"]).stdout
    assert "bakeoff profile times.csv --better lower --status status" in said
    asked = ["profile", str(times), "--better", "lower", "--score", "time", "--status", "status", "--kind", "x"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 2
    assert "--kind must be one of" in done.stderr


@pytest.mark.parametrize("command", [["profile"], ["runtimes", "--cap", "99"]])
def test_a_store_of_runs_needs_no_policy_for_missing_scores(tmp_path: Path, command: list[str]) -> None:
    """Its scores are those of finished problems; the policy that tables have by default was refused as a choice."""
    costs = {"a": lambda problem, rng: problem + rng.random(), "b": lambda problem, rng: problem + 2 * rng.random()}
    problems = {f"p{i}": 1.0 + i for i in range(6)}
    store = str(tmp_path / "runs.sqlite")
    bo.run(bo.Experiment(costs, problems, better="lower", seed=1, runs=2), store)
    done = CliRunner().invoke(main, [command[0], store, *command[1:], "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["schema"] == f"bakeoff.{command[0]}/1"
