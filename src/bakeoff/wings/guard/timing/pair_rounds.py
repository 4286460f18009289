"""The loop of a gate: one pair of every benchmark that is not decided, in random order, until all are decided."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.errors import RunFailedError, plain
from bakeoff.processes.os_processes import catch_signals
from bakeoff.wings.guard.timing.stopwatch import TimedRun
from bakeoff.wings.guard.timing.store import Round

SIDES = ("baseline", "new")
Rounds = Mapping[str, Mapping[int, Round]]
"""Of each benchmark its finished pairs, by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateProgress:
    """What ``progress=`` is called with after each round."""

    n_rounds: int
    most_rounds: int
    seconds: float  # since this start
    n_open: int  # benchmarks that are not decided
    n_benchmarks: int
    stopping: bool


def pairs_until(
    names: Sequence[str],
    run: Callable[[str, str], TimedRun],
    undecided: Callable[[Rounds], Sequence[str]],
    known: Rounds,
    keep: Callable[[str, Round], object],
    *,
    seed: int,
    rounds: int,
    seconds: float | None,
    progress: Callable[[GateProgress], object] | None = None,
    before: Callable[[], object] = lambda: None,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[dict[str, dict[int, Round]], bool]:
    """All pairs, made so far and now; whether a signal ended it. A pair under way is finished and kept.

    ``run`` runs one side of a benchmark, ``undecided`` is asked after each round, ``keep`` stores a finished pair,
    ``before`` is called once before the first pair.
    """
    made = {name: dict(known.get(name, {})) for name in names}
    began, turn = clock(), max((number for each in made.values() for number in each), default=0)

    def over() -> bool:
        return interruption.requested or (seconds is not None and clock() - began >= seconds)

    with catch_signals() as interruption:
        left = _left(undecided(made), made, rounds)
        if left:
            before()
        while left and not over():
            turn += 1
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(turn,)))
            new_first = rng.integers(0, 2, len(names)).tolist()
            for i in rng.permutation(len(names)).tolist():
                if names[i] in left and not over():
                    made[names[i]][turn] = pair = _pair(names[i], run, turn, bool(new_first[i]))
                    keep(names[i], pair)
            left = _left(undecided(made), made, rounds)
            if progress is not None:
                progress(
                    GateProgress(
                        n_rounds=max(map(len, made.values())),
                        most_rounds=rounds,
                        seconds=clock() - began,
                        n_open=len(left),
                        n_benchmarks=len(names),
                        stopping=interruption.requested,
                    )
                )
        return made, interruption.requested


def _left(open_ones: Sequence[str], made: Rounds, rounds: int) -> set[str]:
    return {name for name in open_ones if len(made[name]) < rounds}


def _pair(name: str, run: Callable[[str, str], TimedRun], turn: int, new_first: bool) -> Round:
    """Both sides; a baseline that fails is compared with nothing."""
    timed_round = Round(number=turn, runs={side: run(name, side) for side in (SIDES[::-1] if new_first else SIDES)})
    failed = timed_round.runs["baseline"]
    if failed.status != "ok":
        raise RunFailedError(f"the baseline of {plain(name)!r} {failed.error} (round {turn}): nothing to compare with")
    return timed_round
