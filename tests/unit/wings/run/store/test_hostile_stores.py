"""Stores that somebody has edited, and those that somebody else has made: refused or found, never obeyed."""

import csv
import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import StoreError
from bakeoff.wings.run.design.specification import canonical, digest
from bakeoff.wings.run.store.contents import read_store, scores_of
from bakeoff.wings.run.store.exporting import export_runs
from bakeoff.wings.run.store.opening import let_signals_through, sqlite_as_store_error
from bakeoff.wings.run.verification import verify_store
from racers import experiment as raced


def quiet(problem: float, rng: np.random.Generator) -> dict[str, float]:
    return {"cost": float(problem + rng.normal())}


def loud(problem: float, rng: np.random.Generator) -> dict[str, float]:
    score = float(problem + 3 * rng.normal())
    return {"cost": score, "time": 1.0}


def experiment(n: int = 6, runs: int = 3) -> bo.Experiment:
    problems = {f"p{i}": float(i) for i in range(n)}
    return bo.Experiment([quiet, loud], problems, better="lower", seed=1, runs=runs, score="cost")


def edited(store: Path, *statements: str) -> Path:
    connection = sqlite3.connect(store)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    bo.run(experiment(), tmp_path / "runs.sqlite")
    return tmp_path / "runs.sqlite"


USES: dict[str, Callable[[Path], object]] = {
    "verify": verify_store,
    "compare": lambda path: scores_of(read_store(path)),
    "export": lambda path: export_runs(read_store(path), path.with_suffix(".csv")),
    "run": lambda path: bo.run(experiment(), path),
}

# --- decisions that do not follow from the runs


def test_a_look_in_an_experiment_without_looks_is_found_and_not_obeyed(store: Path) -> None:
    edited(store, "INSERT INTO look VALUES (1, 2, 0.1, 0.2, 'stop')")
    assert verify_store(store).findings == ("1 look kept, though the experiment is not sequential: it has none",)
    assert len(scores_of(read_store(store)).problems) == 6
    assert export_runs(read_store(store), store.with_suffix(".csv")) == 36
    assert bo.run(experiment(), store).n_problems == 6


def test_equal_signed_changes_in_a_race_are_found_and_named(tmp_path: Path) -> None:
    path, asked = tmp_path / "race.sqlite", raced(n=10)
    bo.race(asked, store=path)
    assert verify_store(path).ok
    problem, algorithm = read_store(path).rows[0][:2]
    edited(path, f"UPDATE run SET value = value + 5 WHERE inst = {problem}")
    findings = verify_store(path).findings
    name, who = read_store(path).instances[problem].name, read_store(path).algorithms[algorithm]
    assert (
        f"problem {name!r}: the runs of {who!r} are not those that were committed (their checksum differs)" in findings
    )


def test_a_change_in_the_last_digit_and_swapped_values_are_found(store: Path) -> None:
    edited(store, "UPDATE run SET value = value + 1e-12 WHERE inst = 0 AND alg = 1 AND rep = 0")
    assert any("runs of 'loud'" in line and "'p0'" in line for line in verify_store(store).findings)


def test_swapped_values_of_two_repetitions_are_found(store: Path) -> None:
    one, other = (row.value for row in read_store(store).rows[:2])
    update = "UPDATE run SET value = {!r} WHERE inst = 0 AND alg = 0 AND rep = {}"
    edited(store, update.format(other, 0), update.format(one, 1))
    assert [line for line in verify_store(store).findings if "checksum" in line] == [
        "problem 'p0': the runs of 'quiet' are not those that were committed (their checksum differs)"
    ]


def test_a_run_taken_away_is_refused_on_resuming(store: Path) -> None:
    edited(store, "DELETE FROM run WHERE inst = 2 AND alg = 1 AND rep = 1")
    assert not verify_store(store).ok
    with pytest.raises(StoreError, match=r"finished problem 'p2' 1 run of 'loud' is missing"):
        bo.run(experiment(), store)


# --- values that do not belong there


