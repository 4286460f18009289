"""One process a side is no evidence, however many benchmarks and iterations it ran."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from analysis_examples import joined
from bakeoff.ranks.cautions import one_process
from bakeoff.scores.runs import single_processes

ONE = "Cannot tell: one process per side."
TIMES = np.outer(np.arange(10.0, 30.0), [1.0, 0.9])


def lone(names: tuple[str, ...] = ("a", "b"), hosts: list[str] | None = None) -> bo.Scores:
    """Twenty benchmarks of which the second side is the faster throughout."""
    table = np.column_stack([TIMES, TIMES[:, :1] * 1.2])[:, : len(names), None]
    problems = [f"b{i}" for i in range(len(table))]
    return bo.Scores.from_cells(table, names, problems, better="lower", run_kind="iteration", hosts=hosts)


def named(*cells: list[str]) -> bo.Scores:
    """Runs of these names on each of twenty benchmarks."""
    noise = 1 + 0.01 * np.arange(len(cells[0]))
    ids = np.array([cells] * len(TIMES), dtype=object)
    return bo.Scores(TIMES[:, :, None] * noise, ["a", "b"], better="lower", run_kind="iteration", run_ids=ids)


VIEWS: dict[str, Callable[[bo.Scores], Any]] = joined("one_process")


@pytest.mark.few(6)
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_told(view: str) -> None:
    found = VIEWS[view](lone())
    assert found.verdict == ONE
    assert {pair.verdict for pair in getattr(found, "pairs", ()) if hasattr(pair, "verdict")} <= {"cannot tell"}


@pytest.mark.few(6)
@pytest.mark.parametrize("view", VIEWS)
def test_the_caution_stops_and_names_the_way_on(view: str) -> None:
    found = VIEWS[view](lone())
    said = {caution.code: caution for caution in found.cautions}["one-process"]
    assert said.severity == "stop"
    assert "bakeoff check" in said.text
    assert "bakeoff time" in said.text
    assert [caution.code for caution in found.cautions].count("one-process") == 1


@pytest.mark.few(6)
@pytest.mark.parametrize("view", VIEWS)
def test_several_processes_a_side_stand(view: str) -> None:
    found = VIEWS[view](named(["1.0", "1.1", "2.0"], ["1.0", "2.0", "2.1"]))
    assert found.verdict != ONE
    assert "one-process" not in [caution.code for caution in found.cautions]


def test_single_problems_cannot_tell() -> None:
    found = bo.per_problem(named(["0", "1", "2", "3", "4", "5", "6"], ["0", "1", "2", "3", "4", "5", "6"]))
    assert found.verdict == ONE
    assert {cell.verdict for cell in found.cells} == {"?"}


@pytest.mark.parametrize("posterior", [bo.bayes.sign_test, bo.bayes.signed_rank])
def test_a_posterior_of_two(posterior: Callable[..., Any]) -> None:
    found = posterior(lone(), "a", "b")
    assert (found.verdict, found.cautions[0].code) == ("cannot tell", "one-process")


def test_no_statement_is_accepted() -> None:
    found = bo.bayes.compare(lone())
    assert found.n_accepted == 0
    assert {statement.verdict for statement in found.statements} == {"cannot tell"}


def test_equality_of_all_is_not_judged() -> None:
    assert bo.bayes.friedman(lone(("a", "b", "c"))).verdict == "cannot tell"


def test_nobody_is_shown_to_be_best() -> None:
    assert bo.leaderboard(lone(("a", "b", "c"))).candidates == ("b", "a", "c")


def test_no_solver_wins_at_any_penalty() -> None:
    (pair,) = bo.runtimes(lone(), n_resamples=100).pairs
    assert set(pair.par_verdicts.values()) == {"cannot tell"}


def test_no_margin_is_kept() -> None:
    (pair,) = bo.compare(lone(), margin="50%").pairs
    assert pair.adjusted_equal is not None
    assert pair.adjusted_equal < 0.05
    assert pair.verdict == "cannot tell"


def test_no_size_that_would_have_been_found() -> None:
    assert "power" not in str(bo.compare(lone())).split("Methods")[0]


def test_a_pair_of_two_that_have_several() -> None:
    """Only pairs with a side of one process are untold."""
    table = np.repeat(np.column_stack([TIMES, TIMES[:, :1] * 1.2])[:, :, None], 2, axis=2)
    ids = np.array([[["1.0", "2.0"], ["1.0", "2.0"], ["0", "1"]]] * len(table), dtype=object)
    scores = bo.Scores(table, ["a", "b", "c"], better="lower", run_kind="iteration", run_ids=ids)
    found = bo.compare(scores)
    assert [pair.verdict for pair in found.pairs] == ["b better", "cannot tell", "cannot tell"]
    assert single_processes(scores).tolist() == [False, False, True]
    assert {caution.code: caution.severity for caution in found.cautions}["one-process"] == "warning"


def test_a_control_of_one_process() -> None:
    table = np.repeat(np.column_stack([TIMES, TIMES[:, :1] * 1.2])[:, :, None], 2, axis=2)
    ids = np.array([[["1.0", "2.0"], ["1.0", "2.0"], ["0", "1"]]] * len(table), dtype=object)
    scores = bo.Scores(table, ["a", "b", "c"], better="lower", run_kind="iteration", run_ids=ids)
    assert bo.compare(scores, "c").verdict == ONE


def test_a_table_with_holes() -> None:
    values = TIMES.copy()
    values[0, 0] = np.nan
    scores = bo.Scores(values, ["a", "b"], better="lower", missing="keep", run_kind="iteration")
    assert bo.compare(scores).verdict == ONE


@pytest.mark.parametrize("kind", ["seed", "split", "answer", "process", None])
def test_runs_of_another_kind_are_evidence(kind: str | None) -> None:
    assert one_process(bo.Scores(TIMES, ["a", "b"], better="lower", run_kind=kind)) is None


def test_what_stands_for_the_runs_is_still_of_one_process() -> None:
    one, two = named(["0", "1"], ["0", "1"]), named(["1.0", "2.0"], ["1.0", "2.0"])
    assert bo.compare(one.summarised("median")).verdict == ONE
    assert bo.compare(two.summarised("median")).verdict != ONE


def test_different_hosts_are_named() -> None:
    said = one_process(lone(hosts=["runner-1", "runner-2"]))
    assert said is not None
    assert "on different hosts (a: runner-1, b: runner-2)" in said.text


@pytest.mark.parametrize("hosts", [["runner-1", "runner-1"], ["runner-1", ""], None])
def test_one_host_is_no_news(hosts: list[str] | None) -> None:
    said = one_process(lone(hosts=hosts))
    assert said is not None
    assert "host (" not in said.text
    assert "hosts" not in said.text


def test_hosts_follow_their_algorithms() -> None:
    assert lone(hosts=["x", "y"]).select(["b", "a"]).hosts == ("y", "x")
    assert lone(hosts=["", ""]).hosts is None
