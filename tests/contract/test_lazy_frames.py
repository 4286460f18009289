"""Lazy frames larger than memory: grouped in their own engine; what comes back is what the whole table gives."""

from collections.abc import Callable
from typing import Any

import lazy_loader
import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, MissingScoreError, ReadingError
from bakeoff.reading import lazy_frames

pytestmark = pytest.mark.needs("polars", "pyarrow")
pl = lazy_loader.load("polars")
N, R = 12, 7
NAMES = [f"p{i:02}" for i in range(N)]


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is larger than memory; the runs of three problems are counted at once."""
    monkeypatch.setattr(lazy_frames, "COLLECTED", 10)
    monkeypatch.setattr(lazy_frames, "BATCH", 3 * R * 3)


def table(**more: Any) -> Any:
    rows = [(name, a, r) for name in NAMES for a in "ABC" for r in range(R)]
    score = np.random.default_rng(3).normal(size=len(rows)) * 10.0 ** np.repeat(np.arange(N) - 6, 3 * R)
    columns = zip(*rows, strict=True)
    frame = pl.DataFrame(
        {**dict(zip(("problem", "algorithm", "run"), map(list, columns), strict=True)), "score": score}
    )
    return frame.with_columns(**more)


def later() -> Any:
    return pl.when(pl.col("run") > 2)


def status() -> Any:
    timeout = pl.when((pl.col("problem") == "p03") & (pl.col("run") == 2))
    return timeout.then(pl.lit("TIMEOUT")).otherwise(pl.lit("ok"))


def cluster() -> Any:
    return pl.col("problem").str.slice(0, 2)


def in_polars(frame: Any) -> Any:
    return frame.sample(fraction=1.0, shuffle=True, seed=4).lazy()


def in_duckdb(frame: Any) -> Any:
    import duckdb

    return duckdb.connect().from_arrow(frame.sample(fraction=1.0, shuffle=True, seed=4).to_arrow())


ENGINES = [in_polars, pytest.param(in_duckdb, marks=pytest.mark.needs("duckdb"))]


def in_dask(frame: Any) -> Any:
    import dask.dataframe

    return dask.dataframe.from_pandas(frame.to_pandas(), npartitions=3)


@pytest.mark.few(2)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("missing", ["available", "worst", "drop", "keep"])
def test_cells_are_those_of_the_whole_table(engine: Callable[[Any], Any], missing: Any) -> None:
    frame = table(status=status(), cluster=cluster())
    lazy, whole = (bo.read_scores(f, "lower", missing=missing) for f in (engine(frame), frame))
    assert (lazy.problems, lazy.algorithms, lazy.clusters) == (whole.problems, whole.algorithms, whole.clusters)
    assert (lazy.dropped, lazy.filled, lazy.runs) == (whole.dropped, whole.filled, None)
    np.testing.assert_allclose(lazy.values, whole.values, rtol=1e-12, atol=1e-20)
    assert int((lazy.status == "timeout").sum()) == int((whole.status == "timeout").sum())  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of dask itself
@pytest.mark.needs("distributed")
def test_dask_in_a_local_cluster() -> None:
    import distributed

    frame = table(status=status(), cluster=cluster())
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=None):
        lazy = bo.read_scores(in_dask(frame), "lower", missing="available")
    whole = bo.read_scores(frame, "lower", missing="available")
    np.testing.assert_allclose(lazy.values, whole.values, rtol=1e-12)
    assert (lazy.problems, lazy.clusters) == (whole.problems, whole.clusters)
    assert int((lazy.status == "timeout").sum()) == 3  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_missing_is_named(engine: Callable[[Any], Any]) -> None:
    with pytest.raises(MissingScoreError, match=r"problem 'p03', algorithm 'A' \(timeout\)"):
        bo.read_scores(engine(table(status=status())), "lower")
    holes = table().filter(~((pl.col("problem") == "p01") & (pl.col("algorithm") == "B")))
    holes = holes.with_columns(score=pl.when(pl.col("run") == 1).then(float("nan")).otherwise("score"))
    assert bo.read_scores(engine(holes), "lower", missing="keep").holes.sum() == 1
    with pytest.raises(MissingScoreError, match="available"):
        bo.read_scores(engine(holes), "lower", missing="available")


@pytest.mark.few(5)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: pl.concat([f, f.tail(1)]), r"run\) must occur once; problem 'p11', algorithm 'C'"),
        (lambda f: f.drop("run"), r"each \(problem, algorithm\) must occur once; 36 occur more often"),
        (lambda f: f.with_columns(score=pl.col("score").cast(pl.String)), r"'score' holds String, not numbers"),
        (lambda f: f.with_columns(score=pl.lit(2**60)), "integers beyond"),
        (lambda f: f.with_columns(problem=pl.when(pl.col("run") > 2).then("problem")), "problem's name is empty"),
        (lambda f: f.with_columns(cluster=pl.col("run").cast(pl.String)), "in several clusters"),
        (lambda f: f.with_columns(status=pl.lit(0)), "'status' is no status"),
        (lambda f: f.with_columns(problem=later().then(pl.lit("p ")).otherwise(pl.lit("p"))), "spaces only"),
        (lambda f: f.with_columns(run=pl.when(pl.col("run") > 2).then("run")), "run's name is empty"),
        (lambda f: f.with_columns(score=later().then(float("inf")).otherwise(float("-inf"))), "both"),
    ],
)  # fmt: skip
@pytest.mark.slow_cases("<lambda>-both-duckdb")
def test_what_is_wrong_is_said(engine: Callable[[Any], Any], change: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(BakeoffError, match=said):
        bo.read_scores(engine(change(table())), "lower")


def test_runs_come_back_when_their_column_is_named() -> None:
    lazy = bo.read_scores(table().lazy(), "lower", run="run")
    whole = bo.read_scores(table(), "lower")
    assert lazy.runs is not None
    assert whole.runs is not None
    assert lazy.runs.tolist() == whole.runs.tolist()


def test_wide_and_small_frames_are_read_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = pl.DataFrame({"problem": NAMES, "B": range(N), "A": range(N)})
    assert bo.read_scores(wide.lazy(), "lower").algorithms == ("B", "A")
    monkeypatch.setattr(lazy_frames, "COLLECTED", 1000)
    assert bo.read_scores(table().lazy(), "lower").runs is not None


def test_numbers_as_names_are_in_the_order_of_their_size() -> None:
    frame = pl.DataFrame(
        {"problem": [2, 10, 1, 2, 10, 1] * 2, "algorithm": ["b"] * 6 + ["a"] * 6, "run": [1, 1, 1, 2, 2, 2] * 2}
    )
    scores = bo.read_scores(frame.with_columns(score=pl.lit(1)).lazy(), "lower")
    assert (scores.problems, scores.algorithms) == (("1", "2", "10"), ("a", "b"))
    with pytest.raises(ReadingError, match="only numbers"):
        bo.read_scores(
            frame.rename({"problem": "model", "algorithm": "task"}).with_columns(score=pl.lit(1)).lazy(), "lower"
        )
