"""One side of a check: its problems, each with one number per independent run.

Iterations inside a process are not independent of each other: they become one number, the median of the process.

In memory, a user gives a mapping, an array, or a column of Scores for it.
"""

import os
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.checks import choice
from bakeoff.dataclass import dataclass, field, replace
from bakeoff.errors import ParameterError, ScoreError, WrongTypeError, counted, listing
from bakeoff.scores import Better, Scores
from bakeoff.scores.cells import Array, as_floats, labels
from bakeoff.scores.design import Weights
from bakeoff.scores.runs import MISSING, OK, RunStatus, by_run, process_of

ROUNDS = "rounds"
"""The key for the file that rounds are from: those of another file have the same numbers, but are other rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One problem: the names of its independent runs and a number for each."""

    ids: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    iterations: int = 1  # the most measurements that one of the numbers is the median of
    failure: str = ""  # what went wrong in one of its runs


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSet:
    """``named``: the runs have names of their own, by which those of two sides may belong together.

    ``facts`` are what must not differ between two sides, such as tool and machine.
    """

    series: Mapping[str, Series]
    better: Better
    metric: str | None = None
    unit: str | None = None
    run_kind: str | None = None
    clusters: Mapping[str, str] = field(default_factory=dict)
    tasks: Mapping[str, str] = field(default_factory=dict)
    weights: Weights | None = None  # that were asked for
    weighted_as: tuple[str, ...] = ()  # a group of tasks, and what counts equally in its value in the files
    versions: Mapping[str, str] = field(default_factory=dict)  # of a benchmark, or the hash of a question
    facts: Mapping[str, str] = field(default_factory=dict)
    named: bool = False
    left_out: Mapping[str, int] = field(default_factory=dict)  # task -> its problems that lack the metric
    n_files: int = 0  # result files that were read
    not_taken: tuple[str, ...] = ()  # other files of the folders given
    made: Mapping[str, int] = field(default_factory=dict)  # run -> when its file was written, in nanoseconds

    def renamed(self, name: str) -> "RunSet":
        """Runs of one file among several: called after the file, so that each file is a process of its own."""
        made = dict.fromkeys([name], *self.made.values()) if self.made else {}
        single = {problem for problem, each in self.series.items() if len(each.ids) == 1}
        return replace(self._called(lambda problem, run: name if problem in single else f"{name}/{run}"), made=made)

    def marked(self, before: str, after: str) -> "RunSet":
        """With more in the name of each run."""
        made = {f"{before}{run}{after}": time for run, time in self.made.items()}
        return replace(self._called(lambda _, run: f"{before}{run}{after}"), made=made)

    def _called(self, name: Callable[[str, str], str]) -> "RunSet":
        """With other names of runs: by problem and run."""
        new = {p: replace(each, ids=tuple(name(p, run) for run in each.ids)) for p, each in self.series.items()}
        return replace(self, series=new)

    def shares_names(self, other: "RunSet") -> bool:
        """Whether a run of a problem has the same name in both."""
        return any(set(each.ids) & set(other.series.get(p, Series()).ids) for p, each in self.series.items())


@dataclass(frozen=True, slots=True)
class Measured:
    """One row of a file: a run, or an iteration inside one."""

    problem: str
    run: str
    score: float
    failure: str = ""


def collapsed(rows: Iterable[Measured], run_kind: str | None) -> dict[str, Series]:
    """A series per problem; of iterations ("process.iteration", or none of a process) the median per process."""
    within = run_kind == "iteration"
    series: dict[str, dict[str, list[float]]] = {}
    failures: dict[str, list[str]] = {}
    for row in rows:
        runs = series.setdefault(row.problem, {})
        if row.failure or row.score != row.score:
            failures.setdefault(row.problem, []).append(row.failure or "no score")
            continue
        process = (process_of(row.run) or "1") if within else row.run
        runs.setdefault(process, []).append(row.score)
    return {
        problem: Series(
            ids=tuple(runs),
            values=tuple(_one(values, problem, run, within) for run, values in runs.items()),
            iterations=max(map(len, runs.values()), default=1),
            failure=_failure(failures.get(problem, ()), runs),
        )
        for problem, runs in series.items()
    }


def _one(values: Sequence[float], problem: str, run: str, within: bool) -> float:
    if len(values) > 1 and not within:
        raise ScoreError(
            f"has {counted(len(values), 'score')} of problem {problem!r} in run {run!r}: say what a run is (run_kind "
            "'iteration' for repetitions inside one process), or give each run a name of its own",
            parameter="run",
        )
    return statistics.median(values)


