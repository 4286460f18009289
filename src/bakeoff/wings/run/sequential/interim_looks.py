"""Interim looks of an experiment: the test of a pair, boundaries that keep the error rate alpha, and what is stored.

Every look sees the first n problems in the order drawn, all of them finished, never the order of completion. Each pair
gets a p-value that is valid however often one looks:

group: with z_k the normal score of the test's p-value at look k (share f_k of the problems), O'Brien–Fleming's test
rejects when |z_k|·√f_k ≥ c(α) at some look. The smallest such α is p = P(max_k |W(f_k)| ≥ max_k |z_k|·√f_k), W a
Brownian motion, the maximum on the right over the looks made.

anytime: p = 1/sup e over all problems so far, e the e-process of the test (Ville's inequality).

Several pairs are corrected by Holm; the experiment stops when all are decided.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff import special
from bakeoff.adjusting import adjust
from bakeoff.dataclass import dataclass
from bakeoff.errors import BakeoffError, ScoreError
from bakeoff.paired import PairedTResult, SignTestResult, WilcoxonResult, paired_t, sign_test, wilcoxon
from bakeoff.paired.differences import directions, less_null, paired_differences
from bakeoff.scores import Array, Better, Scores, read_only
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.settings import FRACTIONS, Question, Statistic, question_in
from bakeoff.wings.run.racing.group_boundaries import crossing
from bakeoff.wings.run.racing.pair_evidence import log_e_sign, log_e_signed_rank, log_e_two_point
from bakeoff.wings.run.schedulers.decision import Values
from bakeoff.wings.run.schedulers.score_table import can_be_measured, table_of
from bakeoff.wings.run.store import Store
from bakeoff.wings.run.store.contents import Contents, StoredLook, contents, stored_statistic

# The test chosen in the question, on one pair's differences over the problems, and the e-process that goes with it.
#
# On problem j the difference is that of bakeoff.plan.differences, with the sign turned so that it is positive where a
# is better: (7) and (13) of Campelo & Takahashi (2019). Percent differences are differences of scores divided by the
# reference, log ratios differences of logarithms, so the tests on tables, and their tolerance for ties, serve all.


METHOD_NAME = "The test of an experiment"
TestResult = PairedTResult | WilcoxonResult | SignTestResult


def compared_scores(scores: Scores, question: Question) -> Scores:
    """The scores that the tests compare: as they are, divided by their problem's reference, or logarithms.

    The reference is the mean of the control, of the first of two algorithms, or of all means where all pairs of three
    or more are compared. A problem whose reference is not positive has no percent differences and is dropped. A score
    without a logarithm is refused: it belongs to the best or the worst algorithm.
    """
    if question.kind.relative:
        return _divided(scores, question)
    return _logarithms(scores, question) if question.kind.logs else scores


def _divided(scores: Scores, question: Question) -> Scores:
    means = scores.values
    if question.control is not None:
        reference = means[:, scores.index(question.control)]
    else:
        with np.errstate(over="ignore"):
            reference = means[:, 0] if means.shape[1] == 2 else means.mean(axis=1)
    usable = (reference > 0) & np.isfinite(reference)
    with np.errstate(over="ignore"):
        divided = _cells(scores)[usable] / reference[usable, None, None]
    return _with_cells(scores, divided, usable)


def _logarithms(scores: Scores, question: Question) -> Scores:
    """Take logarithms, raised so that none is below 1: differences tie within the precision of the scores."""
    cells, every = _cells(scores), np.ones(scores.n_problems, dtype=bool)
    logs = np.empty_like(cells)
    for i, problem in enumerate(scores.problems):
        try:
            row = question.kind.measured(cells[i])
        except ScoreError as error:
            raise error.at(f"problem {problem!r}") from None
        logs[i] = row + (1.0 - min(float(np.nanmin(row)), 1.0))
    return _with_cells(scores, logs, every)


def _cells(scores: Scores) -> Array:
    return scores.values[:, :, None] if scores.runs is None else scores.runs


def _with_cells(scores: Scores, cells: Array, usable: npt.NDArray[np.bool_]) -> Scores:
    """``cells`` are those of the usable problems; the others are dropped."""
    names = np.array(scores.problems, dtype=object)
    return Scores.from_cells(
        cells,
        scores.algorithms,
        names[usable].tolist(),
        better=scores.better,
        dropped=(*scores.dropped, *names[~usable].tolist()),
        source_sha256=scores.source_sha256,
        clusters=None
        if scores.clusters is None
        else [c for c, use in zip(scores.clusters, usable, strict=True) if use],
    )


def pair_differences(scores: Scores, a: int, b: int, question: Question) -> Array:
    """(n,) positive where a is better, exactly 0 where tied; ±1 for the sign test, which bears infinite scores.

    The signs are those of the differences less the null value.
    """
    if question.test == "sign":
        return directions(scores, a, b, question.null_difference).astype(np.float64)
    return paired_differences(scores, a, b, METHOD_NAME).values


def beyond_null(scores: Scores, a: int, b: int, question: Question) -> Array:
    """The same less the difference under the null hypothesis, exactly 0 where they are it."""
    if question.test == "sign":
        return pair_differences(scores, a, b, question)
    return less_null(paired_differences(scores, a, b, METHOD_NAME), question.null_difference).values


def chosen_test(scores: Scores, a: int, b: int, question: Question) -> TestResult:
    """The test chosen in advance."""
    null, alternative = question.null_difference, question.alternative
    if question.test == "t":
        level = 1 - question.alpha
        return paired_t(scores, a, b, alternative=alternative, confidence_level=level, null_value=null)
    if question.test == "wilcoxon":
        return wilcoxon(scores, a, b, alternative=alternative, null_value=null)
    return sign_test(scores, a, b, alternative=alternative, null_value=null)


def log_evidence(x: Array, question: Question) -> Array:
    """(n,) logarithm of the e-process that goes with the test, after 1, 2, …, n differences in their order.

    ``x``: less the difference under the null hypothesis.
    """
    if question.test == "t":
        return log_e_two_point(x, question.effect_size)
    return log_e_signed_rank(x) if question.test == "wilcoxon" else log_e_sign(x)


EVERY = 100  # an anytime rule looks after every problem up to 2 EVERY, after every 2nd up to 4 EVERY, …


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at the first ``n`` problems."""

    number: int  # 1, 2, …
    n: int
    pvalues: Array  # (n_pairs,) valid however often one looks
    adjusted: Array  # (n_pairs,) the same after Holm
    nominal: Array  # (n_pairs,) group: the test's own p-value at this look; anytime: 1/e now
    threshold: float  # alpha
    stop: bool  # every pair is decided, and problems are left

    @property
    def statistic(self) -> float:
        """The largest adjusted p-value: stop when it is at most the threshold."""
        return float(self.adjusted.max())


