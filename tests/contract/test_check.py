"""The gate as a build meets it: files in, an exit code out; what fails can never win."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.wings.guard.check.statistics import RunSet, Series

SAMPLES = Path(__file__).parents[1] / "oracles" / "data" / "formats"


def hyperfine(path: Path, times: dict[str, list[float]], codes: dict[str, int] | None = None) -> Path:
    """As hyperfine --export-json writes it."""
    results = [
        {"command": name, "times": runs, "exit_codes": [(codes or {}).get(name, 0)] * len(runs)}
        for name, runs in times.items()
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"results": results}))
    return path


def runs(seed: int, n: int = 6, factor: float = 1.0, sd: float = 0.01) -> list[float]:
    return (factor * np.exp(np.random.default_rng(seed).normal(0, sd, n))).tolist()


def check(*args: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, args)])


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return hyperfine(tmp_path / "base.json", {"sort": runs(1), "parse": runs(2)})


def test_exit_codes(base: Path, tmp_path: Path) -> None:
    slow = hyperfine(tmp_path / "slow.json", {"sort": runs(3, factor=1.2), "parse": runs(4)})
    same = hyperfine(tmp_path / "same.json", {"sort": runs(3), "parse": runs(4)})
    wild = hyperfine(tmp_path / "wild.json", {"sort": runs(3, sd=0.3), "parse": runs(4)})
    done = check(base, slow, "--margin", "5%")
    assert done.exit_code == 1
    said = " ".join(done.stdout.split())
    assert said.startswith("REGRESSED: 1 of 2 problems is worse than the baseline by more than 5 %: sort (+")
    assert "at most 1 false alarm per 100 commits" in " ".join(done.stdout.split())
    assert check(base, same, "--margin", "5%").exit_code == 0
    done = check(base, wild, "--margin", "5%")
    assert done.exit_code == 3
    assert "is detected 80 % of the time" in " ".join(done.stdout.split())
    assert check(base, wild, "--margin", "5%", "--inconclusive", "pass").exit_code == 0
    assert check(base, base, "--margin", "5 percent").exit_code == 2
    assert check(base, base).exit_code == 2  # no margin
    forgotten = check(base, base, "--margin", "5")
    assert forgotten.exit_code == 2
    assert '--margin must be a percentage of scores that are compared by their ratios: "5%"' in forgotten.output
    assert check(base, tmp_path / "nothing.json", "--margin", "5%").exit_code == 2


def test_an_internal_error_is_no_verdict(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any, **options: Any) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(bo, "check", broken)
    done = check(base, base, "--margin", "5%")
    assert done.exit_code == 70
    assert "internal error: ZeroDivisionError" in done.stderr


def test_a_missing_benchmark_is_a_regression(base: Path, tmp_path: Path) -> None:
    lacking = hyperfine(tmp_path / "new.json", {"sort": runs(3), "more": runs(5)})
    done = check(base, lacking, "--margin", "5%", "--json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert {row["problem"]: row["verdict"] for row in found["rows"]} == {"sort": "ok", "parse": "regressed"}
    assert found["only_new"] == ["more"]
    assert check(base, lacking, "--margin", "5%", "--allow-missing").exit_code == 0


def test_a_failed_command_cannot_win(base: Path, tmp_path: Path) -> None:
    """A command that fails at once has short times."""
    failed = hyperfine(tmp_path / "new.json", {"sort": runs(3, factor=0.01), "parse": runs(4)}, {"sort": 1})
    done = check(base, failed, "--margin", "5%", "--json")
    assert done.exit_code == 1
    (row,) = [row for row in json.loads(done.stdout)["rows"] if row["problem"] == "sort"]
    assert (row["verdict"], row["effect"]) == ("regressed", None)
    assert "failed" in row["reason"]
    every = hyperfine(tmp_path / "all.json", {"sort": runs(3), "parse": runs(4)}, {"sort": 1, "parse": 1})
    assert check(base, every, "--margin", "5%").exit_code == 1
    assert check(every, base, "--margin", "5%").exit_code == 2  # nothing to compare with


def test_nothing_in_common_is_not_ok(base: Path, tmp_path: Path) -> None:
    other = hyperfine(tmp_path / "new.json", {"other": runs(3)})
    done = check(base, other, "--margin", "5%")
    assert done.exit_code == 2
    assert "no problem that can be compared" in done.stderr


def test_one_process_is_inconclusive_and_says_why(tmp_path: Path) -> None:
    go = SAMPLES / "go_bench.txt"
    done = check(go, go, "--margin", "5%")
    assert done.exit_code == 3
    assert "one independent run per side" in " ".join(done.stdout.split())
    assert check(go, go, "--margin", "100%", "--run-sd", "0.05").exit_code == 0


def test_files_of_one_name_are_pairs(tmp_path: Path) -> None:
    for i in range(8):
        host = float(np.exp(np.random.default_rng(50 + i).normal(0, 0.3)))
        hyperfine(tmp_path / "base" / f"{i}.json", {"sort": runs(i, 1, host), "parse": runs(20 + i, 1, host)})
        hyperfine(tmp_path / "new" / f"{i}.json", {"sort": runs(30 + i, 1, host), "parse": runs(40 + i, 1, host * 1.2)})
    found = bo.check(tmp_path / "base", tmp_path / "new", "5%")
    assert found.paired
    assert {row.problem: row.verdict for row in found.rows} == {"sort": "ok", "parse": "regressed"}
    assert "not-interleaved" not in {caution.code for caution in found.cautions}
    unpaired = bo.check(tmp_path / "base", tmp_path / "new", "5%", paired=False)
    assert {row.verdict for row in unpaired.rows} == {"inconclusive"}


def test_a_rerun_is_pooled(base: Path, tmp_path: Path) -> None:
    new, more = (hyperfine(tmp_path / f"{i}.json", {"sort": runs(i), "parse": runs(9 + i)}) for i in (3, 4))
    found = bo.check(base, new, "5%", add=[more])
    assert [row.runs for row in found.rows] == [(6, 12), (6, 12)]
    assert "runs-added" in {caution.code for caution in found.cautions}
    assert check(base, new, "--margin", "5%", "--add", more).exit_code == 0


@pytest.mark.parametrize("options", [(), ("--test", "rank"), ("--strict", "--correction", "bh", "--alpha", "0.05")])
def test_the_report_is_verified(base: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    new = hyperfine(tmp_path / "new.json", {"sort": runs(3, factor=1.2), "parse": []}, {"parse": 1})
    failed = hyperfine(tmp_path / "failed.json", {"sort": runs(3), "parse": runs(4)}, {"sort": 1, "parse": 1})
    for side in (new, failed):
        path = tmp_path / "check.json"
        check(base, side, "--margin", "5%", *options, "--report", path)
        done = CliRunner().invoke(main, ["verify", str(path)])
        assert done.exit_code == 0, done.output
        content = json.loads(path.read_text())
        content["verdict"] = "ok"
        assert not bo.verify(content).ok


def test_every_format(base: Path, tmp_path: Path) -> None:
    names = {'<b>&"x\x1b]0;\x01|`': runs(3), "ünï": runs(4, factor=1.3)}
    old, new = hyperfine(tmp_path / "o.json", names), hyperfine(tmp_path / "n.json", names | {"ünï": runs(5)})
    targets = [tmp_path / f"r.{suffix}" for suffix in ("html", "md", "tex", "csv", "xlsx", "txt")]
    extra = [x for target in targets for x in ("--report", target)]
    done = check(old, new, "--margin", "5%", "--junit", tmp_path / "j.xml", "--markdown", tmp_path / "s.md", *extra)
    assert done.exit_code == 0, done.output
    assert "\x1b" not in done.stdout
    assert "<b>" not in targets[0].read_text()
    tree = ElementTree.parse(tmp_path / "j.xml")
    cases = tree.getroot().findall(".//testcase")
    assert [case.get("name", "").replace("\ufffd", "") for case in cases] == ['<b>&"x]0;|`', "ünï"]
    summary = (tmp_path / "s.md").read_text()
    assert summary.startswith("### ✅ OK: ")
    assert "improved" in summary
    assert "\\<b\\>" in summary


def test_junit_and_markdown_on_stdout(base: Path, tmp_path: Path) -> None:
    slow = hyperfine(tmp_path / "slow.json", {"sort": runs(3, factor=1.2), "parse": runs(4, sd=0.3)})
    done = check(base, slow, "--margin", "5%", "--junit")
    assert done.exit_code == 1
    root = ElementTree.fromstring(done.stdout.split("\n", 1)[1])
    assert root.get("failures") == "2"
    done = check(base, slow, "--margin", "5%", "--inconclusive", "pass", "--junit")
    assert ElementTree.fromstring(done.stdout.split("\n", 1)[1]).get("skipped") == "1"
    done = check(base, slow, "--margin", "5%", "--markdown")
    assert done.stdout.startswith("### ❌ REGRESSED")
    assert check(base, slow, "--margin", "5%", "--junit", base).exit_code == 2  # an input


def test_baselines_catch_creep(tmp_path: Path) -> None:
    """Ten steps of 1 % pass any gate of 5 % against the commit before; the pinned release sees their sum."""
    store = tmp_path / "bakeoff-baseline.json"

    def build(step: int) -> Path:
        return hyperfine(tmp_path / f"{step}.json", {"sort": runs(step, 10, 1.01**step, 0.002)})

    def baseline(*args: object) -> None:
        done = CliRunner().invoke(main, ["baseline", *map(str, args), "--store", str(store)])
        assert done.exit_code == 0, done.output

    baseline("update", build(0), "--note", "v1")
    verdicts = []
    for step in range(1, 11):
        new = build(step)
        found = bo.check(store, new, "5%")
        verdicts.append(found.decision)
        previous = [row for row in found.rows if row.against == found.against[-1]]
        assert {row.verdict for row in previous} == {"ok"} or found.against == ("pinned",)
        baseline("update", new)
    assert verdicts[0] == "ok"
    assert verdicts[-1] == "regressed"
    assert found.against == ("pinned", "previous")
    assert store.stat().st_size < 10_000
    baseline("pin", "--note", "v2")
    assert bo.check(store, new, "5%").decision == "ok"
    shown = CliRunner().invoke(main, ["baseline", "show", "--store", str(store)])
    assert shown.stdout.startswith("pinned (v2): 1 problem, 10 independent runs each")
    assert check(store, build(3), "--margin", "5%").exit_code == 0
    store.write_text('{"schema":"bakeoff.baseline/1","pinned":{"series":{"a":3}}}')
    assert check(store, new, "--margin", "5%").exit_code == 2
    nowhere = CliRunner().invoke(main, ["baseline", "show", "--store", str(tmp_path / "none.json")])
    assert "bakeoff baseline update FILE... makes one" in nowhere.stderr


@pytest.mark.parametrize("pinned", [("sort", "parse", "hash"), ("sort",)])
def test_two_baselines_need_not_have_the_same_benchmarks(pinned: tuple[str, ...], tmp_path: Path) -> None:
    """Each row is that of a check against one of them alone, but for the correction over all rows."""
    store, names = tmp_path / "bakeoff-baseline.json", ("sort", "parse", "hash")
    build = {name: runs(i, 10, 1.0, 0.002) for i, name in enumerate(names)}
    previous = ("parse", "hash") if len(pinned) == 3 else names
    first = hyperfine(tmp_path / "first.json", {name: build[name] for name in pinned})
    second = hyperfine(
        tmp_path / "second.json", {name: runs(5 + i, 10, 1.01, 0.002) for i, name in enumerate(previous)}
    )
    new = hyperfine(tmp_path / "new.json", {name: runs(9 + i, 10, 1.1, 0.002) for i, name in enumerate(names)})
    for words in (("update", first), ("pin",), ("update", second)):
        done = CliRunner().invoke(main, ["baseline", *map(str, words), "--store", str(store)])
        assert done.exit_code == 0, done.output
    found = bo.check(store, new, "5%", correction="none", allow_missing=True)
    assert found.against == ("pinned", "previous")
    for against, file in zip(found.against, (first, second), strict=True):
        alone = {row.problem: row for row in bo.check(file, new, "5%", correction="none").rows}
        rows = [row for row in found.rows if row.against == against and row.pvalue is not None]
        assert len(rows) == len(pinned if against == "pinned" else previous)
        for row in rows:
            assert (row.adjusted, row.effect, row.verdict) == (
                pytest.approx(alone[row.problem].adjusted),
                pytest.approx(alone[row.problem].effect),
                alone[row.problem].verdict,
            )


def test_a_baseline_without_common_benchmarks_does_not_hide_the_other(tmp_path: Path) -> None:
    store = tmp_path / "bakeoff-baseline.json"
    gone = hyperfine(tmp_path / "gone.json", {"removed since": runs(1, 10, 1.0, 0.002)})
    old = hyperfine(tmp_path / "old.json", {"sort": runs(2, 10, 1.0, 0.002)})
    new = hyperfine(tmp_path / "new.json", {"sort": runs(3, 10, 1.3, 0.002)})
    for words in (("update", gone), ("pin",), ("update", old)):
        assert CliRunner().invoke(main, ["baseline", *map(str, words), "--store", str(store)]).exit_code == 0
    found = bo.check(store, new, "5%", allow_missing=True)
    assert found.decision == "regressed"
    assert [row.problem for row in found.rows if row.verdict == "regressed"] == ["sort"]


# --- the library ------------------------------------------------------------------------------------------------


def test_six_against_six_are_regressed() -> None:
    """asv 0.6.5 can never say so of exactly six; the rank test cannot have less than p = 1/924."""
    old, new = {"p": [1.0, 1.01, 0.99, 1.02, 0.98, 1.005]}, {"p": [1.1, 1.11, 1.09, 1.12, 1.08, 1.105]}
    for test in ("t", "rank"):
        found = bo.check(old, new, "5%", 0.05, better="lower", test=test)
        assert found.decision == "regressed", test
    assert found.rows[0].pvalue == pytest.approx(1 / 924)
    assert bo.mann_whitney(new["p"], old["p"]).pvalue == pytest.approx(0.0021645, abs=5e-8)


def test_doubled_throughput_is_improved() -> None:
    old, new = {"p": runs(1, 6, 1e6)}, {"p": runs(2, 6, 2e6)}
    found = bo.check(old, new, "5%", better="higher")
    assert found.decision == "ok"
    assert found.rows[0].improved
    assert found.rows[0].effect == pytest.approx(-1.0, abs=0.05)
    assert bo.check(new, old, "5%", better="higher").decision == "regressed"
    assert bo.check(old, new, "5%", better="lower").decision == "regressed"


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("test", ["t", "rank"])
def test_equal_scores_never_give_nan(paired: bool, test: str) -> None:
    for old, new, expected in (([5.0] * 6, [5.0] * 6, "ok"), ([5.0] * 6, [6.0] * 6, "regressed")):
        found = bo.check([old], [new], "5%", 0.05, better="lower", paired=paired, test=test)  # type: ignore[arg-type]
        assert found.decision in ("inconclusive", expected if test == "rank" else "")
        assert "equal-runs" in {caution.code for caution in found.cautions}
        assert "NaN" not in json.dumps(found.to_dict())
        if test == "t":
            count = bo.check([old], [new], "5%", better="lower", paired=paired, run_sd=1e-9)
            assert count.decision == expected
    same = bo.check({"p": runs(1)}, {"p": runs(1)}, "5%", better="lower", paired=True)
    assert same.decision == "inconclusive"
    assert same.rows[0].reason.startswith("runs do not differ")


@pytest.mark.parametrize("test", ["t", "rank"])
@pytest.mark.parametrize(("better", "paired"), [("lower", True), ("lower", False), ("higher", False)])
def test_on_a_coarse_clock_a_verdict_needs_a_tick_more(paired: bool, test: str, better: str) -> None:
    """70 and 80 ms: off by up to 14 %; 100 and 110 ms are worse by more than that and 5 %."""
    rng = np.random.default_rng(3)
    for level, decision in ((0.07, "inconclusive"), (0.1, "regressed")):
        sides = [np.round((lowest + 0.01 * rng.integers(0, 2, 20)) / 0.01) * 0.01 for lowest in (0.07, level)]
        if better == "higher":
            sides = [1 / side for side in sides]
        found = bo.check([sides[0]], [sides[1]], "5%", better=better, paired=paired, test=test)  # type: ignore[arg-type]
        assert found.decision == decision
        low, high = found.rows[0].interval
        assert (low > 0.05) == (found.decision == "regressed")
        assert not (found.decision == "inconclusive" and (low > 0.05 or high < 0.05))
        if found.decision == "inconclusive":
            assert "rounding" in found.rows[0].reason


def test_iterations_become_the_median_of_their_process() -> None:
    values = [[[1.0, 1.1, 5.0, 2.0, 2.1, 9.0], [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]]]
    ids = ["a.0", "a.1", "a.2", "b.0", "b.1", "b.2"]
    scores = bo.Scores(values, ["old", "new"], better="lower", run_ids=ids, run_kind="iteration")
    found = bo.check(scores, scores, "5%", label=("old", "new"))
    assert found.scores.runs is not None
    np.testing.assert_array_equal(found.scores.runs[0], [[1.1, 2.1], [1.0, 2.0]])
    assert "averaged (iterations)" in {caution.name for caution in found.cautions}
    bare = bo.Scores(values, ["old", "new"], better="lower", run_kind="iteration")
    assert bo.check(bare, bare, "5%", label=("old", "new")).decision == "inconclusive"


def test_questions_are_judged_by_their_mean() -> None:
    rng = np.random.default_rng(3)
    old = (rng.random(1500) < 0.7).astype(float)
    new = old.copy()
    new[:90] = 0.0
    scores = bo.Scores(np.column_stack([old, new]), ["a", "b"], better="higher")
    found = bo.check(scores, scores, 0.01, label=("a", "b"))
    assert (found.level, found.test, found.decision) == ("suite", "score", "regressed")
    assert found.rows[0].effect == pytest.approx((old - new).mean())
    assert bo.check(scores, scores, 0.01, label="a").decision == "ok"
    few = scores.select(problems=scores.problems[900:940])
    unchanged = bo.check(few, few, 0.01, label=("a", "b"))
    assert unchanged.decision == "inconclusive"  # forty equal answers do not rule 1 % out
    assert unchanged.rows[0].interval is not None
    assert unchanged.rows[0].interval[1] > 0.03


def test_clustered_questions_agree_with_the_clustered_t() -> None:
    rng = np.random.default_rng(4)
    values = rng.random((60, 2, 4)).round(2)
    labels = np.repeat(np.arange(15), 4)
    scores = bo.Scores(values, ["a", "b"], better="higher", clusters=labels, run_kind="answer")
    found = bo.check(scores, scores, 0, 0.05, label=("a", "b"))
    reference = bo.cluster_t(scores, "a", "b", alternative="greater")
    assert found.unit == "cluster"
    assert found.rows[0].effect == pytest.approx(reference.estimate, rel=1e-12)
    assert found.rows[0].pvalue == pytest.approx(reference.pvalue, rel=1e-9)


def test_a_common_shift_is_named_and_can_be_centred() -> None:
    rng = np.random.default_rng(5)
    old = np.exp(rng.normal(0, 0.01, (20, 10)))
    new = 1.08 * np.exp(rng.normal(0, 0.01, (20, 10)))
    found = bo.check(old, new, "5%", better="lower")
    assert found.decision == "regressed"
    assert "common-shift" in {caution.code for caution in found.cautions}
    assert found.diagnostics.median_effect == pytest.approx(0.08, abs=0.01)
    centred = bo.check(old, new, "5%", better="lower", center=True)
    assert centred.decision == "ok"
    assert "centred" in {caution.code for caution in centred.cautions}
    with pytest.raises(bo.BakeoffError, match="center needs a test per problem"):
        bo.check(old[:2], new[:2], "5%", better="lower", center=True)


def test_drift_within_a_side_is_named() -> None:
    rng = np.random.default_rng(6)
    drifting = np.exp(rng.normal(0, 0.005, (20, 10)) + np.linspace(0, 0.1, 10))
    found = bo.check(drifting, np.exp(rng.normal(0, 0.005, (20, 10))), "50%", better="lower")
    assert set(found.diagnostics.drift) == {"baseline"}
    assert "drift" in {caution.code for caution in found.cautions}


def test_given_spread() -> None:
    found = bo.check({"p": [1.0]}, {"p": [1.3]}, "5%", better="lower", run_sd=0.02)
    assert found.decision == "regressed"
    assert found.rows[0].pvalue == pytest.approx(bo_normal_sf((np.log(1.3) - np.log(1.05)) / (0.02 * np.sqrt(2))))
    wrong = bo.check({"p": runs(1, 10, sd=0.2)}, {"p": runs(2, 10, sd=0.2)}, "5%", better="lower", run_sd=0.01)
    assert "spread-too-small" in {caution.code for caution in wrong.cautions}


def bo_normal_sf(z: float) -> float:
    from scipy import stats

    return float(stats.norm.sf(z))


def side(**facts: str) -> RunSet:
    known = {"metric": "time", "unit": "s"} | {k: facts.pop(k) for k in ("metric", "unit", "better") if k in facts}
    series = {"p": Series(ids=tuple("abcdef"), values=tuple(runs(1)))}
    versions = {"p": facts.pop("version")} if "version" in facts else {}
    better = known.pop("better", "lower")
    return RunSet(series=series, better=better, run_kind="process", facts=facts, versions=versions, **known)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ({"metric": "time"}, {"metric": "memory"}, "metric"),
        ({"unit": "s"}, {"unit": "B"}, "unit"),
        ({"better": "lower"}, {"better": "higher"}, "direction"),
        ({"tool": "hyperfine"}, {"tool": "go test"}, "tool"),
        ({"machine": "EPYC 2"}, {"machine": "Xeon 4"}, "machine"),
        ({"version": "1a"}, {"version": "2b"}, "code or text of 1 problem changed"),
    ],
)
def test_what_cannot_be_compared(old: dict[str, str], new: dict[str, str], what: str) -> None:
    with pytest.raises(bo.BakeoffError, match=what):
        bo.check(side(**old), side(**new), "5%")
    allowed = {"tool": "tool", "machine": "machine", "version": "benchmarks"}.get(next(iter(old)))
    if allowed is not None:
        found = bo.check(side(**old), side(**new), "5%", allow_different=allowed)
        assert "changed (conditions)" in {caution.name for caution in found.cautions}


def test_margins() -> None:
    old, new = {"p": runs(1)}, {"p": runs(2, factor=1.2)}
    with pytest.raises(bo.BakeoffError, match=r'"5%" for a ratio; or 0\.05 in score units with scale=.difference'):
        bo.check(old, new, 0.05, better="lower")
    with pytest.raises(bo.BakeoffError, match=r'"5%" for a ratio; or 5 in score units'):
        bo.check(old, new, 5, better="lower")
    found = bo.check(old, new, 0, better="lower")
    assert found.decision == "regressed"
    assert "margin-zero" in {caution.code for caution in found.cautions}
    assert bo.check(old, new, 0.5, better="lower", scale="difference").decision == "ok"
    for wrong in (-1, "5 pct", None, "nan", float("nan"), True):
        with pytest.raises(bo.BakeoffError, match="margin must be 0 or more"):
            bo.check(old, new, wrong, better="lower")  # type: ignore[arg-type]
    with pytest.raises(bo.BakeoffError, match="below 100 %"):
        bo.check(old, new, "100%", better="higher")
    with pytest.raises(bo.BakeoffError, match="better must be"):
        bo.check(old, new, "5%")
    with pytest.raises(bo.BakeoffError, match="no ratio"):
        bo.check({"p": [0.0, 2.0]}, {"p": [1.0, 2.0]}, "5%", better="lower")


def test_rates_in_lists_are_compared_by_their_difference() -> None:
    old, new = {"p": [1.0, 0.0, 1.0, 1.0, 1.0, 0.0]}, {"p": [0.0] * 5 + [1.0]}
    assert bo.check(old, new, 0.05, better="higher").scale == "difference"
    with pytest.raises(
        bo.BakeoffError, match=r"margin must be in score units.*: 0\.05 for 5 percentage points; got 5%"
    ):
        bo.check(old, new, "5%", better="higher")
    graded = bo.Scores([[0.5, 0.6], [0.7, 0.8]], ["a", "b"], better="higher")
    with pytest.raises(bo.BakeoffError, match=r"0\.05 for 5 percentage points, or \"5%\" with scale='ratio'; got 5%"):
        bo.check(graded, graded, "5%", label=("a", "b"))


def test_strict_alarms_within_the_margin() -> None:
    old, new = {"p": runs(1, 20)}, {"p": runs(2, 20, 1.03)}
    assert bo.check(old, new, "5%", better="lower").decision == "ok"
    assert bo.check(old, new, "5%", better="lower", strict=True).decision == "regressed"


def test_fixed_benchmarks_as_one_suite() -> None:
    """Runs are the unit: in each the mean over all benchmarks."""
    rng = np.random.default_rng(8)
    old, new = np.exp(rng.normal(0, 0.1, (30, 8))), 1.15 * np.exp(rng.normal(0, 0.1, (30, 8)))
    found = bo.check(old, new, "5%", better="lower", level="suite")
    assert found.decision == "regressed"
    from scipy import stats

    x, y = np.log(old).mean(axis=0), np.log(new).mean(axis=0)
    expected = stats.ttest_ind(y - np.log(1.05), x, equal_var=False, alternative="greater").pvalue
    assert found.rows[0].pvalue == pytest.approx(expected, rel=1e-9)


# --- error rates (FORMATS 3.2) ----------------------------------------------------------------------------------

HOSTS = {"quiet": (0.0, 0.01), "shared": (0.08, 0.05)}  # standard deviations of the host and of a process


def false_alarms(host: str, tail: str, pairs: int, checks: int, paired: bool, alpha: float, **options: Any) -> int:
    """Checks of 40 unchanged benchmarks that alarm; processes of 20 iterations, sd 3 %, as their medians."""
    rng = np.random.default_rng(pairs + 17 * checks + len(tail))
    outer, inner = HOSTS[host]
    alarms = 0
    for _ in range(checks):
        machine = rng.normal(0, outer)

        def measured(machine: float = machine) -> np.ndarray[Any, Any]:
            process = rng.standard_t(2, (40, pairs)) if tail == "heavy" else rng.normal(size=(40, pairs))
            median = rng.normal(0, 0.03 * 1.25 / np.sqrt(20), (40, pairs))
            return np.exp(np.clip(machine + inner * process + median, -50, 50))

        found = bo.check(measured(), measured(), "5%", alpha, better="lower", paired=paired, **options)
        alarms += found.decision == "regressed"
    return alarms


@pytest.mark.exhaustive
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("tail", ["normal", "heavy"])
@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("strict", [False, True])
def test_unchanged_builds_seldom_alarm(host: str, tail: str, paired: bool, strict: bool) -> None:
    alpha, checks = 0.05, 400
    alarms = false_alarms(host, tail, 5, checks, paired, alpha, strict=strict)
    limit = alpha + 4 * np.sqrt(alpha * (1 - alpha) / checks)
    assert alarms / checks <= limit, f"{alarms} of {checks}"


@pytest.mark.slow
def test_unchanged_builds_seldom_alarm_in_short() -> None:
    for host in HOSTS:
        assert false_alarms(host, "normal", 5, 30, True, 0.05, strict=True) <= 6
