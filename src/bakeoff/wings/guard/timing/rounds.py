"""The loops of a measurement: rounds of all commands until it is settled, or pairs of a gate until all are decided."""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from bakeoff.checks import choice, integer, positive
from bakeoff.dataclass import dataclass
from bakeoff.errors import RunFailedError, plain
from bakeoff.processes.os_processes import catch_signals
from bakeoff.wings.guard.timing._time_ratios import Timing, all_settled, time_ratios, timed_scores
from bakeoff.wings.guard.timing.programs import TimedCommand
from bakeoff.wings.guard.timing.stopwatch import TimedRun, time_process
from bakeoff.wings.guard.timing.store import KeptRounds, Round

Stopwatch = Callable[[TimedCommand], TimedRun]
TRIES = 3  # failed runs without any success after which a command is given up


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundProgress:
    """The state of a measurement after a round."""

    n_rounds: int
    most_rounds: int
    seconds: float  # since this start
    stopping: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeProgress(RoundProgress):
    """The state that ``progress=`` receives after each round."""

    seconds_left: float | None  # at most
    warmups: int  # still to make
    timing: Timing | None  # None: too early


@dataclass(frozen=True, slots=True)
class Stops:
    """Ends of a measurement, apart from its being settled."""

    rounds: int
    seconds: float | None
    until: str  # "decided" or "known"
    on_failure: str  # "stop" or "keep"

    def __post_init__(self) -> None:
        integer("rounds", self.rounds, 1)
        choice("until", self.until, ("decided", "known"))
        choice("on_failure", self.on_failure, ("stop", "keep"))
        if self.seconds is not None:
            positive("seconds", self.seconds)


def round_order(names: Sequence[str], design: str, seed: int, number: int) -> list[str]:
    """The order of round ``number``: a permutation drawn for it, or the mirror of the one before ("abba", even)."""
    mirrored = design == "abba" and number % 2 == 0
    stream = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number - mirrored,)))
    order = [names[j] for j in stream.permutation(len(names))]
    return order[::-1] if mirrored else order


