"""check_commands(): is a new program worse by more than a margin, measured in turn until that is decided."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import flag, integer, positive
from bakeoff.errors import ParameterError, WrongTypeError, plain
from bakeoff.scores import Array, Better
from bakeoff.scores.margins import require_ratio
from bakeoff.wings.guard.check.statistics._check import check_run_sets
from bakeoff.wings.guard.check.statistics.judgement import corrected_pvalues, measured_contrasts
from bakeoff.wings.guard.check.statistics.margins import (
    ANYTIME,
    Rules,
    Scale,
    checked_rules,
    margin_value,
    margins_and_accepted,
    require_known,
)
from bakeoff.wings.guard.check.statistics.results import Check
from bakeoff.wings.guard.check.statistics.run_set import RunSet, Series
from bakeoff.wings.guard.timing._time_ratios import with_added
from bakeoff.wings.guard.timing.programs import SHELL, command_words, timed_commands
from bakeoff.wings.guard.timing.rounds import SIDES, GateProgress, Rounds, pairs_until, prepared_run
from bakeoff.wings.guard.timing.stopwatch import TimedRun, machine_fingerprint, metric_patterns, metric_value, on_cores
from bakeoff.wings.guard.timing.store import checked_settings, header, kept_rounds

COUNT = "count "
_HOW: Any = {"test": ANYTIME, "scale": "ratio", "level": "problem", "paired": True}
Command = str | Sequence[str]
Measured = Callable[[str, str], Mapping[str, float]]
Read = Callable[[TimedRun, str], float]


class CheckInterrupted(KeyboardInterrupt):
    """A signal ended the measurement; ``check`` is what the finished pairs say."""

    def __init__(self, check: Check) -> None:
        super().__init__("interrupted")
        self.check = check


def check_commands(
    commands: Mapping[str, Sequence[Command]] | Sequence[str],
    margin: float | str,
    alpha: float = 0.01,
    correction: Literal["holm", "bh", "none"] = "holm",
    *,
    metrics: Sequence[str] = ("time",),
    better: Better = "lower",
    strict: bool = False,
    run_sd: float | None = None,
    margins: str | os.PathLike[str] | Mapping[str, float | str] | None = None,
    accept: Mapping[str, str] | None = None,
    rounds: int = 100,
    seconds: float | None = None,
    file: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    warmup: int = 0,
    prepare: str | None = None,
    shell: bool = False,
    timeout: float | None = None,
    cores: Sequence[int] | None = None,
    seed: int = 0,
    measure: Measured | None = None,
    progress: Callable[[GateProgress], object] | None = None,
) -> Check:
    """Is the new command worse than the baseline by more than a margin? Both run in turn until that is decided.

    Use it to pass or fail a change on one machine. Not for results that were measured before: ``bo.check``.

    Parameters
    ----------
    commands : mapping of names to (baseline, new), or list of names
        Of each benchmark two commands, words or a string as for :func:`bakeoff.time_commands`; names for ``measure``.
    margin : str
        The worsening that may pass: a percentage above 0.
    alpha : float
        Chance of a false alarm per check, and of a false "ok" per row, whenever one stops.
    correction : {"holm", "bh", "none"}
        Of regressions, over rows.
    metrics : sequence of str
        "time", "user" (CPU seconds), "memory" (peak), or "NAME=PATTERN": a number in the output, of which
        "1/NAME=PATTERN" takes the reciprocal; "count NAME=PATTERN" is no time that a clock rounds. Each of them is a
        problem of the check.
    better : {"lower", "higher"}
        Which numbers in the output are good, such as throughputs or accuracies; the same for all metrics.
    strict : bool
        Alarm at any worsening that is shown, however small; default False.
    run_sd : float, optional
        Standard deviation of a run (0.05: 5 %), if it is known about: a guess that makes decisions faster, no more.
    margins : path or mapping, optional
        Of benchmarks, metrics, or "BENCHMARK: METRIC".
    accept : mapping, optional
        Known regressions that may pass, as of :func:`bakeoff.check`; named as in ``margins``.
    rounds : int
        At most so many pairs of a benchmark in all; what is not decided then is inconclusive.
    seconds : float, optional
        At most so long in this call.
    file : path, optional
        Each finished pair is added to it at once; the same call goes on from there after any stop.
    fresh : bool
        Empty the file first.
    warmup : int
        Runs of each command before the first round, which do not count.
    prepare : str, optional
        A command before each run, which does not count.
    shell : bool
        Have /bin/sh run the commands.
    timeout : float, optional
        Seconds after which a run is killed, and has failed.
    cores : sequence of int, optional
        CPUs to run on.
    seed : int
        Seed of the orders.
    measure : callable, optional
        Called with the names of a benchmark and a side ("baseline", "new") in place of a command: {metric: number}.
    progress : callable, optional
        Called with a ``GateProgress`` after each round.

    Returns
    -------
    Check
        As of :func:`bakeoff.check` with ``test="anytime"``.

    Raises
    ------
    RunFailedError, StoreError, KeyboardInterrupt
        A baseline that fails; a file of other times, or in use; Ctrl-C, after the pair under way (``.check``).

    Notes
    -----
    Each round runs the two commands of every undecided benchmark in an order drawn at random. A benchmark whose new
    command fails has regressed. Errors hold whenever one stops (docs/methods/check.md).

    Examples
    --------
    >>> import bakeoff as bo
    >>> seconds = {"baseline": iter([1.0, 1.1, 1.2, 1.0] * 3), "new": iter([1.3, 1.5, 1.5, 1.4] * 3)}
    >>> found = bo.check_commands(["sort"], "5%", measure=lambda name, side: {"time": next(seconds[side])})
    >>> found.decision, found.rows[0].runs
    ('regressed', (8, 8))
    """
    patterns = metric_patterns(metrics, measure is not None, better)
    names, programs = _programs(commands, measure, shell)
    several = len(patterns) > 1
    rows = {f"{name}: {metric}" if several else name: (name, metric) for name in names for metric in patterns}
    own, accept = _of_rows(margins, accept, rows)
    exact = [row for row, (_, metric) in rows.items() if metric == "memory" or metric.startswith(COUNT)]
    judging: dict[str, Any] = {"alpha": alpha, "correction": correction, "strict": strict}
    judging |= {"run_sd": run_sd, "exact": exact}
    rules = _rules(margin, own, better, **judging)
    ready = None if prepare is None else command_words(prepare, shell, "prepare")
    settings = checked_settings("random", seed, prepare, timeout, warmup, cores)
    if measure is not None and file is not None:
        raise ParameterError("keeps what commands took; leave it out with measure=", parameter="file")
    machine = machine_fingerprint()
    heads = [header(name, [each.described() for each in programs.get(name, ())], settings, machine) for name in names]
    read = partial(metric_value, patterns=patterns, measured=measure is not None)
    printed = {name: pattern for name, pattern in patterns.items() if pattern}

    def run(name: str, side: str) -> TimedRun:
        if measure is not None:
            return TimedRun(status="ok", seconds=None, printed={k: float(v) for k, v in measure(name, side).items()})
        return prepared_run(ready, programs[name][SIDES.index(side)].words, timeout, printed)

    undecided = partial(_undecided, rows=rows, rules=rules, read=read)
    limits: dict[str, Any] = {"rounds": integer("rounds", rounds, 1), "progress": progress}
    limits["seconds"] = None if seconds is None else positive("seconds", seconds)
    with closing(kept_rounds(file, heads, fresh)) as kept, on_cores(settings["cores"]):
        made, interrupted = pairs_until(run, undecided, kept, **limits)
    only = None if several else next(iter(patterns))
    baseline, new = (_side(side, rows, made, read, better, only) for side in SIDES)
    result = check_run_sets(
        {"baseline": baseline},
        new,
        margin,
        **_HOW,
        **judging,
        margins=own,
        accept=accept,
        about=_about(programs, settings),
    )
    result = with_added(result, [caution_of("shell-time", shell=SHELL)]) if shell else result
    if interrupted:
        raise CheckInterrupted(result)
    return result


def _programs(commands: Any, measure: Measured | None, shell: bool) -> tuple[list[str], dict[str, tuple[Any, ...]]]:
    """The names of the benchmarks, and of each the two commands."""
    if measure is not None:
        if isinstance(commands, str) or not commands or len({*commands}) < len(commands):
            raise ParameterError(f"must be different names of benchmarks; got {commands!r}", parameter="commands")
        return [str(name) for name in commands], {}
    if not isinstance(commands, Mapping) or not commands:
        raise WrongTypeError(f"must be {{name: (baseline, new)}}; got {commands!r}", parameter="commands")
    programs = {}
    for name, pair in commands.items():
        if isinstance(pair, str) or len(pair) != len(SIDES):
            rule = "must be two commands, of baseline and new"
            raise ParameterError(f"{rule}; got {pair!r} of {plain(str(name))!r}", parameter="commands")
        programs[str(name)] = timed_commands(dict(zip(SIDES, pair, strict=True)), flag("shell", shell))
    return list(programs), programs


def _of_rows(margins: Any, accept: Mapping[str, str] | None, rows: Mapping[str, tuple[str, str]]) -> tuple[Any, Any]:
    """Margins and acceptances by row: named by itself, its benchmark, or its metric, the first that is there."""
    own, accept = margins_and_accepted(margins, accept)
    names = dict.fromkeys(each for row, both in rows.items() for each in (row, *both))
    require_known(own, names, "margins")
    require_known(accept, names, "accept")
    by_row = []
    for mapping in (own, accept):
        places = {row: next((key for key in (row, *both) if key in mapping), None) for row, both in rows.items()}
        by_row.append({row: mapping[key] for row, key in places.items() if key is not None})
    return by_row[0], by_row[1]


def _rules(margin: float | str, own: Mapping[str, Any], better: Better, **judging: Any) -> Rules:
    """Those of the looks; the check of all pairs makes the same."""
    limit, percent = margin_value(margin)
    if not percent:
        require_ratio(limit, "of scores that are compared by their ratios", "is not possible here")
    scale = Scale(ratio=True, lower=better == "lower")
    how = {"level": "problem", "test": ANYTIME, "pair": True, "center": False, "allow_missing": False}
    return checked_rules(limit, own, scale, **how, **judging)


def _side(
    side: str, rows: Mapping[str, tuple[str, str]], made: Rounds, read: Read, better: Better, only: str | None
) -> RunSet:
    """Measurements of one side, a series per row."""
    series = {}
    for row, (name, metric) in rows.items():
        runs = {str(number): each.runs[side] for number, each in sorted(made[name].items())}
        failed = [run.error for run in runs.values() if run.status != "ok"]
        good = {number: read(run, metric) for number, run in runs.items() if run.status == "ok"}
        failure = f"{len(failed)} of {len(runs)} runs failed: {failed[0]}" if failed else ""
        series[row] = Series(ids=tuple(good), values=tuple(good.values()), failure=failure)
    return RunSet(series=series, better=better, metric=only, run_kind="process", named=True)


def _undecided(made: Rounds, rows: Mapping[str, tuple[str, str]], rules: Rules, read: Read) -> list[str]:
    """The benchmarks with a row that is not decided yet, and can be, as the check of all pairs judges them."""
    values = {}
    for row, (name, metric) in rows.items():
        pairs = [each for _, each in sorted(made[name].items())]
        if all(pair.runs["new"].status == "ok" for pair in pairs):
            both = np.array([[read(pair.runs[side], metric) for pair in pairs] for side in SIDES])
            if both.min(initial=np.inf) > 0.0:
                values[row] = both
    table = np.full((2, len(values), max((both.shape[1] for both in values.values()), default=0)), np.nan)
    for i, both in enumerate(values.values()):
        table[:, i, : both.shape[1]] = both
    closed = _closed(table, list(values), rules) if table.size else np.zeros(len(values), dtype=bool)
    left = {rows[row][0] for row, done in zip(values, closed.tolist(), strict=True) if not done}
    return [name for name in made if name in left]


def _closed(table: Array, judged: Sequence[str], rules: Rules) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    margins = rules.thetas(judged)
    _, _, contrasts = measured_contrasts(table[0], table[1], judged, rules)
    known, adjusted = np.isfinite(contrasts.error), np.ones(len(judged))
    worse = contrasts.p_above(0.0 if rules.strict else margins)[known]
    adjusted[known] = corrected_pvalues(worse, rules.correction)
    return np.asarray(known & ((adjusted <= rules.alpha) | (contrasts.p_below(margins) <= rules.alpha)))


def _about(programs: Mapping[str, tuple[Any, ...]], settings: Mapping[str, object]) -> dict[str, str]:
    """Describe the measurement in words."""
    pairs = [(name, *each) for name, both in programs.items() for each in zip(SIDES, both, strict=True)]
    shown = {f"{plain(name)}, {side}": plain(command.shown) for name, side, command in pairs}
    keys = [key for key in ("prepare", "timeout", "cores") if settings[key] is not None]
    return {**shown, **{key: plain(str(settings[key])) for key in keys}, "seed": str(settings["seed"])}
