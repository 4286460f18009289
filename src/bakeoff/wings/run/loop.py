"""The main loop: takes runs from a scheduler, has an executor perform them, and commits their outcomes.

Several problems are under way at a time, so that workers need not wait for each other. A problem's next round is
decided only after its previous one is fully committed, from the problem's own runs in the order of repetitions. So
results do not depend on which worker was faster.
"""

import contextlib
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping

from bakeoff.dataclass import dataclass, field, replace
from bakeoff.errors import RunFailedError, StoreError, plain
from bakeoff.processes.os_processes import Interruption
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.draw_order import seed_of
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.parts import ExperimentPart
from bakeoff.wings.run.executors.protocol import Executor
from bakeoff.wings.run.progress import ActiveProblem, Listener, Progress, extrapolated, seconds_remaining
from bakeoff.wings.run.schedulers import Scheduler, SchedulingDecision, scheduler_for
from bakeoff.wings.run.sequential.interim_looks import LookState
from bakeoff.wings.run.sequential.race_state import RaceState, progress_of_race
from bakeoff.wings.run.store import CommittedRun, OpenProblem, Store
from bakeoff.wings.run.store.lease import Lease

SIGNAL_INTERVAL = 0.2  # seconds between checks for signals
PROGRESS_INTERVAL = 0.1  # seconds between calls of ``progress``

RunKey = tuple[int, int, int]
_NOTHING: Mapping[RunKey, CommittedRun] = {}


@dataclass(slots=True)
class _Round:
    """A problem's runs so far, and the round under way."""

    problem: int
    number: int
    values: list[list[float]]  # of finished rounds, by algorithm, in the order of repetitions
    expected: set[RunKey] = field(default_factory=set)  # of this round, not committed
    arrived: dict[RunKey, float] = field(default_factory=dict)
    decision: SchedulingDecision | None = None


