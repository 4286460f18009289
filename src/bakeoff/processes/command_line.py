"""A foreign program as an algorithm: the command, and where to find its score."""

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.checks import of_type
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ParameterError, WrongTypeError, plain
from bakeoff.processes.placeholders import asked_places, check_places, fill_placeholders, refuse_code, shell_words
from bakeoff.processes.score_output import ScoreReader, reader_of

LARGEST_COMMAND_SEED = 2**31 - 1  # the largest C int

_QUOTED = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
_SHELL_SYNTAX = re.compile(r"\|[|&]?|&&|;|\d?>[>&]?|<+|&(?=\s|$)")  # an & inside of a word is often a URL's


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A foreign program as an algorithm: its command, and where its score is.

    Use it for solvers that are not Python functions. Pass a Python function itself instead: its runs are cheaper and
    its errors clearer.

    Parameters
    ----------
    template : str or list of str
        The command. A list is taken word by word; a string is split as a shell would, *before* placeholders are
        substituted. So a file name with spaces stays one word, and no name can inject a second command. Placeholders
        are ``{instance}`` (the problem: a path, text or number), ``{problem}`` and ``{algorithm}`` (their names), and
        ``{budget}`` (of the experiment). Further ones are ``{seed}`` (1 … 2³¹ − 1, from the run's seed), ``{run}`` (the
        repetition: 0, 1, …) and ``{output}`` (a file in a private folder, removed after the run). ``{{word}}`` gives a
        literal ``{word}``.
    score : str
        ``"stdout"``: a number on the last non-empty line. ``"json:KEY"``: in a JSON object; KEY may be a path such as
        ``result.cost``. ``"regex:PATTERN"``: the last match; its group "score", else its first group.
        ``"file:PATH"``: like "stdout", in a file written by the program, another one for every run of the experiment.
        ``"seconds"``: the wall-clock time of the program, whatever it prints; such runs are made one at a time.
    read : str
        What json and regex read: "stdout", "stderr", or the path of a file written by the program.
    shell : bool
        Have ``/bin/sh`` run the template, with the values in quoted variables, which the shell does not parse;
        placeholders must stand outside of your own quotes. Needs a string.
    exit_codes : tuple of int
        Exit codes that mean success; any other is a failed run.
    environment : mapping of str to str
        Environment variables added to those of this process.
    folder : str
        The program's working directory; empty: that of this process.
    fresh_folder : bool
        Start each run in an empty private folder, removed afterwards, for programs that write to fixed file names.

    Raises
    ------
    ParameterError, WrongTypeError
        An invalid template or score, found before anything runs.

    Examples
    --------
    >>> solver = CommandLine("./solver --seed {seed} --file {instance}", score="json:result.cost")
    >>> solver.words({"seed": "7", "instance": "my instance.txt"})
    ['./solver', '--seed', '7', '--file', 'my instance.txt']
    """

    template: str | Sequence[str]
    score: str = field(default="stdout", kw_only=True)
    read: str = field(default="stdout", kw_only=True)
    shell: bool = field(default=False, kw_only=True)
    exit_codes: tuple[int, ...] = field(default=(0,), kw_only=True)
    environment: Mapping[str, str] = field(default_factory=dict, kw_only=True, hash=False)
    folder: str = field(default="", kw_only=True)
    fresh_folder: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "template", _checked_template(self.template, self.shell))
        put(self, "exit_codes", _checked_codes(self.exit_codes))
        put(self, "environment", _checked_environment(self.environment))
        put(self, "folder", _checked_folder(self.folder, self.fresh_folder))
        reader = reader_of(self.score, self.read)
        for text in self._texts(reader):
            check_places(text)
        words = shlex.split(self.template) if isinstance(self.template, str) else self.template
        refuse_code(str(self.template), words, self.shell)
        if reader.path and not self.fresh_folder and not asked_places(reader.path):
            raise ParameterError(
                "the file of the score must be another one for every run, or runs at the same time read each other's: "
                f"use {{output}} or {{seed}} in its name, or fresh_folder=True; got {reader.path!r}"
            )

    def _texts(self, reader: ScoreReader) -> list[str]:
        own = [self.template] if isinstance(self.template, str) else [*self.template]
        return [*own, reader.path]

    @property
    def reader(self) -> ScoreReader:
        """Where and how the score is read."""
        return reader_of(self.score, self.read)

    @property
    def places(self) -> frozenset[str]:
        """The placeholders used."""
        return frozenset().union(*map(asked_places, self._texts(self.reader)))

    def words(self, values: Mapping[str, str]) -> list[str]:
        """The arguments for one run."""
        if self.shell:
            assert isinstance(self.template, str)
            return shell_words(self.template, values)
        parts = shlex.split(self.template) if isinstance(self.template, str) else self.template
        return [fill_placeholders(part, values) for part in parts]


def shell_syntax(template: str) -> str:
    """The first part outside of quotes that means something to a shell only; empty if there is none."""
    unquoted = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), template)
    match = _SHELL_SYNTAX.search(unquoted)
    return match[0] if match else ""


def command_seed(seed: int) -> int:
    """1 … 2³¹ − 1, the largest int of C; never 0, which many programs read as "use the clock"."""
    return seed % LARGEST_COMMAND_SEED + 1


def as_argument(problem: Any) -> str | None:
    """The problem as text for a command, or None if it is neither path, text nor number."""
    if isinstance(problem, bool) or not isinstance(problem, str | int | float | os.PathLike):
        return None
    text = os.fspath(problem) if isinstance(problem, os.PathLike) else str(problem)
    if not isinstance(text, str):
        return None
    # a file called "-rf" must not be taken for an option
    return f"./{text}" if text.startswith("-") and os.path.exists(text) else text


def _checked_template(template: object, shell: object) -> str | tuple[str, ...]:
    of_type("shell", shell, bool, "True or False")
    whole: str | tuple[str, ...]
    if isinstance(template, str):
        try:
            words, whole = shlex.split(template), template
        except ValueError as error:
            raise ParameterError(f"the command {template!r} cannot be split into words: {error}") from None
        if not shell and (syntax := shell_syntax(template)):
            raise ParameterError(
                f"{syntax!r} means something to a shell only, and the program would get it as text; write "
                '{ command = "…", shell = true } (in Python shell=True), or quote it to pass it on; got '
                f"{template!r}"
            )
    elif isinstance(template, Sequence) and all(isinstance(word, str) for word in template):
        words, whole = [*template], (*template,)
        if shell:
            raise ParameterError("with shell=True the command is one string; got a list of words")
    else:
        raise WrongTypeError(f"a command is a string or a list of words; got {template!r}")
    if not words or not words[0]:
        raise ParameterError("a command needs at least the program's name; got nothing")
    if any("\0" in word for word in words):
        raise ParameterError("a command cannot hold a zero byte")
    return whole


def _checked_codes(codes: object) -> tuple[int, ...]:
    codes_given = (codes,) if isinstance(codes, int) else codes
    if not isinstance(codes_given, Sequence) or isinstance(codes_given, str) or not codes_given:
        raise WrongTypeError(
            f"must be a number or a list of numbers from 0 to 255; got {codes!r}", parameter="exit_codes"
        )
    if not all(isinstance(code, int) and not isinstance(code, bool) and 0 <= code <= 255 for code in codes_given):
        raise ParameterError(f"must be numbers from 0 to 255; got {codes!r}", parameter="exit_codes")
    return tuple(codes_given)


def _checked_environment(environment: object) -> dict[str, str]:
    variables = of_type("environment", environment, Mapping, "a mapping of names to text")
    for name, value in variables.items():
        if not isinstance(name, str) or not isinstance(value, str) or not name or "=" in name or "\0" in name + value:
            raise ParameterError(
                f": {plain(repr(name))}={plain(repr(value))} is no variable of text", parameter="environment"
            )
    return dict(variables)


def _checked_folder(folder: object, fresh: object) -> str:
    text = str(of_type("folder", folder, str | os.PathLike, "a path"))
    if of_type("fresh_folder", fresh, bool, "True or False") and text:
        raise ParameterError(f"and fresh_folder=True exclude each other; got folder={text!r}", parameter="folder")
    return text
