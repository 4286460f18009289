"""time_ratios(): how many times as fast, judged by rounds in which every command ran once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, cast

import numpy as np

from bakeoff import special
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, positive, probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, ScoreError, counted, plain
from bakeoff.means.run_means import run_differences, run_means
from bakeoff.numerals import in_percent, significant
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.pair_family import Turning, WithPairs, family_of, turned_ratios
from bakeoff.takes_table import takes_table
from bakeoff.wings.guard.timing.confidence_sequence import ConfidenceSequence, fewest_rounds

Verdict = Literal["a better", "b better", "no difference shown", "cannot tell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandTimes:
    """One command: the times of its successful runs, none left out."""

    name: str
    n: int  # successful runs
    failed: int  # rounds in which it failed or was stopped by the timeout
    median: float  # median time, in seconds
    mean: float  # mean time, in seconds
    minimum: float  # smallest time, in seconds
    maximum: float  # largest time, in seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of times, as a factor, with a 95 % interval of Student's t."""

    factor: float  # second half of the rounds against the first
    low: float
    high: float

    @property
    def shown(self) -> bool:
        """Whether the interval excludes no change."""
        return self.low > 1.0 or self.high < 1.0

    @property
    def turned(self) -> Change:
        """The ratio the other way round."""
        low, high = turned_ratios((self.low, self.high))
        return replace(self, factor=1.0 / self.factor, low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRatio(Turning):
    """The ratio of two commands: how many times as fast as b is a?"""

    a: str
    b: str
    rounds: int  # in which both ended well; of the order "abba", pairs of such rounds
    ratio: float | None  # the time of b divided by that of a: the median over rounds
    low: float | None  # None: not bounded yet, or no constant ratio agrees with all rounds
    high: float | None
    wins: int  # rounds in which a was faster
    losses: int
    evidence: float  # the largest e-value so far against a ratio of 1, not above 1e300
    decided_after: int | None  # rounds after which it was decided; None where it was not
    verdict: Verdict  # what is shown of the ratio
    known: bool  # to ± precision
    drift: Change | None  # of the ratio, from the first half of the rounds to the second

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends of the interval, if there is one."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def turned(self) -> TimeRatio:
        """The same pair as b against a."""
        return self._turned(
            ratio=self.ratio and 1.0 / self.ratio,
            low=self.high and 1.0 / self.high,
            high=self.low and 1.0 / self.low,
            drift=self.drift and self.drift.turned,
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Timing(WithPairs[TimeRatio], Reportable):
    """The result of :func:`bakeoff.time_ratios` and :func:`bakeoff.time_commands`."""

    kind: ClassVar[str] = "time"

    scores: Scores  # seconds: one problem, a run per round
    control: str | None  # the command that all others are compared with; None for all pairs
    alpha: float
    precision: float  # half width, on the log scale, at which a ratio is known
    design: Literal["random", "abba"]  # how the runs of a round are ordered
    order: Mapping[str, Sequence[str]] | None  # of the commands in each round
    about: Mapping[str, str]
    n_rounds: int  # finished rounds
    commands: tuple[CommandTimes, ...]  # one entry per command
    pairs: tuple[TimeRatio, ...]
    order_effect: Change | None  # of a run's place: the factor from one place to the next
    level: float | None  # median time of a round in the second half over that in the first
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()  # those of ``cautions`` that are about how it was measured

    @property
    def request(self) -> Mapping[str, Any]:
        """The arguments of the call."""
        return {name: getattr(self, name) for name in ("control", "alpha", "precision", "design", "order", "about")}


LEVEL = 0.95
FAR = 5.0  # scaled median absolute deviations
_MAD = 1.4826022185056018  # 1/Φ⁻¹(3/4)


def order_effect(logs: Array, places: Array) -> Change | None:
    """The factor by which a run takes longer for each place later in its round.

    Least squares on log times of complete rounds (rounds, commands) with an effect for each round and each command;
    for two commands it is half of the difference of the log ratios between the two orders.
    """
    rounds, k = logs.shape
    df = (rounds - 1) * (k - 1) - 1
    if rounds < 2 or df < 1:
        return None
    y, x = _centred(logs), _centred(places)
    squares = float((x * x).sum())
    if squares <= 1e-12 * rounds:  # the same order in all rounds: not to be told from the commands
        return None
    slope = float((x * y).sum()) / squares
    error = math.sqrt(max(0.0, float(((y - slope * x) ** 2).sum())) / df / squares)
    return _change(slope, error, df)


def _centred(table: Array) -> Array:
    """Less the means of rows and of columns."""
    rows, columns = table.mean(axis=1, keepdims=True), table.mean(axis=0, keepdims=True)
    return np.asarray(table - rows - columns + table.mean())


def ratio_drift(values: Sequence[float]) -> Change | None:
    """The later half of the log ratios against the earlier half: Welch's t."""
    half = len(values) // 2
    if half < 4:
        return None
    later = run_differences(run_means(np.array([[values[:half], values[-half:]]])), (np.array([1]), np.array([0])))
    estimate, error, df = (float(each[0]) for each in (later.means, later.errors, later.df))
    return _change(estimate, error, df) if error > 0.0 else None


def _change(estimate: float, error: float, df: float) -> Change:
    reach = float(special.stdtrit(df, 0.5 + LEVEL / 2.0)) * error
    return Change(factor=_exp(estimate), low=_exp(estimate - reach), high=_exp(estimate + reach))


def _exp(value: float) -> float:
    return math.exp(min(max(value, -700.0), 700.0))


def level_change(logs: Array) -> float | None:
    """Median time of the rounds in the later half over that in the earlier half."""
    half = len(logs) // 2
    if half < 2:
        return None
    means = logs.mean(axis=1)
    return _exp(float(np.median(means[-half:]) - np.median(means[:half])))


def far_rounds(values: Sequence[float]) -> int:
    """Rounds more than ``FAR`` scaled median absolute deviations from the median."""
    if len(values) < 5:
        return 0
    away = np.abs(np.array(values) - np.median(values))
    spread = _MAD * float(np.median(away))
    return int((away > FAR * spread).sum()) if spread > 0 else 0


DESIGNS = ("random", "abba")
SHORT = 0.005  # seconds
_MOST_LOG = 690.0


@takes_table
def time_ratios(
    scores: Scores,
    control: str | int | None = None,
    *,
    alpha: float = 0.05,
    precision: float = 0.02,
    design: Literal["random", "abba"] = "random",
    order: Mapping[str, Sequence[str]] | None = None,
    about: Mapping[str, str] | None = None,
) -> Timing:
    """How many times as fast is one command as another, from rounds in which each ran once?

    Use it on times measured side by side, as ``bo.time_commands`` does and its file holds (``bo.read_results``). Not
    for times of one command after those of the other: what changed in between would count as their difference.

    Parameters
    ----------
    scores : Scores
        Times, lower better: one problem, (1, n_commands, n_rounds), the rounds named by ``run_ids``, else by place. A
        round that lacks a command counts for no pair with it.
    control : str or int, optional
        Compare it with each other command; else all pairs.
    alpha : float
        Probability that any ratio is ever, at any number of rounds, outside of its interval.
    precision : float
        A ratio is known when its interval is within a factor of 1 ± precision of its middle.
    design : {"random", "abba"}
        Each round in an order of its own, or each even one mirrors that before; the unit is then the pair of rounds.
    order : mapping, optional
        The commands of each round as they ran, by the round's name.
    about : mapping, optional
        How it was measured, for the report.

    Returns
    -------
    Timing
        ``.pairs``, each with ``.ratio``, ``.low``, ``.high``, ``.verdict`` ("a better", "b better", "no difference
        shown", "cannot tell": fewer rounds than could decide), ``.known``; ``.commands``, ``.order_effect``.

    Raises
    ------
    ScoreError, ParameterError
        Several problems, times not above 0, a direction other than lower, rounds without names where some are lacking.

    Notes
    -----
    Signs of log ratios, in an e-process. Its confidence sequence (Howard and Ramdas 2022; docs/how-to/time.md) holds
    whenever one stops. If the order is random, interchangeable commands are called different with probability at most
    alpha over all pairs, whatever drifts. An interval covers if the ratio's median, given the past, is constant.

    Examples
    --------
    >>> import bakeoff as bo
    >>> times = [[[1.0, 1.1, 1.0, 1.2, 1.0, 1.1, 1.0, 1.1], [1.5, 1.7, 1.4, 1.9, 1.5, 1.6, 1.5, 1.7]]]
    >>> found = bo.time_ratios(bo.Scores(times, ["new", "old"], better="lower"))
    >>> found.pairs[0].verdict, round(found.pairs[0].ratio, 2)
    ('a better', 1.5)
    """
    scores = check_scores(scores)
    alpha, precision = probability("alpha", alpha), positive("precision", precision)
    choice("design", design, DESIGNS)
    column = None if control is None else scores.index(control, "control")
    table, names = _rounds(scores, order)
    family = family_of(scores.n_algorithms, column)
    log_threshold = math.log(len(family) / alpha)
    sequences = {pair: sequence_of(table, pair, design, log_threshold) for pair in family}
    pairs = tuple(_pair(scores.algorithms, pair, sequence, precision) for pair, sequence in sequences.items())
    known = ~np.isnan(table)
    complete = known.all(axis=1)
    effect = None
    if order is not None and complete.any():
        effect = order_effect(table[complete], _places(order, names, scores.algorithms)[complete])
    commands = tuple(_command(name, table[:, j]) for j, name in enumerate(scores.algorithms))
    sequence = Timing(
        scores=scores,
        control=None if column is None else scores.algorithms[column],
        alpha=alpha,
        precision=precision,
        design=design,
        order=None if order is None else {str(name): list(map(str, each)) for name, each in order.items()},
        about={str(key): str(value) for key, value in (about or {}).items()},
        n_rounds=len(table),
        commands=commands,
        pairs=pairs,
        order_effect=effect,
        level=level_change(table[complete]),
        cautions=(),
    )
    fewest = fewest_rounds(log_threshold) * (2 if design == "abba" else 1)
    return replace(sequence, cautions=tuple(_cautions(sequence, list(sequences.values()), fewest)))


def _rounds(scores: Scores, order: Mapping[str, Sequence[str]] | None) -> tuple[Array, list[str]]:
    """(n_rounds, n_commands) logarithms of the times, NaN where a command has none; names of the rounds."""
    if scores.n_problems != 1:
        raise ScoreError(
            f"must have one problem, whose commands were timed side by side; got {scores.n_problems}. Choose one with "
            "scores.select(problems=[…])",
            parameter="scores",
        )
    if scores.better != "lower":
        raise ScoreError('must be times, of which lower is better; got better="higher"', parameter="scores")
    cells = (scores.values[:, :, None] if scores.runs is None else scores.runs)[0]
    there = ~np.isnan(cells)
    if not (np.isfinite(cells[there]) & (cells[there] > 0)).all():
        raise ScoreError("must be finite times above 0: a ratio is the question", parameter="scores")
    if scores.run_ids is None:
        if len(set(there.sum(axis=1).tolist())) > 1:
            rule = "has different numbers of runs, which do not say which belong to one round; give run_ids"
            raise ScoreError(rule, parameter="scores")
        names = [str(i + 1) for i in range(cells.shape[1])]
        ids = np.broadcast_to(np.array(names, dtype=object), cells.shape)
    else:
        ids = scores.run_ids[0]
        seen = dict.fromkeys([*(order or ()), *(str(x) for row in ids for x in row if x is not None)])
        names = sorted(seen, key=_numbered)
    place = {name: i for i, name in enumerate(names)}
    table = np.full((len(names), scores.n_algorithms), np.nan)
    for j, (row, present) in enumerate(zip(ids, there, strict=True)):
        rows = [place[str(name)] for name, here in zip(row, present, strict=True) if here]
        if len(set(rows)) < len(rows):
            rule = f"has a round twice for {scores.algorithms[j]!r}; run_ids must name each round once"
            raise ScoreError(rule, parameter="scores")
        table[rows, j] = np.log(cells[j, present])
    return table, names


def _numbered(name: str) -> tuple[int, int, str]:
    """Rounds in the order of their numbers; others behind, as they are spelled."""
    return (0, int(name), "") if name.isdecimal() else (1, 0, name)


def _places(order: Mapping[str, Sequence[str]], rounds: Sequence[str], names: Sequence[str]) -> Array:
    """(n_rounds, n_commands): from 1 on, as they ran."""
    places = np.empty((len(rounds), len(names)))
    for i, name in enumerate(rounds):
        ran = [str(each) for each in order.get(name, ())]
        if sorted(ran) != sorted(names):
            raise ParameterError(f"must list every command once for round {name!r}; got {ran!r}", parameter="order")
        places[i] = [ran.index(each) + 1 for each in names]
    return places


def sequence_of(table: Array, pair: tuple[int, int], design: str, log_threshold: float) -> ConfidenceSequence:
    """The log ratios of a pair (b over a) in the order of the rounds, of whole pairs of rounds if they are mirrored."""
    values = table[:, pair[1]] - table[:, pair[0]]
    if design == "abba":
        values = values[: len(values) // 2 * 2].reshape(-1, 2).mean(axis=1)
    sequence = ConfidenceSequence(log_threshold)
    for value in values[~np.isnan(values)].tolist():
        sequence.add(value)
    return sequence


def _pair(names: Sequence[str], pair: tuple[int, int], sequence: ConfidenceSequence, precision: float) -> TimeRatio:
    n, values = len(sequence.values), np.array(sequence.values)
    verdict: Verdict = "no difference shown"
    if n < fewest_rounds(sequence.log_threshold):
        verdict = "cannot tell"
    elif sequence.direction:
        verdict = "a better" if sequence.direction > 0 else "b better"
    bounded = not sequence.empty and math.isfinite(sequence.low) and math.isfinite(sequence.high)
    return TimeRatio(
        a=names[pair[0]],
        b=names[pair[1]],
        rounds=n,
        ratio=math.exp(sequence.median) if n else None,
        low=math.exp(sequence.low) if bounded else None,
        high=math.exp(sequence.high) if bounded else None,
        wins=int((values > 0).sum()),
        losses=int((values < 0).sum()),
        evidence=math.exp(min(sequence.log_evidence, _MOST_LOG)),
        decided_after=sequence.decided_after if sequence.direction else None,
        verdict=verdict,
        known=sequence.known(precision),
        drift=ratio_drift(sequence.values),
    )


def _command(name: str, logs: Array) -> CommandTimes:
    times = np.exp(logs[~np.isnan(logs)])
    numbers = (np.median(times), times.mean(), times.min(), times.max()) if len(times) else (math.nan,) * 4
    median, mean, minimum, maximum = map(float, numbers)
    counts = {"n": len(times), "failed": len(logs) - len(times)}
    return CommandTimes(name=name, **counts, median=median, mean=mean, minimum=minimum, maximum=maximum)


# --- cautions


def _cautions(timing: Timing, sequences: Sequence[ConfidenceSequence], fewest: int) -> Iterator[Caution]:
    rounds = counted(timing.n_rounds, "round")
    if failed := [f"{plain(each.name)} {counted(each.failed, 'time')}" for each in timing.commands if each.failed]:
        yield caution_of("failed-rounds", rounds=rounds, said=", ".join(failed))
    if any(pair.verdict == "cannot tell" for pair in timing.pairs):
        pairs = counted(len(timing.pairs), "pair")
        yield caution_of("out-of-reach", "rounds", rounds=rounds, alpha=timing.alpha, pairs=pairs, fewest=fewest)
    yield from _drifting(timing, sequences)
    if (effect := timing.order_effect) is not None and effect.shown:
        which = "longer" if effect.factor > 1 else "less time"
        low, high = significant(effect.low, 4), significant(effect.high, 4)
        change = in_percent(abs(effect.factor - 1.0), 1)
        yield caution_of("order-effect", change=change, which=which, low=low, high=high)
    if far := max((far_rounds(sequence.values) for sequence in sequences), default=0):
        which = "has a ratio" if far == 1 else "have ratios"
        yield caution_of("outlying-rounds", rounds=counted(far, "round"), which=which, far=FAR)
    if short := [plain(each.name) for each in timing.commands if each.n and each.median < SHORT]:
        yield caution_of("short-times", names=" and ".join(short[:5]), milliseconds=1000 * SHORT)


def _drifting(timing: Timing, sequences: Sequence[ConfidenceSequence]) -> Iterator[Caution]:
    for pair, sequence in zip(timing.pairs, sequences, strict=True):
        names, drift = f"{plain(pair.a)} and {plain(pair.b)}", pair.drift
        if sequence.empty:
            yield caution_of("drift", "rounds", names=names)
        elif drift is not None and drift.shown:
            factor, low, high = (significant(x, 3) for x in (drift.factor, drift.low, drift.high))
            yield caution_of("drift", "halves", names=names, factor=factor, low=low, high=high)


def all_settled(timing: Timing, until: str) -> bool:
    """Whether every pair is decided or known (``until="decided"``), or known."""
    decided = ("a better", "b better")
    return all(pair.known or (until == "decided" and pair.verdict in decided) for pair in timing.pairs)


def with_added(result: Any, added: Sequence[Caution]) -> Any:
    """Add cautions about how it was measured, which are not computed from the scores."""
    return replace(result, cautions=(*added, *result.cautions), added=tuple(added))


def timed_scores(names: Sequence[str], problem: str, rounds: Mapping[int, Mapping[str, float | None]]) -> Scores:
    """The table of {round: {command: seconds, None of a failed run}}; every command needs one run that succeeded."""
    cells = np.full((1, len(names), max(len(rounds), 1)), np.nan)
    ids: Any = np.full(cells.shape, None, dtype=object)
    for j, name in enumerate(names):
        done = [(number, times[name]) for number, times in sorted(rounds.items()) if times.get(name) is not None]
        for r, (number, seconds) in enumerate(done):
            cells[0, j, r], ids[0, j, r] = cast(float, seconds), str(number)
    return Scores.from_cells(cells, names, [problem], better="lower", metric="time", run_ids=ids, run_kind="process")