def respelt(store: Path, **fields: object) -> Path:
    spec = dict(read_store(store).spec) | fields
    text = canonical(spec)
    connection = sqlite3.connect(store)
    connection.execute("UPDATE experiment SET spec_json = ?, spec_hash = ?", (text, digest(text)))
    connection.commit()
    connection.close()
    return store


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("repetitions", 5),
        ("repetitions", {"se": "x"}),
        ("runs", "many"),
        ("runs", None),
        ("better", "best"),
        ("question", []),
        ("algorithms", [1, 2]),
        ("problems", "p"),
        ("seed", None),
        ("n_problems", [3]),
        ("on_failure", "perhaps"),
        ("race", {"nonsense": 1}),
    ],
)
def test_a_description_of_the_wrong_type_is_named(store: Path, field: str, value: object) -> None:
    respelt(store, **{field: value})
    for name, use in USES.items():
        said = rf"damaged: {field} cannot be" if name != "run" else "belongs to another experiment|damaged"
        with pytest.raises(StoreError, match=said):
            use(store)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE instance SET reason = 'luck' WHERE pos = 0", r"instance\.reason cannot be 'luck'"),
        ("UPDATE instance SET name = x'00ff' WHERE pos = 0", r"instance\.name cannot be b|table instance"),
        ("UPDATE algorithm SET name = x'00ff' WHERE pos = 0", r"algorithm\.name cannot be b|table algorithm"),
        ("UPDATE instance SET n_json = '[1, \"x\"]' WHERE pos = 0", r"instance\.n_json cannot be"),
        ("INSERT INTO look VALUES (1, 2, 'much', 0.2, 'stop')", r"look\.stat cannot be 'much'"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(store: Path, statement: str, said: str) -> None:
    edited(store, statement)
    for use in USES.values():
        with pytest.raises(StoreError, match=said):
            use(store)


def test_deep_metrics_are_an_error(store: Path) -> None:
    edited(store, f"UPDATE run SET metrics = '{'[' * 100_000}' WHERE alg = 1")
    with pytest.raises(StoreError, match="damaged: RecursionError"):
        USES["export"](store)


# --- SQL of somebody else


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TRIGGER cheat AFTER INSERT ON run BEGIN UPDATE run SET value = value - 100 WHERE alg = 0; END"],
        ["CREATE VIEW cheat AS SELECT 1"],
        [
            "ALTER TABLE run RENAME TO hidden",
            "CREATE VIEW run AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
        ],
        ["CREATE VIRTUAL TABLE cheat USING fts5(a)"],
        ["CREATE INDEX cheat ON run (abs(value))"],
    ],
)
def test_sql_in_a_store_is_never_run(store: Path, statements: list[str]) -> None:
    edited(store, *statements)
    for use in USES.values():
        with pytest.raises(StoreError, match=r"which bakeoff never makes"):
            use(store)


def test_a_store_that_cannot_be_read_is_not_said_to_be_written() -> None:
    said = "unable to open database file"
    path = Path("runs.sqlite")
    wrote = "cannot be opened for writing"
    read = r"cannot be read: .*copy the store and its -wal file"
    with pytest.raises(StoreError, match=read), sqlite_as_store_error(path, reading=True):
        raise sqlite3.OperationalError(said)
    with pytest.raises(StoreError, match=wrote), sqlite_as_store_error(path):
        raise sqlite3.OperationalError(said)


@pytest.mark.slow
def test_ctrl_c_ends_a_statement_of_sqlite() -> None:
    connection = sqlite3.connect(":memory:")
    let_signals_through(connection)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), sqlite_as_store_error(None):
            connection.execute(
                "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
            ).fetchone()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    connection.close()


# --- names of files


@pytest.mark.parametrize("name", [":memory:", "file:runs?mode=memory", "file::memory:?cache=shared"])
def test_every_name_is_the_name_of_a_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R-A5: all runs were lost, though they were said to be kept."""
    monkeypatch.chdir(tmp_path)
    first = bo.run(experiment(), name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert len(read_store(Path(name)).rows) == first.n_runs


# --- exports


def test_an_exported_name_is_never_a_formula(tmp_path: Path) -> None:
    names = ["=cmd|' /C calc'!A0", "@SUM(1)", "+1", "-1", "x;=cmd", "a\x1b[2J", "b\x9b2J", "c\u202ed", 'd"e', "plain"]
    given = bo.Experiment([quiet, loud], dict.fromkeys(names, 1.0), better="lower", seed=1, score="cost")
    bo.run(given, tmp_path / "runs.sqlite")
    export_runs(read_store(tmp_path / "runs.sqlite"), tmp_path / "runs.csv")
    text = (tmp_path / "runs.csv").read_text()
    assert not set(text) & set("\x1b\x9b\u202e")
    found = list(csv.reader(text.splitlines()))
    formulas = ["'=cmd|' /C calc'!A0", "'@SUM(1)", "'+1", "'-1"]
    others = ["x;=cmd", "a\\x1b[2J", "b\\x9b2J", "c\\u202ed", 'd"e', "plain"]
    assert {row[0] for row in found[1:]} == {*formulas, *others}
    assert '"x;=cmd"' in text  # quoted, so that no locale splits it before the formula
    assert {float(row[3]) for row in found[1:]} == {run.value for run in read_store(tmp_path / "runs.sqlite").rows}


@pytest.mark.slow
def test_json_on_a_terminal_moves_no_cursor(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("p,a\x9b2J,b\u202e\n" + "".join(f"q{i},{i},{i + 1}\n" for i in range(8)))
    words = [sys.executable, "-m", "bakeoff", "compare", "s.csv", "--better", "lower", "--json"]
    said = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True, env=None).stdout.decode()
    assert not set(said) & set("\x9b\u202e")
    assert "a\x9b2J" in json.dumps(json.loads(said), ensure_ascii=False)
