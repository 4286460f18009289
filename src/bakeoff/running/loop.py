"""The loop, the only one: takes runs from schedulers, has an executor perform them, and commits what comes back.

Several problems are under way at a time, so that workers need not wait for each other; but a problem's next round is
decided only when its last one is committed whole, on nothing but the problem's own runs in the order of repetitions.
So which worker was faster can never be seen in a result.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from bakeoff.errors import RunFailedError, StoreError
from bakeoff.running.cell import Outcome, Task
from bakeoff.running.design.experiment import Experiment
from bakeoff.running.design.seeds import seed_of
from bakeoff.running.executors.protocol import Executor
from bakeoff.running.interruption import Interruption
from bakeoff.running.progress import ActiveProblem, Listener, Progress, left
from bakeoff.running.schedulers import Decision, Scheduler
from bakeoff.running.sequential.look_state import Looks
from bakeoff.running.sequential.race_state import KeptRace
from bakeoff.running.store import Kept, Open, Store

WAIT = 0.2  # seconds until signals are looked at again
PICTURES = 0.1  # seconds between two calls of ``progress``

Key = tuple[int, int, int]
_NOTHING: Mapping[Key, Kept] = {}


@dataclass(slots=True)
class _Round:
    """A problem's runs so far, and the round under way."""

    problem: int
    number: int
    values: list[list[float]]  # of finished rounds, by algorithm, in the order of repetitions
    expected: set[Key] = field(default_factory=set)  # of this round, not committed
    arrived: dict[Key, float] = field(default_factory=dict)
    decision: Decision | None = None


