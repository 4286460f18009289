"""The time of one fresh process, its metrics (time, CPU seconds, memory, a printed number), and the machine."""

import contextlib
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from signal import SIGKILL
from typing import IO, Any, Literal

from bakeoff.checks import choice
from bakeoff.dataclass import asdict, dataclass, field
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.processes import os_processes
from bakeoff.processes.command_run import exit_status_text
from bakeoff.processes.score_output import NoScoreError, excerpt, reader_of
from bakeoff.scores import Better


def machine_fingerprint() -> dict[str, object]:
    """CPU model, number of CPUs, system: coarse, so that it does not change from day to day."""
    return {"cpu": _cpu(), "cpus": os.cpu_count(), "system": platform.system(), "architecture": platform.machine()}


def _cpu() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model", "Hardware"):
                return " ".join(value.split())
    return platform.processor() or platform.machine()


def metric_patterns(metrics: Sequence[str], measured: bool, better: Better) -> dict[str, str]:
    """{metric: pattern in the output, "" of what the system counts, of which less is better}."""
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
    spent = next((name for name in patterns if name in METRICS), None)
    if choice("better", better, ("lower", "higher")) == "higher" and spent:
        rule = f"says that more is better, and of {spent} less is; check a number that the commands print: NAME=PATTERN"
        raise ParameterError(rule, parameter="better")
    return patterns


Status = Literal["ok", "failed", "timeout"]
_STDERR_KEPT = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedRun:
    """The end of one process. ``seconds`` is None unless it ended well: the time of a failure is no time."""

    seconds: float | None
    status: Status
    user: float | None = None  # CPU seconds, children included
    system: float | None = None
    memory: float | None = None  # bytes: the most that it held at one time
    printed: Mapping[str, float] = field(default_factory=dict)  # numbers in its output
    error: str = ""

    def written(self) -> dict[str, Any]:
        """As a file of times holds it, which leaves out what there is not of every run."""
        always = ("seconds", "status", "user", "system")
        return {key: value for key, value in asdict(self).items() if key in always or value}


METRICS: dict[str, Callable[[TimedRun], float | None]] = {
    "time": lambda run: run.seconds,
    "user": lambda run: run.user,
    "memory": lambda run: run.memory,
}


def metric_value(run: TimedRun, metric: str, patterns: Mapping[str, str], measured: bool) -> float:
    from_output = measured or patterns[metric]
    value = run.printed.get(metric) if from_output else METRICS[metric](run)
    if value is None:
        where = "measure() gives" if measured else "the file holds"
        raise ParameterError(f"has {metric!r}, which {where} not", parameter="metrics")
    return 1.0 / value if metric.startswith("1/") and value else value


def time_process(
    words: Sequence[str], timeout: float | None = None, patterns: Mapping[str, str] | None = None
) -> TimedRun:
    """Start ``words`` without a shell, input being /dev/null, and wait for it.

    Output is /dev/null, too, unless numbers are read from it: the first group of each pattern, at its last match. The
    clock is ``time.perf_counter``, read before the process is made and when it has ended. What is left of its
    process group is then killed.
    """
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        try:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=output if patterns else subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            return TimedRun(status="failed", seconds=None, error=f"cannot be started: {error}")
        expired = threading.Event()
        timer = None if timeout is None else threading.Timer(timeout, _stop, (process.pid, expired))
        try:
            if timer is not None:
                timer.start()
            if hasattr(os, "waitid"):
                os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # its number stays taken
            end = time.perf_counter()
            if timer is not None:
                timer.cancel()
                timer.join()
            os_processes.signal_group(process.pid, SIGKILL)
            _, status, used = os.wait4(process.pid, 0)
            if not hasattr(os, "waitid"):
                end = time.perf_counter()
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            if timer is not None:
                timer.cancel()
            if process.returncode is None:  # interrupted
                os_processes.signal_group(process.pid, SIGKILL)
                process.wait()
        if expired.is_set():
            return TimedRun(status="timeout", seconds=None, error=f"took longer than {timeout:g} s")
        if process.returncode:
            last_words = _last_words(errors)
            return TimedRun(status="failed", seconds=None, error=f"{exit_status_text(process.returncode)}{last_words}")
        printed = {}
        for name, pattern in (patterns or {}).items():
            try:
                printed[name] = _printed(output, pattern)
            except NoScoreError as error:
                return TimedRun(status="failed", seconds=None, error=f"printed no {name}: {error}")
        return TimedRun(
            status="ok",
            seconds=end - start,
            user=used.ru_utime,
            system=used.ru_stime,
            memory=float(used.ru_maxrss) * (1 if sys.platform == "darwin" else 1024),
            printed=printed,
        )


def _printed(output: IO[bytes], pattern: str) -> float:
    output.seek(0)
    return reader_of(f"regex:{pattern}", "stdout").scores(output.read().decode(errors="replace"))["score"]


def _stop(pid: int, expired: threading.Event) -> None:
    expired.set()
    os_processes.signal_group(pid, SIGKILL)


def _last_words(errors: IO[bytes]) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _STDERR_KEPT))
    lines = [line for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    return f"; its last words: {excerpt(lines[-1])!r}" if lines else ""


def checked_cores(cores: object) -> tuple[int, ...] | None:
    """CPU numbers that this process may use."""
    if cores is None:
        return None
    if not isinstance(cores, Sequence) or isinstance(cores, str) or not cores:
        raise WrongTypeError(f"must be a list of CPU numbers; got {cores!r}", parameter="cores")
    if not hasattr(os, "sched_getaffinity"):
        raise ParameterError("cannot be chosen on this system; leave it out", parameter="cores")
    allowed = os.sched_getaffinity(0)
    for core in cores:
        if not isinstance(core, int) or isinstance(core, bool) or core not in allowed:
            there = ", ".join(map(str, sorted(allowed)))
            raise ParameterError(f"must be among those of this process ({there}); got {core!r}", parameter="cores")
    return tuple(sorted(set(cores)))


@contextlib.contextmanager
def on_cores(cores: Sequence[int] | None) -> Iterator[None]:
    """Processes started within the block run on these CPUs alone."""
    if cores is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