def _failure(texts: Sequence[str], runs: Mapping[str, Sequence[float]]) -> str:
    if not texts:
        return ""
    total = len(texts) + sum(map(len, runs.values()))
    causes = dict.fromkeys(text.removeprefix("failed: ") for text in texts)
    which = listing([text for text in causes if text != "failed"], 2, "; ")
    sentence = f"{len(texts)} of {counted(total, 'run')} failed" if total > 1 else "failed"
    return f"{sentence}: {which}" if which else sentence


def pooled(parts: Sequence[RunSet], parameter: str) -> RunSet:
    """Several files of one side as one: their runs together. Names that repeat are numbered."""
    first = parts[0]
    series: dict[str, Series] = {}
    for part in parts:
        if part.better != first.better:
            raise ScoreError("has files of which one says that lower is better and another higher", parameter=parameter)
        for problem, each in part.series.items():
            series[problem] = _joined(series[problem], each) if problem in series else each
    labels: dict[str, Any] = {name: _labels(parts, name) for name in ("clusters", "tasks", "versions")}
    return replace(
        first,
        **labels,
        series=series,
        facts=_facts(parts),
        named=all(part.named for part in parts),
        made={run: time for part in reversed(parts) for run, time in part.made.items()},
        n_files=sum(part.n_files for part in parts),
        not_taken=tuple(dict.fromkeys(name for part in parts for name in part.not_taken)),
    )


def with_later_runs(sides: Sequence[RunSet], added: Sequence[Sequence[RunSet]]) -> list[RunSet]:
    """Each side with the sets of runs added to it, of which the first ones were measured in turn, then the second ones.

    Where a name is there already, all of that turn get its number, so that a run is never a pair with one of another
    turn. Rounds are those of their file.
    """
    later = list(sides)
    for turn, parts in enumerate(zip_longest(*added), start=2):
        present = [(i, part) for i, part in enumerate(parts) if part is not None]
        again = any(later[i].shares_names(part) for i, part in present)
        for i, part in present:
            number = f"#{turn}" if again else ""
            before = f"{part.facts[ROUNDS]}/" if ROUNDS in part.facts else ""
            own = part.marked(before, "" if before else number if part.named else f"#{turn}.{i}")
            kept = {ROUNDS: later[i].facts[ROUNDS]} if ROUNDS in later[i].facts else {}
            both = pooled([later[i], own], "add")
            later[i] = replace(both, named=later[i].named, facts={**both.facts, **kept})
    return later


def _labels(parts: Sequence[RunSet], name: str) -> dict[str, str]:
    """Those of all problems."""
    return {problem: label for part in parts for problem, label in getattr(part, name).items()}


def _facts(parts: Sequence[RunSet]) -> dict[str, str]:
    """Facts of the parts; of several answers, all."""
    names = dict.fromkeys(name for part in parts for name in part.facts)
    return {name: "; ".join(dict.fromkeys(part.facts[name] for part in parts if name in part.facts)) for name in names}


def _joined(first: Series, more: Series) -> Series:
    ids = dict.fromkeys(first.ids)
    for run in more.ids:
        name, number = run, 2
        while name in ids:
            name, number = f"{run}#{number}", number + 1
        ids[name] = None
    return Series(
        ids=(*first.ids, *list(ids)[len(ids) - len(more.ids) :]),
        values=(*first.values, *more.values),
        iterations=max(first.iterations, more.iterations),
        failure="; ".join(dict.fromkeys(text for text in (first.failure, more.failure) if text)),
    )