def measure(
    commands: Sequence[TimedCommand],
    stopwatch: Stopwatch,
    judge: Callable[[Mapping[int, Round]], Timing],
    known: Mapping[int, Round],
    keep: Callable[[Round], object],
    *,
    design: str,
    seed: int,
    stops: Stops,
    warmup: int = 0,
    progress: Callable[[TimeProgress], object] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[dict[int, Round], bool]:
    """The rounds made so far and now; whether a signal ended it. A round under way is finished and kept.

    ``stopwatch`` runs a command once, ``judge`` is what decides whether to go on, ``keep`` stores a finished round.
    """
    rounds, names, by_name = dict(known), [c.name for c in commands], {c.name: c for c in commands}
    began, already = clock(), len(rounds)
    timing = judge(rounds) if _every_succeeded(rounds, names) else None

    def tell(warmups: int = 0, stopping: bool = False) -> None:
        if progress is not None:
            spent, here = clock() - began, len(rounds) - already
            left = None if not here else spent / here * max(0, stops.rounds - len(rounds))
            if left is not None and stops.seconds is not None:
                left = min(left, max(0.0, stops.seconds - spent))
            progress(
                TimeProgress(
                    n_rounds=len(rounds),
                    most_rounds=stops.rounds,
                    seconds=spent,
                    seconds_left=left,
                    warmups=warmups,
                    timing=timing,
                    stopping=stopping,
                )
            )

    with catch_signals() as interruption:
        more = not _over(rounds, timing, stops, clock() - began, design)
        for left in range(warmup if more else 0, 0, -1):
            tell(left)
            for command in commands:
                if not interruption.requested:
                    stopwatch(command)
        while not interruption.requested and not _over(rounds, timing, stops, clock() - began, design):
            number = max(rounds, default=0) + 1
            order = round_order(names, design, seed, number)
            done = Round(number=number, runs={name: stopwatch(by_name[name]) for name in order})
            rounds[number] = done
            keep(done)
            _give_up(done, rounds, stops.on_failure)
            if _every_succeeded(rounds, names):
                timing = judge(rounds)
            tell(stopping=interruption.requested)
        return rounds, interruption.requested


def _over(rounds: Mapping[int, Round], timing: Timing | None, stops: Stops, spent: float, design: str) -> bool:
    if len(rounds) >= stops.rounds or (stops.seconds is not None and spent >= stops.seconds):
        return True
    if design == "abba" and len(rounds) % 2:  # the mirror belongs to it
        return False
    return timing is not None and all_settled(timing, stops.until)


def _every_succeeded(rounds: Mapping[int, Round], names: Sequence[str]) -> bool:
    """Whether each command has a time."""
    return all(any(done.runs[name].status == "ok" for done in rounds.values()) for name in names)


def _give_up(done: Round, rounds: Mapping[int, Round], on_failure: str) -> None:
    """End at a failure, or at a command that has never succeeded."""
    for name, run in done.runs.items():
        if run.status == "ok":
            continue
        never = len(rounds) >= TRIES and all(each.runs[name].status != "ok" for each in rounds.values())
        if on_failure == "stop" or never:
            how = "has never succeeded: it " if on_failure != "stop" else ""
            advice = "" if on_failure != "stop" else "; say on_failure='keep' to go on without the times of failed runs"
            raise RunFailedError(f"{plain(name)!r} {how}{run.error} (round {done.number}){advice}")


def judged_rounds(rounds: Mapping[int, Round], names: Sequence[str], problem: str, **options: Any) -> Timing:
    """The result that the rounds give; ``options``: of ``time_ratios``."""
    times = {number: {name: run.seconds for name, run in done.runs.items()} for number, done in rounds.items()}
    order = {str(number): list(done.runs) for number, done in sorted(rounds.items())}
    return time_ratios(timed_scores(names, problem, times), order=order, **options)


def prepared_run(
    ready: Sequence[str] | None, words: Sequence[str], timeout: float | None, patterns: Mapping[str, str] | None = None
) -> TimedRun:
    """A command in a process of its own, after the preparation, whose time does not count."""
    if ready is not None and (before := time_process(ready)).status != "ok":
        return TimedRun(status="failed", seconds=None, error=f"was not run: its preparation {before.error}")
    return time_process(words, timeout, patterns)


SIDES = ("baseline", "new")
Rounds = Mapping[str, Mapping[int, Round]]
"""The finished pairs of each benchmark, by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateProgress(RoundProgress):
    """The state that ``progress=`` receives after each round."""

    n_open: int  # benchmarks that are not decided
    n_benchmarks: int


def pairs_until(
    run: Callable[[str, str], TimedRun],
    undecided: Callable[[Rounds], Sequence[str]],
    kept: KeptRounds,
    *,
    rounds: int,
    seconds: float | None,
    progress: Callable[[GateProgress], object] | None,
) -> tuple[Rounds, bool]:
    """All pairs, made so far and now; whether a signal ended it. A pair under way is finished and kept.

    ``run`` runs one side of a benchmark, ``undecided`` is asked after each round.
    """
    names, settings = list(kept.sections), next(iter(kept.sections.values())).header
    made = {name: section.rounds for name, section in kept.sections.items()}
    began, turn = time.monotonic(), max((number for each in made.values() for number in each), default=0)

    def over() -> bool:
        return interruption.requested or (seconds is not None and time.monotonic() - began >= seconds)

    with catch_signals() as interruption:
        left = {name for name in undecided(made) if len(made[name]) < rounds}
        for _, name, side in product(range(settings["warmup"] if left else 0), names, SIDES):
            run(name, side)
        while left and not over():
            turn += 1
            rng = np.random.default_rng(np.random.SeedSequence(settings["seed"], spawn_key=(turn,)))
            new_first = rng.integers(0, 2, len(names)).tolist()
            for i in rng.permutation(len(names)).tolist():
                if names[i] in left and not over():
                    kept.add(names[i], _pair(names[i], run, turn, bool(new_first[i])))
            left = {name for name in undecided(made) if len(made[name]) < rounds}
            if progress is not None:
                progress(
                    GateProgress(
                        n_rounds=max(map(len, made.values())),
                        most_rounds=rounds,
                        seconds=time.monotonic() - began,
                        n_open=len(left),
                        n_benchmarks=len(names),
                        stopping=interruption.requested,
                    )
                )
        return made, interruption.requested


def _pair(name: str, run: Callable[[str, str], TimedRun], turn: int, new_first: bool) -> Round:
    """Both sides; a baseline that fails is compared with nothing."""
    timed_round = Round(number=turn, runs={side: run(name, side) for side in (SIDES[::-1] if new_first else SIDES)})
    failed = timed_round.runs["baseline"]
    if failed.status != "ok":
        raise RunFailedError(f"the baseline of {plain(name)!r} {failed.error} (round {turn}): nothing to compare with")
    return timed_round
