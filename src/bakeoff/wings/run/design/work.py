"""The work that an executor ships to its workers."""

from __future__ import annotations

import shlex
import sys
from typing import Any

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.processes.command_line import CommandLine, as_argument
from bakeoff.processes.placeholders import option_places
from bakeoff.processes.score_output import excerpt


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The algorithms, the problems and the limits of one run, as every worker needs them; checked by the experiment.

    An algorithm is a function ``f(problem, rng)`` that returns a number or a mapping of names to numbers, or a
    :class:`CommandLine`. A function must not change the problem: the next run may get the same object.
    """

    algorithms: tuple[Any, ...]
    problems: tuple[Any, ...]
    algorithm_names: tuple[str, ...]
    problem_names: tuple[str, ...]
    score: str | None = None  # which number of a mapping is the score
    timeout: float | None = None  # seconds of wall time per run
    memory: int | None = None  # bytes per run; see executors/protocol.py for what is limited
    budget: float | None = None  # handed to programs that ask for {budget}

    def __post_init__(self) -> None:
        if self.memory is not None and sys.platform != "linux":
            raise ParameterError("can be limited on Linux only; leave memory= out", parameter="memory")
        for name, algorithm in zip(self.algorithm_names, self.algorithms, strict=True):
            if isinstance(algorithm, CommandLine):
                self._check_command(name, algorithm)

    def labels(self) -> Work:
        """The same without the algorithms and problems, for messages that need only their names."""
        return replace(self, algorithms=(None,) * len(self.algorithms), problems=(None,) * len(self.problems))

    def _check_command(self, name: str, command: CommandLine) -> None:
        if "budget" in command.places and self.budget is None:
            raise ParameterError(f"algorithm {name!r} asks for {{budget}}, but the experiment has none; give budget=")
        words = shlex.split(command.template) if isinstance(command.template, str) else command.template
        for place in sorted(option_places(words)):
            names = self.problem_names if place == "problem" else (name,)
            if option := next((other for other in names if other.startswith("-")), ""):
                raise ParameterError(
                    f"algorithm {name!r} is given {{{place}}} as a word of its own, and its program would read "
                    f"{option!r} as an option; rename that {place}, or write --name={{{place}}}"
                )
        if "instance" not in command.places:
            return
        for problem_name, problem in zip(self.problem_names, self.problems, strict=True):
            if as_argument(problem) is None:
                raise WrongTypeError(
                    f"algorithm {name!r} is a program and asks for {{instance}}: a path, text or number; problem "
                    f"{problem_name!r} is {excerpt(repr(problem))}"
                )