_KINDS = (
    "Scores, a mapping of problems to lists of runs, an array (n_problems, n_runs), what "
    "bakeoff.wings.guard.check.statistics.RunSet holds, or the path of a result file"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """Options of reading files; ``label``: the algorithm in them, of several; ``choices``: see the formats."""

    parameter: str
    better: Better | None = None
    label: str | None = None
    format: str = "auto"
    choices: Mapping[str, Any] = field(default_factory=dict)


def paths_of(source: object) -> list[str] | None:
    """A path, or a list of nothing else, as text; None of anything else."""
    each = source if isinstance(source, list | tuple) else [source]
    paths = [str(Path(x)) for x in each if isinstance(x, str | os.PathLike)]
    return paths if paths and len(paths) == len(each) else None


def run_set_of(source: object, parameter: str, better: Better | None, column: str | int | None) -> RunSet:
    """One side, whatever it was given as; a list of paths or RunSet is pooled."""
    if isinstance(source, RunSet):
        return source
    if isinstance(source, Scores):
        return of_scores(source, parameter, column)
    if isinstance(source, Mapping):
        return _of_runs([*map(str, source)], [*map(as_floats, source.values())], parameter, better)
    if isinstance(source, Sequence) and source and all(isinstance(part, RunSet) for part in source):
        return pooled(source, parameter)
    if isinstance(source, np.ndarray | Sequence):
        array = as_floats(source)
        if array.ndim != 2:
            raise ParameterError(f"must have shape (n_problems, n_runs); got {array.shape}", parameter=parameter)
        return _of_runs(labels("problems", None, "P", len(array)), list(array), parameter, better)
    raise WrongTypeError(f"must be {_KINDS}; got {type(source).__name__}", parameter=parameter)


def _of_runs(problems: Sequence[str], runs: Sequence[Array], parameter: str, better: Better | None) -> RunSet:
    """Independent runs, one list per problem; NaN is a run that failed."""
    if better is None:
        rule = 'must be "lower" or "higher": lists of numbers do not say which runs are good; it is missing'
        raise ParameterError(rule, parameter="better")
    choice("better", better, ("lower", "higher"))
    series = {}
    for problem, values in zip(problems, runs, strict=True):
        if values.ndim != 1:
            rule = f"must have a list of runs for each problem; {problem!r} has shape {values.shape}"
            raise ParameterError(rule, parameter=parameter)
        kept = values[~np.isnan(values)]
        gone = len(values) - len(kept)
        failure = f"{gone} of {len(values)} runs failed: no score" if gone else ""
        series[problem] = Series(values=tuple(kept.tolist()), failure=failure)
    return RunSet(series=series, better=better, run_kind="process")


def of_scores(scores: Scores, parameter: str, column: str | int | None) -> RunSet:
    """One column of a table; of two or more, which one must be said."""
    if column is None and scores.n_algorithms > 1:
        count = f"{scores.n_algorithms} algorithms ({' and '.join(map(repr, scores.algorithms[:4]))})"
        raise unsaid_label(count, scores.algorithms, parameter)
    place = 0 if column is None else scores.index(column, "label")
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    words = np.array("") if scores.status is None else by_run(scores.status)[:, place]
    named = scores.run_ids is not None and scores.run_kind != "iteration"
    about: dict[str, Any] = {name: getattr(scores, name) for name in ("better", "metric", "unit", "weights")}
    return of_column(scores, place, cells[:, place], np.where(words == MISSING, "", words), named=named, **about)


def of_column(table: Any, place: int, cells: Array, words: RunStatus, **about: Any) -> RunSet:
    """One column of Scores or of the cells of a file, (n, r), NaN where there is no run.

    ``words``: "", ok, or why a run failed.
    """
    rows, ids = [], None if table.run_ids is None else table.run_ids[:, place]
    for i, problem in enumerate(table.problems):
        for r, value in enumerate(cells[i].tolist()):
            run = None if ids is None else ids[i, r]
            if value == value:
                rows.append(Measured(problem, str(r + 1) if run is None else run, value))
        ends = words[i].tolist() if words.ndim else []
        rows += [Measured(problem, f"failed {r}", np.nan, word) for r, word in enumerate(ends) if word not in ("", OK)]
    about |= {of: dict(zip(table.problems, getattr(table, of) or (), strict=False)) for of in ("clusters", "tasks")}
    return RunSet(series=collapsed(rows, table.run_kind), run_kind=table.run_kind, **about)


def unsaid_label(count: str, names: Sequence[str], parameter: str) -> ParameterError:
    return ParameterError(
        f"has {count}: say which is compared, label={names[0]!r} (two names: that of the baseline, and that of new)",
        parameter=parameter,
    )


def pair_of_labels(label: str | int | Iterable[str | int] | None) -> tuple[str | int | None, str | int | None]:
    """The columns of both sides: one name for both, or two."""
    if label is None or isinstance(label, str | int):
        return label, label
    labels = tuple(label)
    if len(labels) != 2:
        rule = f"must be a name, or (name of the baseline, name of new); got {label!r}"
        raise ParameterError(rule, parameter="label")
    return labels[0], labels[1]
