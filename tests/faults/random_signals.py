"""Random signals into the process tree of a running experiment: the coordinator, the supervisor, the workers.

    PYTHONPATH=tests python -m faults.random_signals 300

An experiment that ends by its signal is started again. In the end its store is that of an experiment that nobody
disturbed: no run lost, changed or counted twice, and no process left.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import bakeoff as bo
from faults.coordinator_kills import experiment, in_a_fork, rows_of, table_of
from faults.survival import children_of, is_alive
from waiting import wait_until

SIGNALS = (
    signal.SIGKILL,
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGHUP,
    signal.SIGSEGV,
    signal.SIGSTOP,
    signal.SIGCONT,
    signal.SIGUSR1,
)


def tree_of(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for child in children_of(pid):
        found += tree_of(child)
    return found


def disturbed(seed: int, wanted: int, folder: Path) -> int:
    """Signals sent to one experiment until it is done."""
    calm, store = folder / f"{seed}-calm.sqlite", folder / f"{seed}.sqlite"
    bo.run(experiment(seed), store=calm)
    chance, sent = random.Random(seed), 0
    before: dict[tuple[int, int, int], tuple[object, ...]] = {}
    seen: set[int] = set()
    while True:
        pid = in_a_fork(lambda: bo.run(experiment(seed), store=store, executor="processes", workers=2))
        ended, status, stopped = 0, 0, set[int]()
        while not ended:
            time.sleep(chance.uniform(0.0, 0.3))
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                break
            for process in stopped:  # a stopped process would stop everything for ever
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)
            tree = tree_of(pid)
            seen |= set(tree)
            if sent < wanted:
                victim, number = chance.choice(tree), chance.choice(SIGNALS)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, number)
                    sent += 1
                    stopped = {victim} if number == signal.SIGSTOP else set()
        now = rows_of(store) if store.exists() else {}
        assert not [key for key, row in before.items() if now.get(key) != row], "lost or changed"
        before = now
        if status == 0:
            break
    assert table_of(store) == table_of(calm)
    wait_until(lambda: not any(map(is_alive, seen)))
    return sent


def main() -> None:
    wanted, sent, seed, start = int(sys.argv[1]), 0, 0, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        while sent < wanted:
            seed += 1
            sent += disturbed(seed, min(15, wanted - sent), Path(folder))
    seconds = time.monotonic() - start
    print(f"{sent} signals in {seed} experiments, {seconds:.1f} s: nothing lost, nothing changed, nothing left alive")


if __name__ == "__main__":
    main()