class Loop:
    """One start of an experiment, until it is done or stopped."""

    def __init__(
        self,
        experiment: Experiment,
        store: Store,
        executor: Executor,
        interruption: Interruption,
        listener: Listener | None = None,
        race: KeptRace | None = None,
    ) -> None:
        self.experiment = experiment
        self.store = store
        self.executor = executor
        self.interruption, self.listener, self.race = interruption, listener, race
        self.scheduler: Scheduler = experiment.scheduler if race is None else race.heats
        self.window = 1 if executor.workers <= 1 else 2 * executor.workers  # none idles while its result is committed
        self.pending = deque(store.open_problems())
        self.active: dict[int, _Round] = {}
        self.ready: deque[Task] = deque()
        self.in_flight: dict[Key, Task] = {}
        self.failure: Outcome | None = None
        self.n_failures = 0
        self.begun = self.shown = time.monotonic()
        self.runs_before, self.failed, reasons = store.totals()
        self.reasons = Counter(reasons)
        self.runs_here = self.retried = 0
        self.looks = Looks(experiment, store) if experiment.question.sequential is not None else race
        self._look()

    def run(self) -> None:
        """Returns when every problem is done; raises RunFailedError or KeyboardInterrupt when stopped, all kept."""
        self.interruption.tell = self._answer
        while self._fill():
            self._show()
            self._take(self.executor.wait(WAIT))
        self._show(last=True)
        if self.failure is not None:
            raise RunFailedError(self._what_failed(self.failure))
        if self.interruption.asked and not self.finished:
            raise KeyboardInterrupt("stopped; the same command goes on")

    @property
    def stopping(self) -> bool:
        return self.interruption.asked or self.failure is not None

    @property
    def finished(self) -> bool:
        return self.decided or sum(self.reasons.values()) == self.experiment.n_problems

    @property
    def decided(self) -> bool:
        """By a look: no more problems; what is in flight is kept, and not looked at."""
        return self.looks is not None and self.looks.stopped

    def _look(self) -> None:
        if self.looks is not None and self.looks.look():
            self.ready, self.pending = deque(), deque()

    # --- what to run

    def _fill(self) -> bool:
        """Hand out runs while there is room; False when none is under way and none is left."""
        while not self.stopping and len(self.in_flight) < self.window:
            if (task := self._next_task()) is None:
                break
            if self.store.path is not None and (kept := self.store.find(task)) is not None:
                self._arrive([kept])  # another coordinator has done it
                continue
            self.in_flight[task.key] = task
            self.executor.submit(task)
        return bool(self.in_flight)

    def _next_task(self) -> Task | None:
        while not self.ready:
            if not self.pending or (self.race is not None and not self.race.may_begin(self.pending[0].problem)):
                return None
            self._begin(self.pending.popleft())
        return self.ready.popleft()

    def _begin(self, found: Open) -> None:
        """Take up a problem where it was left."""
        kept = {run.key: run for run in self.store.kept_of(found.problem)} if found.round >= 0 else {}
        needed = [[(found.problem, k, repetition) for repetition in range(n)] for k, n in enumerate(found.counts)]
        if not all(key in kept for keys in needed for key in keys):
            name = self.experiment.problem_names[found.problem]
            raise StoreError(f"the store is damaged: runs are missing that decisions on {name!r} rest on")
        values = [[self._score(kept[key]) for key in keys] for keys in needed]
        state = _Round(found.problem, found.round, values)
        self.active[found.problem] = state
        if found.round < 0:
            self._decide([state])
        else:
            self._enlist(state, found.counts, found.plan, kept)

    def _enlist(
        self, state: _Round, counts: tuple[int, ...], plan: tuple[int, ...], kept: Mapping[Key, Kept] = _NOTHING
    ) -> None:
        """A round's runs: the next repetitions of each algorithm, in the order of the plan; some may be there."""
        following = list(counts)
        keys: list[Key] = []
        for algorithm in plan:
            keys.append((state.problem, algorithm, following[algorithm]))
            following[algorithm] += 1
        state.expected, state.arrived = set(keys), {}
        self.ready.extend(self._task(key) for key in keys if key not in kept)
        self._arrive([kept[key] for key in keys if key in kept])

    def _task(self, key: Key) -> Task:
        e = self.experiment
        problem, algorithm, repetition = key
        seed = seed_of(e.seed, e.problem_names[problem], e.algorithm_names[algorithm], repetition)
        return Task(problem=problem, algorithm=algorithm, repetition=repetition, seed=seed)

    # --- what came back

    def _take(self, outcomes: list[Outcome]) -> None:
        """Commit, and go on with the problems whose round is complete."""
        final: list[tuple[Outcome, int]] = []
        for outcome in outcomes:
            if self.in_flight.pop(outcome.task.key, None) is None:
                continue  # reported twice: the first report counted
            if outcome.status == "ok" or (not self.decided and self._is_final(outcome)):
                final.append((outcome, self.active[outcome.task.problem].number))
        if final:
            kept = self.store.commit(final)
            self.runs_here += len(kept)
            self.failed += sum(run.status != "ok" for run in kept)
            if not self.decided:
                self._arrive(kept)

    def _is_final(self, outcome: Outcome) -> bool:
        """Does this failed run stay so? Otherwise it is noted, and tried again now or at the next start."""
        again = outcome.task.attempt < self.experiment.retries
        if not again and self.experiment.penalty is not None:
            return True
        self.store.note_attempt(outcome)
        if again:
            self.retried += 1
            self.ready.appendleft(replace(outcome.task, attempt=outcome.task.attempt + 1))
        else:
            self.failure = self.failure or outcome
            self.n_failures += 1
        return False

    def _arrive(self, kept: list[Kept]) -> None:
        complete = []
        for run in kept:
            state = self.active[run.key[0]]
            state.expected.discard(run.key)
            state.arrived[run.key] = self._score(run)
            if not state.expected:
                complete.append(state)
        for state in complete:
            for key in sorted(state.arrived):  # by algorithm and repetition
                state.values[key[1]].append(state.arrived[key])
        self._decide(complete)

    def _score(self, run: Kept) -> float:
        """A kept run as decisions see it: a failed one counts as the penalty."""
        if run.value is not None:
            return run.value
        penalty = self.experiment.penalty
        assert penalty is not None, "failed runs are kept only where they count as a score"
        return penalty

    def _decide(self, states: list[_Round]) -> None:
        """The next round of each problem, recorded before any of its runs is made."""
        decided = []
        for state in states:
            state.number += 1
            name = self.experiment.problem_names[state.problem]
            state.decision = self.scheduler.decide(name, state.values)
            decided.append((state.problem, state.number, state.decision))
        if decided:
            self.store.decide_all(decided)
        for state in states:
            decision = state.decision
            assert decision is not None
            if decision.done:
                self.reasons[decision.reason] += 1
                del self.active[state.problem]
                if self.looks is not None:
                    self.looks.add(state.problem, state.values)
            elif not self.decided:
                self._enlist(state, decision.counts, decision.plan)
        self._look()

    # --- what is said

    def _what_failed(self, outcome: Outcome) -> str:
        more = f" ({self.n_failures - 1} more failed meanwhile)" if self.n_failures > 1 else ""
        tried = f" (tried {outcome.task.attempt + 1} times)" if outcome.task.attempt else ""
        return (
            f"{outcome.error}{tried}{more}. All other runs are kept. Mend it and start again, or say what a failed run "
            "counts as (on_failure=)"
        )

    def _answer(self) -> None:
        """To a signal, while somebody's algorithm may be running: nothing of ours may fail in it."""
        with contextlib.suppress(Exception):
            self._show(last=True)

    def _show(self, last: bool = False) -> None:
        now = time.monotonic()
        if self.listener is not None and (last or now - self.shown >= PICTURES):
            self.shown = now
            self.listener(self._picture(now - self.begun))

    def _picture(self, seconds: float) -> Progress:
        e = self.experiment
        done, runs = sum(self.reasons.values()), self.runs_before + self.runs_here
        here = [*self._active_problems()]
        expected = self._expected(done, runs, sum(sum(p.counts) for p in here))
        return Progress(
            n_problems=e.n_problems,
            problems_done=done,
            runs_done=runs,
            runs_expected=expected,
            runs_here=self.runs_here,
            failed=self.failed,
            retried=self.retried,
            reasons=dict(self.reasons),
            active=tuple(here),
            seconds=seconds,
            seconds_left=left(expected - runs, self.runs_here, seconds),
            stopping=self.stopping and not self.finished,
            finished=self.finished,
            race=None if self.race is None else self.race.picture(),
        )

    def _active_problems(self) -> Iterator[ActiveProblem]:
        for state in self.active.values():
            counts = [len(sample) for sample in state.values]
            for _, algorithm, _ in state.arrived:
                counts[algorithm] += 1
            yield ActiveProblem(
                name=self.experiment.problem_names[state.problem],
                counts=tuple(counts),
                waiting=len(state.expected),
                standard_error=None if state.decision is None else state.decision.standard_error,
            )

    def _expected(self, done: int, runs: int, under_way: int) -> float:
        """Runs in all: exact if fixed; else the other problems are taken to need what the finished ones did."""
        e = self.experiment
        if e.repetitions is None:
            assert e.runs is not None
            return e.n_problems * e.runs * len(e.algorithms) if self.race is None else self.race.heats.runs_at_most
        each = (runs - under_way) / done if done else float(e.repetitions.nmax)
        return max(runs, runs - under_way + (e.n_problems - done) * each)