class Loop:
    """One start of an experiment, until it is done or stopped."""

    def __init__(
        self,
        experiment: Experiment,
        store: Store,
        executor: Executor,
        interruption: Interruption,
        listener: Listener | None = None,
        race: RaceState | None = None,
        lease: Lease | None = None,
        part: ExperimentPart | None = None,
    ) -> None:
        self.experiment = experiment
        self.store = store
        self.executor = executor
        self.interruption, self.listener, self.race, self.lease = interruption, listener, race, lease
        self.scheduler: Scheduler = scheduler_for(experiment) if race is None else race.scheduler
        # two per worker: none idles while its result is committed
        self.window = 1 if executor.workers <= 1 else 2 * executor.workers
        own = None if part is None else part.problems(experiment)
        self.n_problems = experiment.n_problems if own is None else len(own)
        self.pending = deque(p for p in store.open_problems() if own is None or p.problem in own)
        self.active: dict[int, _Round] = {}
        self.ready: deque[Task] = deque()
        self.in_flight: dict[RunKey, Task] = {}
        self.failure: Outcome | None = None
        self.failures: Counter[int] = Counter()  # that stop the experiment, by algorithm
        self.begun = self.shown = time.monotonic()
        self.runs_before, self.failed, reasons = store.totals()
        self.reasons = Counter(reasons)
        self.runs_here = self.retried = 0
        self.interim_looks = LookState(experiment, store) if experiment.question.sequential is not None else race
        self._look()

    def run(self) -> None:
        """Return when every problem is done; raise RunFailedError or KeyboardInterrupt when stopped, all runs kept."""
        self.interruption.on_first = self._show_stopping
        while self._fill():
            self._show()
            self._take(self.executor.wait(SIGNAL_INTERVAL))
            self.interruption.check_patience()
            if self.lease is not None:
                self.lease.renew()
        self._show(last=True)
        if self.failure is not None:
            raise RunFailedError(self._failure_message(self.failure))
        if self.interruption.requested and not self.finished:
            raise KeyboardInterrupt("stopped; the same command resumes")

    @property
    def stopping(self) -> bool:
        return self.interruption.requested or self.failure is not None

    @property
    def finished(self) -> bool:
        return self.decided or sum(self.reasons.values()) == self.n_problems

    @property
    def decided(self) -> bool:
        """Stopped by a look or a race: no more problems; runs in flight are kept but not used."""
        return self.interim_looks is not None and self.interim_looks.stopped

    def _look(self) -> None:
        if self.interim_looks is not None and self.interim_looks.look():
            self.ready, self.pending = deque(), deque()

    # --- what to run

    def _fill(self) -> bool:
        """Submit runs while there is room; False when none is in flight or left."""
        while not self.stopping and len(self.in_flight) < self.window:
            if (task := self._next_task()) is None:
                break
            if self.store.path is not None and (kept := self.store.find(task)) is not None:
                self._arrive([kept])  # another coordinator has committed it
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

    def _begin(self, problem: OpenProblem) -> None:
        """Start a problem, or resume it where it stopped."""
        kept = {run.key: run for run in self.store.kept_of(problem.problem)} if problem.round >= 0 else {}
        needed = [[(problem.problem, k, repetition) for repetition in range(n)] for k, n in enumerate(problem.counts)]
        if not all(key in kept for keys in needed for key in keys):
            name = self.experiment.problem_names[problem.problem]
            raise StoreError(f"the store is damaged: runs are missing that decisions on {name!r} depend on")
        values = [[self._score(kept[key]) for key in keys] for keys in needed]
        state = _Round(problem.problem, problem.round, values)
        self.active[problem.problem] = state
        if problem.round < 0:
            self._decide([state])
        else:
            self._enlist(state, problem.counts, problem.plan, kept)

    def _enlist(
        self,
        state: _Round,
        counts: tuple[int, ...],
        plan: tuple[int, ...],
        kept: Mapping[RunKey, CommittedRun] = _NOTHING,
    ) -> None:
        """Queue a round: the next repetitions of each algorithm in the order of the plan, unless already committed."""
        following = list(counts)
        keys: list[RunKey] = []
        for algorithm in plan:
            keys.append((state.problem, algorithm, following[algorithm]))
            following[algorithm] += 1
        state.expected, state.arrived = set(keys), {}
        self.ready.extend(self._task(key) for key in keys if key not in kept)
        self._arrive([kept[key] for key in keys if key in kept])

    def _task(self, key: RunKey) -> Task:
        e = self.experiment
        problem, algorithm, repetition = key
        seed = seed_of(e.seed, e.problem_names[problem], e.algorithm_names[algorithm], repetition)
        return Task(problem=problem, algorithm=algorithm, repetition=repetition, seed=seed)

    # --- outcomes

    def _take(self, outcomes: list[Outcome]) -> None:
        """Commit outcomes, and decide on the problems whose round is complete."""
        final: list[tuple[Outcome, int]] = []
        for outcome in outcomes:
            if self.in_flight.pop(outcome.task.key, None) is None:
                continue  # reported twice: the first report counts
            if outcome.status == "ok" or (not self.decided and self._is_final(outcome)):
                final.append((outcome, self.active[outcome.task.problem].number))
        if final:
            kept = self.store.commit(final)
            self.runs_here += len(kept)
            self.failed += sum(run.status != "ok" for run in kept)
            if not self.decided:
                self._arrive(kept)

    def _is_final(self, outcome: Outcome) -> bool:
        """Whether a failure is final. If not, the attempt is recorded, and repeated now or at the next start."""
        again = outcome.task.attempt < self.experiment.retries
        misread = outcome.unreadable and not again and self.store.is_first_result(outcome)
        if not again and self.experiment.penalty is not None and not misread:
            return True
        self.store.note_attempt(outcome)
        if again:
            self.retried += 1
            self.ready.appendleft(replace(outcome.task, attempt=outcome.task.attempt + 1))
        else:
            self.failure = self.failure or outcome
            self.failures[outcome.task.algorithm] += 1
        return False

    def _arrive(self, kept: list[CommittedRun]) -> None:
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

    def _score(self, run: CommittedRun) -> float:
        """A committed run's score for decisions: a failed run counts as the penalty."""
        if run.value is not None:
            return run.value
        penalty = self.experiment.penalty
        assert penalty is not None, "failed runs are kept only where they count as a score"
        return penalty

    def _decide(self, states: list[_Round]) -> None:
        """Decide each problem's next round, and record it before any of its runs starts."""
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
                if self.interim_looks is not None:
                    self.interim_looks.add(state.problem, state.values)
            elif not self.decided:
                self._enlist(state, decision.counts, decision.plan)
        self._look()

    # --- messages and progress

    def _failure_message(self, outcome: Outcome) -> str:
        others = self.failures - Counter([outcome.task.algorithm])
        names = self.experiment.algorithm_names
        counts = ", ".join(f"{n} of {plain(names[k])!r}" for k, n in sorted(others.items()))
        more = f" ({others.total()} more failed meanwhile: {counts})" if others else ""
        tried = f" (tried {outcome.task.attempt + 1} times)" if outcome.task.attempt else ""
        if outcome.unreadable and self.experiment.penalty is not None:
            return (
                f"{outcome.error}{tried}{more}. No score of {plain(names[outcome.task.algorithm])!r} has been read, so "
                "its command or its score= is probably wrong; this run is not counted. If it is a failure like others, "
                "run again: it then counts as on_failure= says"
            )
        return (
            f"{outcome.error}{tried}{more}. All other runs are kept. Fix the cause, then run again "
            "(with --accept-changed if you changed code); or set on_failure= to the score of a failed run"
        )

    def _show_stopping(self) -> None:
        """Called from a signal handler, possibly inside a user's algorithm; must not raise."""
        with contextlib.suppress(Exception):
            self._show(last=True)

    def _show(self, last: bool = False) -> None:
        now = time.monotonic()
        if self.listener is not None and (last or now - self.shown >= PROGRESS_INTERVAL):
            self.shown = now
            self.listener(self._progress(now - self.begun))

    def _progress(self, seconds: float) -> Progress:
        done, runs = sum(self.reasons.values()), self.runs_before + self.runs_here
        here = [*self._active_problems()]
        expected = self._expected(done, runs, sum(sum(p.counts) for p in here))
        return Progress(
            n_problems=self.n_problems,
            problems_done=done,
            runs_done=runs,
            runs_expected=expected,
            runs_here=self.runs_here,
            failed=self.failed,
            retried=self.retried,
            reasons=dict(self.reasons),
            active=tuple(here),
            seconds=seconds,
            seconds_left=seconds_remaining(expected - runs, self.runs_here, seconds),
            stopping=self.stopping and not self.finished,
            finished=self.finished,
            race=None if self.race is None else progress_of_race(self.race.scheduler),
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
        """Total runs: exact for a fixed design, otherwise extrapolated from the finished problems."""
        e = self.experiment
        if e.repetitions is None:
            assert e.runs is not None
            fixed = self.n_problems * e.runs * len(e.algorithms)
            return fixed if self.race is None else self.race.scheduler.runs_at_most
        return extrapolated(runs, under_way, done, self.n_problems, float(e.repetitions.nmax))
