"""What a run is judged by: its time, CPU seconds, memory, or a number that it prints."""

from collections.abc import Callable, Mapping, Sequence

from bakeoff.errors import ParameterError
from bakeoff.processes.score_output import reader_of
from bakeoff.wings.guard.timing.stopwatch import TimedRun

METRICS: dict[str, Callable[[TimedRun], float | None]] = {
    "time": lambda run: run.seconds,
    "user": lambda run: run.user,
    "memory": lambda run: run.memory,
}


def metric_patterns(metrics: Sequence[str], measured: bool) -> dict[str, str]:
    """{metric: pattern in the output, "" of what the system counts}."""
    patterns = {}
    for text in [metrics] if isinstance(metrics, str) else metrics:
        name, equals, pattern = text.partition("=")
        if (
            (not equals and not name)
            or (equals and (not pattern or not name or name in METRICS))
            or name in patterns
            or not (equals or measured or name in METRICS)
        ):
            rule = "must be time, user, memory, or NAME=PATTERN with a name of its own"
            raise ParameterError(f"{rule}; got {text!r}", parameter="metrics")
        if equals:
            reader_of(f"regex:{pattern}", "stdout")  # refuses what is no pattern
        patterns[name] = pattern
    if not patterns:
        raise ParameterError("must name one at least; got none", parameter="metrics")
    return patterns


def metric_value(run: TimedRun, metric: str, patterns: Mapping[str, str], measured: bool) -> float:
    from_output = measured or patterns[metric]
    value = run.printed.get(metric) if from_output else METRICS[metric](run)
    if value is None:
        where = "measure() gives" if measured else "the file holds"
        raise ParameterError(f"has {metric!r}, which {where} not", parameter="metrics")
    return 1.0 / value if metric.startswith("1/") and value else value