def look_sizes(question: Question, n_problems: int) -> tuple[int, ...]:
    """The numbers of problems at which to look; the last is the end."""
    if question.sequential is None:
        return ()
    if question.sequential == "group":
        return tuple(sorted({max(2, math.ceil(f * n_problems)) for f in FRACTIONS if n_problems >= 2} | {n_problems}))
    return tuple(_anytime_sizes(n_problems))


def _anytime_sizes(n_problems: int) -> Iterator[int]:
    n = 2
    while n < n_problems:
        yield n
        step = 1 << max(0, (n // EVERY).bit_length() - 1)
        n = n + step - n % step
    yield n_problems


def look(
    number: int,
    n: int,
    evidence: Sequence[tuple[float, float]],
    question: Question,
    n_problems: int,
    before: Look | None,
) -> Look:
    """``evidence`` holds, for each pair, the p-value valid at all looks and the one of this look alone."""
    pvalues = np.array([p for p, _ in evidence])
    if before is not None:
        pvalues = np.minimum(pvalues, before.pvalues)
    adjusted = adjust(pvalues, "holm") if len(pvalues) > 1 else pvalues.copy()
    return Look(
        number=number,
        n=n,
        pvalues=read_only(pvalues),
        adjusted=read_only(adjusted),
        nominal=read_only(np.array([nominal for _, nominal in evidence])),
        threshold=question.alpha,
        stop=bool(adjusted.max() <= question.alpha) and n < n_problems,
    )


def group_evidence(
    ordered: Scores | None, n: int, question: Question, n_pairs: int, n_problems: int
) -> list[tuple[float, float]]:
    """``ordered`` holds what can be compared of the first n problems; 1 where a test cannot be computed."""
    if ordered is None:
        return [(1.0, 1.0)] * n_pairs
    evidence = []
    for a, b in question.pairs(ordered.algorithms):
        try:
            test = chosen_test(compared_scores(ordered, question), a, b, question)
        except BakeoffError:
            evidence.append((1.0, 1.0))
        else:
            p = group_pvalue(test.log_pvalue, n, question, n_problems)
            evidence.append((p, test.pvalue))
    return evidence


def anytime_evidence(differences: Sequence[Array | None], question: Question) -> list[tuple[float, float]]:
    """``differences`` of each pair, in the order of drawing; None where they cannot be computed."""
    evidence = []
    for x in differences:
        log_e = np.zeros(1) if x is None or not len(x) else log_evidence(x, question)
        evidence.append((_p_of(float(np.max(log_e, initial=0.0))), _p_of(float(log_e[-1]))))
    return evidence


def _p_of(log_e: float) -> float:
    return math.exp(min(0.0, -log_e))


def group_pvalue(log_pvalue: float, n: int, question: Question, n_problems: int) -> float:
    """The smallest alpha whose O'Brien–Fleming test, planned for ``n_problems``, rejects with this p-value after n."""
    one_sided = question.alternative != "two-sided"
    tail = log_pvalue if one_sided else log_pvalue - math.log(2.0)
    if tail == -math.inf:
        return 0.0
    z = -float(special.ndtri_exp(min(tail, -1e-300)))
    fractions = fractions_of(question, n_problems)
    reach = z * math.sqrt(n / n_problems)
    if reach <= 0:
        return 1.0
    p = float(crossing(fractions, reach / np.sqrt(fractions)).sum())
    return min(1.0, p / 2 if one_sided else p)


def fractions_of(question: Question, n_problems: int) -> Array:
    """The share of problems that each look really has: 18/35, 27/35 and 1."""
    return np.array(look_sizes(question, n_problems), dtype=np.float64) / n_problems


# The sequence of looks of a sequential experiment, at problems in the order drawn.
#
# Pure: it takes finished problems in any order, and uses each once all those drawn before it are finished. So looks do
# not depend on workers or on the order of completion; ``bakeoff verify`` replays them from the store.


class LookSequence:
    """``n_problems``: the total number used by the experiment."""

    def __init__(
        self, question: Question, algorithms: tuple[str, ...], statistic: Statistic, better: Better, n_problems: int
    ) -> None:
        self.question = question
        self.algorithms = algorithms
        self.statistic = statistic
        self.better = better
        self.n_problems = n_problems
        self.sizes = look_sizes(question, n_problems)
        self.pairs = question.pairs(algorithms)
        self.looks: list[Look] = []
        self.samples: dict[int, Values] = {}  # finished problems, by their place in the draw
        self.prefix = 0  # the first ``prefix`` problems are all finished
        self._rows: list[list[float | None]] = []  # anytime: differences of the prefix' usable problems
        self._hopeless = False

    @property
    def stopped_at(self) -> int | None:
        """The number of problems at which it stopped early, if it did."""
        return self.looks[-1].n if self.looks and self.looks[-1].stop else None

    def add(self, place: int, samples: Values) -> None:
        """Add a finished problem, by its place in the draw."""
        self.samples[place] = [list(sample) for sample in samples]
        while self.prefix in self.samples:
            self.prefix += 1

    def due(self, skip: int = 0) -> Iterator[Look]:
        """Take the looks that are due; an anytime rule omits the first ``skip``, which are known not to stop."""
        while self.stopped_at is None and len(self.looks) < len(self.sizes):
            number = len(self.looks) + 1
            n = self.sizes[number - 1]
            if n > self.prefix:
                return
            if self.question.sequential == "anytime" and number <= skip:
                self.looks.append(_passed(number, n, self.question, len(self.pairs)))
                continue
            before = self.looks[-1] if self.looks else None
            next_look = look(number, n, self._evidence(n), self.question, self.n_problems, before)
            self.looks.append(next_look)
            yield next_look

    def _evidence(self, n: int) -> list[tuple[float, float]]:
        if self.question.sequential == "group":
            return group_evidence(self._table(0, n), n, self.question, len(self.pairs), self.n_problems)
        return anytime_evidence(self._differences(n), self.question)

    def _table(self, first: int, n: int) -> Scores | None:
        """The usable problems as Scores, None if there are none: a user's statistic may fail on some."""
        usable = [i for i in range(first, n) if can_be_measured(self.statistic, self.samples[i])]
        rows, names = [self.samples[i] for i in usable], [str(i) for i in usable]
        return table_of(rows, names, self.algorithms, self.statistic, self.better) if rows else None

    def _differences(self, n: int) -> list[Array | None]:
        """Differences of each pair over the first n problems, computed incrementally."""
        while len(self._rows) < n:
            self._rows.append(self._row(len(self._rows)))
        if self._hopeless:
            return [None] * len(self.pairs)
        rows = [row for row in self._rows[:n] if row]
        return [np.array([row[i] for row in rows], dtype=np.float64) for i in range(len(self.pairs))]

    def _row(self, place: int) -> list[float | None]:
        """One problem's differences; empty if it has none (percent of a mean, or logarithm, that is not positive)."""
        ordered = self._table(place, place + 1)
        if ordered is None:
            return []
        try:
            table = compared_scores(ordered, self.question)
            return [float(beyond_null(table, a, b, self.question)[0]) for a, b in self.pairs]
        except BakeoffError:
            self._hopeless |= not self.question.kind.relative  # the test itself will be refused too
            return []


def _passed(number: int, n: int, question: Question, n_pairs: int) -> Look:
    """A look that was taken before this start and did not stop; its p-values are part of every later supremum."""
    ones = np.ones(n_pairs)
    return Look(number=number, n=n, pvalues=ones, adjusted=ones, nominal=ones, threshold=question.alpha, stop=False)


class LookState:
    """The looks of one start of an experiment; recorded looks are not repeated."""

    def __init__(self, experiment: Experiment, store: Store) -> None:
        self.store = store
        self.place = {problem: i for i, problem in enumerate(experiment.order)}
        stored = contents(store.connection)
        repetitions = experiment.repetitions
        self.looking = look_sequence_of(stored, None if repetitions is None else repetitions.statistic)
        self.known = len(stored.looks) - 1  # the last is repeated: it may have been the stop

    @property
    def stopped(self) -> bool:
        return self.looking.stopped_at is not None

    def add(self, problem: int, samples: Values) -> None:
        """Add a finished problem, by its number in the experiment."""
        self.looking.add(self.place[problem], samples)

    def look(self) -> bool:
        """Take the looks that are due; whether the experiment stops."""
        for taken in self.looking.due(self.known):
            self.store.record_look(stored_look(taken, self.looking.n_problems))
        return self.stopped


def stored_look(look: Look, n_problems: int) -> StoredLook:
    """A look as the store keeps it, in an experiment of ``n_problems``."""
    verdict = "stop" if look.stop else "end" if look.n == n_problems else "go on"
    return StoredLook(look.number, look.n, look.statistic, look.threshold, verdict)


def last_look(stored: Contents, statistic: Statistic | None = None) -> Look | None:
    """The last look, recomputed from the store; None if there was none."""
    if not stored.looks or question_in(stored.spec).sequential is None:
        return None
    looking = look_sequence_of(stored, statistic)
    for _ in looking.due(len(stored.looks) - 1):
        pass
    return looking.looks[-1]


def look_sequence_of(stored: Contents, statistic: Statistic | None = None) -> LookSequence:
    """The looks at a store's finished problems; ``statistic`` only if it is a function, which no store contains."""
    looking = LookSequence(
        question_in(stored.spec),
        stored.algorithms,
        statistic or stored_statistic(stored),
        stored.spec["better"],
        stored.n_planned,
    )
    values = stored.values()
    for i in stored.instances:
        if i.done and i.draw_order is not None:
            looking.add(i.draw_order, values[i.position])
    return looking
