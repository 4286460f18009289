"""The loop with a stopwatch that tells what we say: orders, stops, failures, and going on from a file."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ReadingError, RunFailedError, StoreError
from bakeoff.report import render
from bakeoff.wings.guard.timing.programs import timed_commands
from bakeoff.wings.guard.timing.rounds import Stops, judged_rounds, measure, round_order
from bakeoff.wings.guard.timing.stopwatch import TimedRun
from bakeoff.wings.guard.timing.store import Round, TimeStore, header, parsed_times

COMMANDS = timed_commands({"old": "old", "new": "new"}, shell=False)
NAMES = ["old", "new"]
JUDGE = partial(
    judged_rounds, names=NAMES, problem="time", control=None, alpha=0.05, precision=0.02, design="random", about={}
)
STOPS = Stops(rounds=50, seconds=None, until="decided", on_failure="stop")


class Stopwatch:
    """Seconds of each command by turns; a word instead of a number is a status."""

    def __init__(self, **times: list[Any]) -> None:
        self.times, self.calls = times, Counter[str]()
        self.log: list[str] = []

    def __call__(self, command: Any) -> TimedRun:
        told = self.times[command.name]
        said = told[self.calls[command.name] % len(told)]
        self.calls[command.name] += 1
        self.log.append(command.name)
        if isinstance(said, str):
            return TimedRun(status=said, seconds=None, error="exit code 3")  # type: ignore[arg-type]
        return TimedRun(status="ok", seconds=said)


def run(stopwatch: Stopwatch, known: Mapping[int, Round] | None = None, **more: Any) -> dict[int, Round]:
    settings: dict[str, Any] = {"design": "random", "seed": 1, "stops": STOPS} | more
    keep = settings.pop("keep", lambda done: None)
    return measure(COMMANDS, stopwatch, JUDGE, known or {}, keep, **settings)[0]


def test_it_stops_when_decided() -> None:
    stopwatch = Stopwatch(old=[2.0, 2.1, 1.9], new=[1.0, 1.1])
    assert len(run(stopwatch)) == 8  # 2⁸/9 >= 20
    assert stopwatch.calls == {"old": 8, "new": 8}


def test_it_stops_when_known_though_equal() -> None:
    stopwatch = Stopwatch(old=[1.0, 1.004, 0.996], new=[1.0, 0.996, 1.004, 1.002])
    done = run(stopwatch)
    found = JUDGE(done)
    assert found.pairs[0].verdict == "no difference shown"
    assert found.pairs[0].known
    assert len(done) < 50


def test_until_known_goes_on_after_the_decision() -> None:
    times = {"old": [2.0, 2.2, 1.8, 2.1], "new": [1.0, 1.1, 0.9]}
    decided, known = (
        len(run(Stopwatch(**times), stops=Stops(rounds=50, seconds=None, until=until, on_failure="stop")))
        for until in ("decided", "known")
    )
    assert decided < known


def test_rounds_and_seconds_are_limits() -> None:
    times = {"old": [1.0, 2.0], "new": [2.0, 1.0]}
    assert len(run(Stopwatch(**times), stops=Stops(rounds=5, seconds=None, until="decided", on_failure="stop"))) == 5
    ticks = iter(range(1000))
    stops = Stops(rounds=50, seconds=7.0, until="decided", on_failure="stop")
    assert len(run(Stopwatch(**times), stops=stops, clock=lambda: float(next(ticks)))) < 10


@pytest.mark.slow
def test_orders_are_drawn_for_each_round_and_mirrored_if_asked() -> None:
    names = ["a", "b", "c"]
    orders = [tuple(round_order(names, "random", 3, r)) for r in range(1, 1201)]
    counts = Counter(orders)
    assert len(counts) == 6
    assert all(140 < count < 260 for count in counts.values())
    assert orders == [tuple(round_order(names, "random", 3, r)) for r in range(1, 1201)]
    assert orders != [tuple(round_order(names, "random", 4, r)) for r in range(1, 1201)]
    for r in range(1, 30, 2):
        assert round_order(names, "abba", 3, r + 1) == round_order(names, "abba", 3, r)[::-1]


def test_abba_ends_with_the_mirror() -> None:
    stops = Stops(rounds=50, seconds=None, until="decided", on_failure="stop")
    judge = partial(JUDGE, design="abba")
    times = Stopwatch(old=[2.0, 2.1, 1.9], new=[1.0, 1.1])
    done, _ = measure(COMMANDS, times, judge, {}, lambda _: None, design="abba", seed=1, stops=stops)
    assert len(done) == 16
    assert judge(done).pairs[0].rounds == 8


def test_warmups_do_not_count() -> None:
    stopwatch = Stopwatch(old=[9.0, 9.0, *[2.0] * 30], new=[1.0])
    done = run(stopwatch, warmup=2)
    assert len(done) == 8
    assert stopwatch.calls["old"] == 10
    assert all(each.runs["old"].seconds == 2.0 for each in done.values())


def test_a_failure_stops_or_has_no_time() -> None:
    kept: list[Round] = []
    with pytest.raises(RunFailedError, match=r"'new' exit code 3 \(round 1\).*on_failure='keep'"):
        run(Stopwatch(old=[1.0], new=["failed"]), keep=kept.append)
    assert kept[0].runs["new"].seconds is None  # the round is on file before the refusal
    keep = Stops(rounds=12, seconds=None, until="known", on_failure="keep")
    done = run(Stopwatch(old=[2.0, "timeout", 2.1], new=[1.0, 1.05]), stops=keep)
    found = JUDGE(done)
    assert found.commands[0].failed == 4
    assert found.pairs[0].rounds == 8
    assert found.cautions[0].code == "failed-rounds"
    assert found.cautions[0].severity == "stop"
    with pytest.raises(RunFailedError, match="never succeeded"):
        run(Stopwatch(old=[1.0], new=["failed"]), stops=keep)


def head(**more: Any) -> dict[str, Any]:
    settings = {"design": "random", "seed": 1, "prepare": None, "timeout": None, "warmup": 0, "cores": None} | more
    return header("time", [{"name": name, "command": name} for name in NAMES], settings, {"cpu": "x"})


def test_a_resumed_measurement_is_the_same_as_one_in_a_go(tmp_path: Path) -> None:
    def times() -> Stopwatch:
        return Stopwatch(old=[2.0, 1.0, 2.0, 2.0, 2.1], new=[1.5, 1.4])

    whole = run(times(), stops=Stops(rounds=20, seconds=None, until="known", on_failure="stop"))
    path, stopwatch = tmp_path / "times.jsonl", times()
    for most in (7, 20):
        store = TimeStore(path, head())
        stops = Stops(rounds=most, seconds=None, until="known", on_failure="stop")
        done = run(stopwatch, store.sections["time"].rounds, keep=partial(store.add, "time"), stops=stops)
        store.close()
    assert done == whole
    (section,) = parsed_times(path.read_bytes(), str(path))
    assert section.rounds == whole


def test_half_a_line_of_a_killed_process_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "times.jsonl"
    store = TimeStore(path, head())
    done = run(Stopwatch(old=[2.0], new=[1.0]), keep=partial(store.add, "time"))
    store.close()
    content = path.read_bytes()
    for cut in (1, 25, 150):
        path.write_bytes(content[:-cut])
        (section,) = parsed_times(path.read_bytes(), str(path))
        assert len(section.rounds) == len(done) - 1
        store = TimeStore(path, head())
        assert len(store.sections["time"].rounds) == len(done) - 1
        store.add("time", done[8])
        store.close()
        assert path.read_bytes() == content


@pytest.mark.slow
def test_a_lock_that_a_killed_process_leaves_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "times.jsonl"
    store = TimeStore(path, head())
    threading.Timer(0.3, store.close).start()
    TimeStore(path, head()).close()


def test_a_file_is_one_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bakeoff.wings.guard.timing.store.PATIENCE", 0.1)
    path = tmp_path / "times.jsonl"
    store = TimeStore(path, head())
    with pytest.raises(StoreError, match="in use"):
        TimeStore(path, head())
    store.close()
    with pytest.raises(StoreError, match="design is not the same"):
        TimeStore(path, head(design="abba"))
    other = head() | {"problem": "more"}
    store = TimeStore(path, other)
    store.close()
    assert [section.header["problem"] for section in parsed_times(path.read_bytes(), str(path))] == ["time", "more"]
    TimeStore(path, other, fresh=True).close()
    assert [section.header["problem"] for section in parsed_times(path.read_bytes(), str(path))] == ["more"]
    foreign = tmp_path / "notes.txt"
    foreign.write_text("do not lose this")
    with pytest.raises(StoreError, match="no file of times"):
        TimeStore(foreign, head())
    assert foreign.read_text() == "do not lose this"


@pytest.mark.parametrize(
    "line",
    [
        '{"problem": "time", "round": 1, "runs": []}',
        '{"problem": "other", "round": 1, "runs": []}',
        '{"round": 1}',
        "[1]",
        "nonsense",
        '{"problem": "time", "round": 1, "runs": [{"algorithm": "old", "seconds": 0.1, "status": "failed"}]}',
        '{"problem": "time", "round": 1, "runs": [{"algorithm": "old", "seconds": -1, "status": "ok"}]}',
    ],
)
def test_a_damaged_file_is_refused_by_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "times.jsonl"
    TimeStore(path, head()).close()
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(ReadingError, match="line 2"):
        parsed_times(path.read_bytes(), str(path))


def test_order_and_drift_are_reported() -> None:
    slow_second = {str(r): round_order(NAMES, "random", 1, r) for r in range(1, 31)}
    times: list[list[list[float]]] = [[[], []]]
    noise = np.random.default_rng(2).normal(size=(30, 2))
    for r, order in enumerate(slow_second.values()):
        for j, name in enumerate(NAMES):
            times[0][j].append((1.2 if order.index(name) else 1.0) * (1 + 0.02 * r) * np.exp(0.05 * noise[r, j]))
    scores = bo.Scores(times, NAMES, better="lower", run_ids=[str(r) for r in range(1, 31)], run_kind="process")
    found = bo.time_ratios(scores, order=slow_second)
    assert found.order_effect is not None
    assert found.order_effect.factor == pytest.approx(1.2, abs=0.06)
    assert found.order_effect.low > 1.1
    assert found.level is not None
    assert found.level > 1.2
    assert [caution.code for caution in found.cautions] == ["order-effect"]
    assert found.pairs[0].verdict == "no difference shown"


def test_a_changed_script_is_another_measurement(tmp_path: Path) -> None:
    script, data = tmp_path / "new.py", tmp_path / "out.txt"
    script.write_text("pass")
    data.write_text("")
    (command, other) = timed_commands([["python3", "-O", str(script), str(data)], ["./tool", str(data)]], shell=False)
    before = command.described(), other.described()
    data.write_text("written by the command")
    assert (command.described(), other.described()) == before
    script.write_text("print()")
    assert command.described() != before[0]


def test_what_is_said_of_the_order_is_on_record() -> None:
    """Of times from elsewhere nobody knows in which order they were made."""
    times = [[[1.0 + 0.01 * i for i in range(9)], [1.5] * 9]]
    scores = bo.Scores(times, NAMES, better="lower")
    unknown = render(bo.time_ratios(scores), "md")
    assert "the order of the runs in a round is not on record" in unknown
    assert "If the order of each round was drawn at random, two interchangeable commands" in unknown
    assert "in random order" not in unknown
    order = {str(r): round_order(NAMES, "random", 1, r) for r in range(1, 10)}
    known = render(bo.time_ratios(scores, order=order), "md")
    assert "each command once in an order drawn at random" in known
    assert ". Two interchangeable commands" in known
