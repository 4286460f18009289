"""Tasks with metrics of their own in one table: each by its main metric, or by the one that the user names for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Protocol, Self, TypeVar

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, listing
from bakeoff.scores.cells import LONGEST_METRIC


class OfMetric(Protocol):
    """Measurements of one metric, by column."""

    task_of: dict[str, str]

    @property
    def problem_names(self) -> Collection[str]: ...
    def empty(self, metric: str) -> Self: ...
    def take(self, other: Self, tasks: frozenset[str]) -> None: ...


R = TypeVar("R", bound=OfMetric)
Metrics = Mapping[str, Mapping[str, None]]
"""Task -> its metrics, in order of appearance."""


def split_choice(metric: str | None) -> tuple[str | None, dict[str, str]]:
    """``acc,gsm8k=exact_match,strict-match``: the metric of most tasks, and of some their own."""
    if metric is None or "=" not in metric:
        return metric, {}
    first, *others = re.split(r",(?=[^,=]+=)", metric)
    choices = [first, *others] if "=" in first else others
    own = {task.strip(): name.strip() for task, _, name in (each.partition("=") for each in choices)}
    return None if "=" in first else first.strip(), own


def is_needed(tasks: Metrics) -> bool:
    """Is there no metric that all tasks have?"""
    return len(tasks) > 1 and not set.intersection(*(set(metrics) for metrics in tasks.values()))


def combined(kept: Mapping[str, R], tasks: Metrics, usual: str | None, own: Mapping[str, str]) -> R:
    """One table: each task by ``own``, else by the usual metric, else by the first one that it has."""
    for task, metric in own.items():
        if task not in tasks:
            rule = f"names a task, {task!r}; there are {listing(tasks, 20)}{did_you_mean(task, tasks)}"
            raise ParameterError(rule, parameter="metric")
        if metric not in tasks[task]:
            hint = did_you_mean(metric, tasks[task])
            rule = f"of {task} must be one of {listing(tasks[task], 20)}; got {metric!r}{hint}"
            raise ParameterError(rule, parameter="metric")
    of = {task: own.get(task) or usual or next(iter(metrics), None) for task, metrics in tasks.items()}
    chosen = {task: metric for task, metric in of.items() if metric is not None and metric in tasks[task]}
    if not chosen:
        raise ParameterError(f"must be one of {listing(kept, 20)}; got {usual!r}", parameter="metric")
    names = list(dict.fromkeys(chosen.values()))
    by_metric = {name: [task for task, metric in chosen.items() if metric == name] for name in names}
    joined = kept[names[0]].empty(_name(by_metric))
    for name in names:
        joined.take(kept[name], frozenset(by_metric[name]))
    return joined


def _name(by_metric: Mapping[str, list[str]]) -> str:
    """``acc (arc, hellaswag), mc2 (truthfulqa)``, as short as a name of a metric has to be."""
    if len(by_metric) == 1:
        return next(iter(by_metric))
    whole = ", ".join(f"{metric} ({', '.join(tasks)})" for metric, tasks in by_metric.items())
    counted = ", ".join(f"{metric} ({len(tasks)})" for metric, tasks in by_metric.items())
    return next((name for name in (whole, counted) if len(name) <= LONGEST_METRIC), "each task's own metric")


def left_out(chosen: OfMetric, kept: Mapping[str, OfMetric], others: Mapping[str, str]) -> dict[str, int]:
    """Task -> its problems that are not compared; ``others``: the task of each problem that lacks the metric."""
    seen = dict(others)
    for rows in kept.values():
        seen |= rows.task_of
    return dict(Counter(task for problem, task in seen.items() if problem not in chosen.problem_names))
