"""time_commands(): which command is faster, timed in fresh processes side by side."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, Literal

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, flag, positive, probability
from bakeoff.errors import ParameterError, RunFailedError, WrongTypeError, plain
from bakeoff.wings.guard.timing._time_ratios import DESIGNS, Timing, with_added
from bakeoff.wings.guard.timing.programs import SHELL, command_words, timed_commands
from bakeoff.wings.guard.timing.rounds import Stops, TimeProgress, judged_rounds, measure, prepared_run
from bakeoff.wings.guard.timing.stopwatch import machine_fingerprint, on_cores
from bakeoff.wings.guard.timing.store import Round, checked_settings, header, kept_rounds


class TimingInterrupted(KeyboardInterrupt):
    """A signal ended the measurement; ``timing`` is what the finished rounds say."""

    def __init__(self, timing: Timing) -> None:
        super().__init__("interrupted")
        self.timing = timing


def time_commands(
    commands: Mapping[str, str | Sequence[str]] | Sequence[str | Sequence[str]],
    control: str | None = None,
    *,
    file: str | os.PathLike[str] | None = None,
    problem: str = "time",
    rounds: int = 100,
    seconds: float | None = None,
    until: Literal["decided", "known"] = "decided",
    precision: float = 0.02,
    alpha: float = 0.05,
    design: Literal["random", "abba"] = "random",
    warmup: int = 0,
    prepare: str | None = None,
    shell: bool = False,
    timeout: float | None = None,
    cores: Sequence[int] | None = None,
    on_failure: Literal["stop", "keep"] = "stop",
    seed: int = 0,
    fresh: bool = False,
    progress: Callable[[TimeProgress], object] | None = None,
) -> Timing:
    """Which of these commands is faster, and by what factor? Timed until that is decided, or known.

    Use it for whole programs. Not for parts of one process: use a tool for micro-benchmarks, each of its runs in a
    process of its own.

    Parameters
    ----------
    commands : mapping of names to commands, or list of commands
        Two or more. A command is a list of words, or a string that is split as a shell would; no shell runs it.
    control : str or int, optional
        Compare it with each other command; else all pairs.
    alpha : float
        Probability that any ratio is ever outside of its interval, as of :func:`bakeoff.time_ratios`.
    precision : float
        A ratio is known when its interval is within a factor of 1 ± precision of its middle.
    design : {"random", "abba"}
        Each round in an order of its own, or each even one mirrors that before.
    file : path, optional
        Each finished round is added to it at once; the same call goes on from there after any stop.
    problem : str
        What is timed, as the file calls it; a file may hold several.
    rounds : int
        At most so many rounds in all.
    seconds : float, optional
        At most so long in this call.
    until : {"decided", "known"}
        Stop when each pair is decided or its ratio known to a factor of 1 ± precision, or only when it is known.
    warmup : int
        Runs of each command before the first round, which do not count.
    prepare : str, optional
        A command before each run, which does not count.
    shell : bool
        Have /bin/sh run the commands.
    timeout : float, optional
        Seconds after which a run is killed.
    cores : sequence of int, optional
        CPUs to run on.
    on_failure : {"stop", "keep"}
        At an exit code other than 0: stop, or go on without its time.
    seed : int
        Seed of the orders.
    fresh : bool
        Empty the file first.
    progress : callable, optional
        Called with a ``TimeProgress`` after each round.

    Returns
    -------
    Timing
        As of :func:`bakeoff.time_ratios`, by which the rounds are judged after each of them.

    Raises
    ------
    RunFailedError, StoreError, KeyboardInterrupt
        A failed run; a file of other times, or in use; Ctrl-C, after the round under way (``.timing``: what is known).

    Examples
    --------
    >>> import bakeoff as bo
    >>> found = bo.time_commands({"list": "ls", "print": "pwd"}, rounds=1)
    >>> found.verdict
    'There is no verdict on list and print: too few rounds.'
    """
    made = timed_commands(commands, flag("shell", shell))
    names = [command.name for command in made]
    _require_names(names, control, problem)
    choice("design", design, DESIGNS)
    stops = Stops(rounds, seconds, until, on_failure)
    ready = None if prepare is None else command_words(prepare, shell, "prepare")
    settings = checked_settings(design, seed, prepare, timeout, warmup, cores)
    head = header(problem, [command.described() for command in made], settings, machine_fingerprint())
    alpha, precision = probability("alpha", alpha), positive("precision", precision)
    options: dict[str, Any] = {"control": control, "alpha": alpha, "precision": precision, "design": design}

    def judge(so_far: Mapping[int, Round]) -> Timing:
        return judged_rounds(so_far, names, problem, about=_about(head), **options)

    with closing(kept_rounds(file, [head], fresh)) as kept, on_cores(settings["cores"]):
        section = kept.sections[problem]
        done, interrupted = measure(
            made,
            lambda command: prepared_run(ready, command.words, settings["timeout"]),
            judge,
            section.rounds,
            partial(kept.add, problem),
            design=design,
            seed=int(section.header["seed"]),
            stops=stops,
            warmup=warmup,
            progress=progress,
        )
    untimed = any(all(each.runs[name].status != "ok" for each in done.values()) for name in names)
    if untimed:
        raise KeyboardInterrupt if interrupted else RunFailedError("some commands have no time yet; allow more rounds")
    result: Timing = with_added(judge(done), [caution_of("shell-time", shell=SHELL)] if shell else [])
    if interrupted:
        raise TimingInterrupted(result)
    return result


def _require_names(names: Sequence[str], control: str | None, problem: str) -> None:
    if control is not None and control not in names:
        raise ParameterError(f"must be one of {', '.join(map(repr, names))}; got {control!r}", parameter="control")
    if not isinstance(problem, str) or not problem.strip():
        raise WrongTypeError(f"must be a name; got {problem!r}", parameter="problem")


def _about(head: Mapping[str, Any]) -> dict[str, str]:
    """Describe the measurement in words."""
    machine, cores = head["machine"], head["cores"]
    lines = {f"command {plain(each['name'])}": plain(each["command"]) for each in head["commands"]}
    lines["machine"] = f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['system']} {machine['architecture']}"
    if cores is not None:
        lines["cores"] = ", ".join(map(str, cores))
    for key in ("prepare", "timeout"):
        if head[key] is not None:
            lines[key] = plain(str(head[key]))
    lines["seed"] = str(head["seed"])
    return lines
