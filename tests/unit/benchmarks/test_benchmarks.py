"""The benchmarks run, report what they find, and judge goals correctly. No test here asserts a time."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.errors import TooLargeError
from benchmarks import children, wording
from benchmarks.cases import BENCHMARKS
from benchmarks.command import main
from benchmarks.heavy import peak_memory
from benchmarks.machine import machine, machine_line
from benchmarks.model import Case, Figure, Peer, PeerFigure, Run, at_most, faster
from benchmarks.page import HEAD, page
from benchmarks.timing import measured

ROOT = Path(__file__).parents[3]


def nothing() -> Run:
    return lambda: None


def failing() -> Run:
    raise RuntimeError("no luck")


CASE = Case(name="nothing", make=nothing, goals=(at_most(60.0),), rounds=3, short=True)


# --- the command --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_two_cheap_benchmarks_run(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = CliRunner().invoke(main, ["hommel", "shaffer", "--short", "--json", str(file)])
    assert done.exit_code == 0, done.output
    assert "m = 1,000:" in done.output
    found = json.loads(file.read_text())
    assert {f["benchmark"] for f in found["figures"]} == {"hommel", "shaffer"}
    assert all(f["value"] > 0 and f["least"] <= f["value"] <= f["most"] for f in found["figures"])
    assert found["machine"]["Python"]


@pytest.mark.slow
def test_json_to_standard_output_is_json_alone() -> None:
    done = CliRunner().invoke(main, ["hommel", "--short", "--json", "-"])
    assert [f["figure"] for f in json.loads(done.output)["figures"]] == ["m = 1,000"]


@pytest.mark.slow
def test_one_family_is_measured_again_and_the_others_are_kept(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    run = CliRunner().invoke
    assert run(main, ["hommel", "shaffer", "--short", "--json", str(first)]).exit_code == 0
    done = run(main, ["hommel", "--short", "--keep", str(first), "--json", str(second)])
    assert done.exit_code == 0, done.output
    old, new = (json.loads(file.read_text())["figures"] for file in (first, second))
    assert [f for f in old if f["benchmark"] == "shaffer"] == [f for f in new if f["benchmark"] == "shaffer"]
    assert [f["benchmark"] for f in new] == ["shaffer", "hommel"]
    data = json.loads(first.read_text())
    first.write_text(json.dumps({**data, "machine": {**data["machine"], "Python": "2.7"}}))
    done = run(main, ["hommel", "--short", "--keep", str(first)])
    assert done.exit_code == 2
    assert "another Python" in done.output


def test_an_unknown_benchmark_is_refused_with_the_nearest_name() -> None:
    done = CliRunner().invoke(main, ["homel"])
    assert done.exit_code == 2
    assert "did you mean 'hommel'?" in done.output


@pytest.mark.parametrize("extra", [["hommel", "--peers"], ["--short", "--peers"], []])
def test_the_page_is_written_by_a_whole_run_only(extra: list[str], tmp_path: Path) -> None:
    target = tmp_path / "page.md"
    done = CliRunner().invoke(main, ["--write", str(target), *extra])
    assert done.exit_code == 2
    assert not target.exists()


def test_a_case_that_cannot_be_computed_ends_with_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(BENCHMARKS["hommel"], cases=(Case(name="broken", make=failing, short=True),))
    monkeypatch.setitem(BENCHMARKS, "hommel", broken)
    done = CliRunner().invoke(main, ["hommel", "--short"])
    assert done.exit_code == 1
    assert "RuntimeError: no luck" in done.output


# --- the list -----------------------------------------------------------------------------------------------------


def test_every_promise_has_figures_with_goals_and_a_short_one() -> None:
    assert [b.item for b in BENCHMARKS.values()] == list(range(1, len(BENCHMARKS) + 1))
    for benchmark in BENCHMARKS.values():
        assert any(case.goals for case in benchmark.cases)
        assert any(case.short for case in benchmark.cases), f"{benchmark.name}: nothing for the short mode"
        assert max(Counter(case.name for case in benchmark.cases).values()) == 1
        for case in benchmark.cases:
            assert (case.make is None) != (case.measure is None), case.name
            named = {peer.name for peer in case.peers}
            assert {goal.peer for goal in case.goals if goal.peer} <= named, case.name


# --- measuring ----------------------------------------------------------------------------------------------------


def test_a_median_of_counted_rounds() -> None:
    figure = measured(CASE)
    assert figure.met is True
    assert 1 <= figure.rounds <= 4
    assert figure.least is not None
    assert figure.value is not None
    assert figure.least <= figure.value


def test_absent_and_broken_peers_are_named_and_do_no_harm() -> None:
    absent = Peer(name="absent", package="no_such_package_here", make=nothing)
    broken = Peer(name="broken", make=failing)
    late = Peer(name="late", make=lambda: lambda: 1 // 0)
    figure = measured(replace(CASE, peers=(absent, broken, late), goals=(faster(2, "absent"),)))
    assert [peer.note for peer in figure.peers] == [
        "not installed: skipped",
        "skipped: RuntimeError: no luck",
        "failed: ZeroDivisionError: integer division or modulo by zero",
    ]
    assert figure.value is not None
    assert figure.met is None
    assert wording.verdict(figure) == "not judged"


def test_without_peers_a_goal_against_one_is_not_judged() -> None:
    figure = measured(replace(CASE, goals=(faster(2, "slow"),), peers=(Peer(name="slow", make=nothing),)), False)
    assert figure.peers == ()
    assert figure.met is None


def test_a_refusal_is_a_missed_goal_not_a_failure() -> None:
    def refuse() -> float:
        raise TooLargeError("too large, at most 18")

    figure = measured(replace(CASE, make=None, measure=refuse))
    assert figure.met is False
    assert not figure.broken
    assert "refused: too large, at most 18" in wording.missed_sentence(figure)


def test_a_needed_package_that_is_absent() -> None:
    figure = measured(replace(CASE, needs="no_such_package_here"))
    assert figure.met is None
    assert "not installed" in figure.note


def test_memories_are_emptied_before_a_sample() -> None:
    from bakeoff.adjusting.shaffer import possible_counts
    from benchmarks.timing import clear_caches

    bo.adjust_pairwise([[1.0, 0.1], [0.1, 1.0]], "shaffer")
    assert possible_counts.cache_info().currsize
    clear_caches()
    assert not possible_counts.cache_info().currsize


def test_the_accelerator_is_off_only_while_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.delenv("BAKEOFF_ACCELERATOR", raising=False)

    def look() -> float:
        return float(os.environ.get("BAKEOFF_ACCELERATOR") == "off")

    assert measured(Case(name="off", measure=look, unit="", accelerator=False)).value == 1.0
    assert measured(Case(name="on", measure=look, unit="")).value == 0.0
    assert "BAKEOFF_ACCELERATOR" not in os.environ


def test_a_child_that_fails_says_why() -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        children.run_python("-c", "1 / 0")


def test_memory_of_this_process() -> None:
    peak = peak_memory()
    assert peak is None or peak > 10_000_000


# --- judging and words --------------------------------------------------------------------------------------------


def figure(value: float, peer: float, **goal: float) -> Figure:
    goals = (at_most(goal["limit"]),) if "limit" in goal else (faster(goal["factor"], "peer"),)
    case = replace(CASE, goals=goals, why="so it is")
    return Figure(case=case, value=value, peers=(PeerFigure(name="peer", value=peer, recorded=False, note=""),))


@pytest.mark.parametrize(
    ("shown", "met"),
    [
        (figure(0.3, 1.0, limit=0.3), True),
        (figure(0.31, 1.0, limit=0.3), False),
        (figure(1.0, 150.0, factor=150), True),
        (figure(1.0, 149.0, factor=150), False),
        (figure(1.5, 1.0, factor=1 / 1.5), True),
        (figure(1.6, 1.0, factor=1 / 1.5), False),
    ],
)
def test_goals_are_judged(shown: Figure, met: bool) -> None:
    assert shown.met is met


def test_a_busy_machine_is_told_apart_from_a_slow_routine() -> None:
    busy = replace(figure(1.0, 149.0, limit=0.5), cpu=0.3)
    assert busy.met is False
    assert busy.met_by_cpu
    assert wording.verdict(busy) == "missed by the clock, met by CPU"
    assert "and gave this 300 ms of processor time, which meets the target" in wording.missed_sentence(busy)
    assert not replace(busy, cpu=0.6).met_by_cpu
    ratio = replace(figure(1.0, 149.0, factor=150), cpu=0.3)
    assert not ratio.met_by_cpu, "the peer's processor time is not known"
    assert replace(ratio, peers=(replace(ratio.peers[0], cpu=46.0),)).met_by_cpu
    assert not replace(ratio, peers=(replace(ratio.peers[0], cpu=40.0),)).met_by_cpu


def test_a_missed_goal_says_so_and_why() -> None:
    sentence = wording.missed_sentence(figure(1.0, 149.0, factor=150))
    assert sentence == "Missed: nothing: the target is ≥ 150 × peer; measured 1.00 s, 149 × peer. Why: so it is."


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0000123, "12.3 µs"),
        (0.0931, "93.1 ms"),
        (0.9999, "1.00 s"),
        (37.0, "37.0 s"),
        (0.1234, "123 ms"),
        (261.4, "261 s"),
    ],
)
def test_seconds_in_three_digits(value: float, text: str) -> None:
    assert wording.seconds(value) == text


def test_the_page_tells_everything_and_names_no_machine() -> None:
    where = {"CPU": "a CPU", "cores": "2", "system": "Linux", "Python": "3.11", "numpy": "2", "scipy": "1"}
    where |= dict.fromkeys(("numba", "statsmodels", "bottleneck", "scikit-posthocs", "autorank"), "not installed")
    text = page({"hommel": [figure(1.0, 149.0, factor=150), figure(1.0, 9.0, limit=2.0)]}, where)
    assert "1 of 2 met" in text
    assert "* **Missed**: nothing: the target is ≥ 150 × peer" in text
    assert "a CPU, 2 cores" in text
    assert re.search(r"\| nothing \| ≤ 2 s \| 1.00 s \| peer 9.00 s, 9 × \| met \|", text)


def test_the_machine_line_has_no_host_name_and_no_path() -> None:
    import platform

    line = machine_line(machine())
    assert "/" not in line.replace("n/a", "")
    assert len(platform.node()) < 4 or platform.node() not in line


def test_a_benchmark_lives_in_the_file_of_its_name() -> None:
    files = {p.stem.replace("_", "-") for p in (ROOT / "benchmarks" / "cases").glob("*.py")} - {"--init--"}
    assert files == set(BENCHMARKS)


def test_the_page_has_the_current_text() -> None:
    """Everything but the measured numbers."""
    stored = (ROOT / "docs" / "trust" / "performance.md").read_text()
    assert HEAD.rstrip("\n") in stored
    for benchmark in BENCHMARKS.values():
        assert f"## {benchmark.item}. {benchmark.title}\n" in stored
        assert f"\n{benchmark.about} (`python -m benchmarks {benchmark.name}`)\n" in stored
        assert all(f"| {case.name} |" in stored for case in benchmark.cases)
