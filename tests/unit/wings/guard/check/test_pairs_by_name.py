"""Runs of one name are pairs, also where one side has more of them: a missing file, runs that were added."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.wings.guard.check.statistics.baseline_store import update_baseline
from bakeoff.wings.guard.check.statistics.results import Check
from bakeoff.wings.guard.check.statistics.run_set import RunSet, Series

HOSTS = np.exp(np.random.default_rng(1).normal(0, 0.3, 20))

RUNS = np.random.default_rng(2).normal(1.0, 0.01, (2, 2, 6)).tolist()


def measured(folder: Path, names: range, factor: float = 1.0, seed: int = 0) -> Path:
    """A file per process of hyperfine; processes of one name share the speed of the host at that time."""
    noise = np.exp(np.random.default_rng(seed).normal(0, 0.01, 20))
    folder.mkdir(exist_ok=True)
    for i in names:
        results = [{"command": "sort", "times": [factor * HOSTS[i] * noise[i]], "exit_codes": [0]}]
        (folder / f"{i}.json").write_text(json.dumps({"results": results}))
    return folder


def codes(found: Check) -> set[str]:
    return {caution.code for caution in found.cautions}


def test_a_missing_file_leaves_the_other_pairs(tmp_path: Path) -> None:
    base, new = measured(tmp_path / "base", range(10)), measured(tmp_path / "new", range(10), 1.1, 1)
    (new / "3.json").unlink()
    found = bo.check(base, new, "5%")
    assert (found.paired, found.decision, found.rows[0].runs) == (True, "regressed", (9, 9))
    (said,) = [caution.text for caution in found.cautions if caution.name == "left-out (unpaired-runs)"]
    assert said.startswith("1 run of baseline did not count")
    assert "not-interleaved" not in codes(found)
    alone = bo.check(base, new, "5%", paired=False)
    assert (alone.rows[0].runs, "left-out" in codes(alone)) == ((10, 9), False)


def test_runs_added_to_new_alone_leave_the_pairs(tmp_path: Path) -> None:
    base, new = measured(tmp_path / "base", range(10)), measured(tmp_path / "new", range(10), 1.1, 1)
    before = bo.check(base, new, "5%").rows[0]
    for names in (range(5), range(10, 15), range(10, 11)):
        more = measured(tmp_path / f"more{names}", names, 1.1, 2)
        found = bo.check(base, new, "5%", add=[more])
        assert (found.decision, found.rows[0].effect, found.rows[0].interval) == (
            "regressed",
            before.effect,
            before.interval,
        )
        assert {"left-out", "runs-added"} <= codes(found)


def test_runs_added_to_both_sides_are_pairs(tmp_path: Path) -> None:
    """With a file missing in the first turn: 3.json of the second turn is no partner of that of the first."""
    base, new = measured(tmp_path / "base", range(10)), measured(tmp_path / "new", range(10), 1.1, 1)
    more_base, more = measured(tmp_path / "more_base", range(5), 1.0, 2), measured(tmp_path / "more", range(5), 1.1, 3)
    (new / "3.json").unlink()
    (more / "4.json").unlink()
    done = CliRunner().invoke(
        main,
        [
            "check",
            str(base),
            str(new),
            "--add",
            str(more),
            "--add-baseline",
            str(more_base),
            "--margin",
            "5%",
            "--json",
        ],
    )
    found = json.loads(done.stdout)
    assert (done.exit_code, found["paired"], found["rows"][0]["runs"]) == (1, True, [13, 13])
    one = bo.check(base, new, "5%", add=[more / "1.json"], add_baseline=[more_base / "1.json"])
    assert (one.paired, one.rows[0].runs) == (True, (10, 10))


def test_a_file_missing_in_the_first_of_two_folders_is_not_that_of_the_second(tmp_path: Path) -> None:
    base = [measured(tmp_path / f"base{i}", range(6), 1.0, i) for i in range(2)]
    new = [measured(tmp_path / f"new{i}", range(6), 1.1, 5 + i) for i in range(2)]
    (new[0] / "3.json").unlink()
    found = bo.check(base, new, "5%")
    assert found.scores.run_ids is not None
    kept = set(found.scores.run_ids[0, 1]) - {None}
    assert kept == {*"01245", *(f"{i}#2" for i in range(6))}


def written(base: Path, new: Path, order: list[str]) -> set[str]:
    """The cautions, if the files of pair i were written in ``order[i]``."""
    now = 10**18
    for i, sides in enumerate(order):
        for side in sides:
            now += 10**9
            os.utime((base if side == "b" else new) / f"{i}.json", ns=(now, now))
    return codes(bo.check(base, new, "5%"))


def test_a_side_that_was_always_first_is_said(tmp_path: Path) -> None:
    base, new = measured(tmp_path / "base", range(6)), measured(tmp_path / "new", range(6), 1.0, 1)
    assert "one-side-first" in written(base, new, ["bn"] * 6)
    assert "one-side-first" in written(base, new, ["nb"] * 6)
    assert "one-side-first" not in written(base, new, ["bn", "nb"] * 3)
    for folder in (base, new):  # as a download writes them
        for i in range(6):
            os.utime(folder / f"{i}.json", ns=(10**18 + i + 100 * (folder == new),) * 2)
    assert "one-side-first" not in codes(bo.check(base, new, "5%"))


def test_few_names_in_common_are_no_pairs(tmp_path: Path) -> None:
    base, new = measured(tmp_path / "base", range(10)), measured(tmp_path / "new", range(7, 17), 1.1, 1)
    found = bo.check(base, new, "5%")
    assert (found.paired, found.rows[0].runs) == (False, (10, 10))
    assert bo.check(base, new, "5%", paired=True).rows[0].runs == (3, 3)


def test_runs_that_are_only_numbered_are_pairs_all_or_none() -> None:
    runs = np.ones((1, 2, 6)) + np.arange(6) / 50
    runs[0, 1, 5] = np.nan
    table = bo.Scores.from_cells(runs, ["old", "new"], ["p"], better="lower")
    assert not bo.check(table, table, 0.1, label=("old", "new"), scale="difference").paired
    with pytest.raises(ScoreError, match="other runs than the baseline on problem 'p'"):
        bo.check(table, table, 0.1, label=("old", "new"), scale="difference", paired=True)


def side(values: dict[str, dict[str, float]]) -> RunSet:
    """{problem: {run: score}}, of named runs."""
    series = {p: Series(ids=tuple(runs), values=tuple(runs.values())) for p, runs in values.items()}
    return RunSet(series=series, better="lower", run_kind="process", named=True)


def test_one_test_of_all_benchmarks_takes_the_runs_that_all_have() -> None:
    old, new = ({p: dict(zip("abcdef", row, strict=True)) for p, row in zip("pq", t, strict=True)} for t in RUNS)
    del new["p"]["c"], new["q"]["e"]
    found = bo.check(side(old), side(new), "5%", level="suite")
    both = ({p: {r: runs[r] for r in "abdf"} for p, runs in given.items()} for given in (old, new))
    right = bo.check(*map(side, both), "5%", level="suite")
    assert found.paired
    assert found.rows[0].interval == right.rows[0].interval


def test_a_store_takes_no_added_baseline(tmp_path: Path) -> None:
    for value in (1.0, 2.0):
        update_baseline(tmp_path / "store", RunSet(series={"p": Series(ids=("1",), values=(value,))}, better="lower"))
    with pytest.raises(ParameterError, match="needs one baseline"):
        bo.check(tmp_path / "store", {"p": [1.0]}, "5%", better="lower", add_baseline=[{"p": [1.0]}])


def test_two_runs_in_common_are_pairs_and_one_is_none() -> None:
    old = side({"p": dict(zip("abc", RUNS[0][0], strict=False))})
    for names, kept in (("abd", 2), ("ade", None)):
        new = side({"p": dict(zip(names, RUNS[1][0], strict=False))})
        if kept:
            assert bo.check(old, new, "5%", paired=True).rows[0].runs == (kept, kept)
        else:
            with pytest.raises(ScoreError, match="other runs than the baseline on problem 'p'"):
                bo.check(old, new, "5%", paired=True)
