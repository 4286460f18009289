"""Algorithms and problems as given by the user -> names and objects, in order.

Seeds are derived from names, and the store refers to them; so they must be unique and stay the same.
"""

import glob
import inspect
import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Any

from bakeoff.errors import ParameterError, WrongTypeError, listing
from bakeoff.processes.command_line import CommandLine
from bakeoff.scores.cells import refuse_lookalikes

Named = dict[str, Any]
_WILD = frozenset("*?[")


def named_algorithms(algorithms: object) -> Named:
    """A mapping name -> function or command, or a list of functions named by their ``__name__``."""
    if isinstance(algorithms, Mapping):
        pairs = [(name, _algorithm(str(name), thing)) for name, thing in algorithms.items()]
    elif isinstance(algorithms, Iterable) and not isinstance(algorithms, str | bytes):
        things = list(algorithms)
        pairs = [(_own_name(thing), _algorithm(_own_name(thing), thing)) for thing in things]
    else:
        raise WrongTypeError(
            "must be a mapping from names to functions f(problem, rng) or bo.CommandLine objects, or a list "
            f"of functions; got {algorithms!r}",
            parameter="algorithms",
        )
    named = _unique("algorithms", pairs)
    if len(named) < 2:
        raise ParameterError(
            f"must be at least 2, or there is nothing to compare; got {len(named)}", parameter="algorithms"
        )
    return named


def named_problems(problems: object, folder: Path | None = None) -> Named:
    """A mapping name -> object, a list of objects, or a pattern of files (``"instances/*.cnf"``)."""
    if isinstance(problems, str | PurePath):
        named = matching_files(str(problems), folder)
    elif isinstance(problems, Mapping):
        named = _unique("problems", list(problems.items()))
    elif isinstance(problems, Iterable) and not isinstance(problems, bytes):
        named = _unique("problems", [(_problem_name(thing, i), thing) for i, thing in enumerate(problems, start=1)])
    else:
        raise WrongTypeError(
            f"must be a mapping from names to objects, a list, or a pattern of files; got {problems!r}",
            parameter="problems",
        )
    if not named:
        raise ParameterError("is empty: at least 1 problem is needed", parameter="problems")
    return named


def matching_files(pattern: str, folder: Path | None = None) -> Named:
    """The matching files, named by their path below the part of the pattern without wildcards."""
    base = Path.cwd() if folder is None else folder
    whole_pattern = os.path.expanduser(pattern)
    whole = os.path.join(
        glob.escape(str(base)), whole_pattern
    )  # a folder may be called x[1]: only the pattern has wildcards
    files = sorted(path for path in glob.glob(whole, recursive=True) if os.path.isfile(path))
    if not files:
        raise ParameterError(f": no file matches {pattern!r} in {str(base)!r}", parameter="problems")
    above = base / _fixed_folder(whole_pattern)
    pairs = [(Path(path).relative_to(above).as_posix(), Path(path).resolve()) for path in files]
    return one_name_each(_unique("problems", pairs))


def one_name_each(files: Named) -> Named:
    """Refuse links and overlapping patterns: a problem counted twice makes every test anti-conservative."""
    first: dict[Path, str] = {}
    for name, path in files.items():
        if (other := first.setdefault(path, name)) != name:
            raise ParameterError(
                f": {other!r} and {name!r} are the same file, {str(path)!r}, and would count as two problems; "
                "narrow the pattern",
                parameter="problems",
            )
    return files


def _fixed_folder(pattern: str) -> Path:
    parts = Path(pattern).parts[:-1]
    wild = next((i for i, part in enumerate(parts) if _WILD & set(part)), len(parts))
    return Path(*parts[:wild])


def _algorithm(name: str, thing: Any) -> Any:
    if isinstance(thing, CommandLine):
        return thing
    if isinstance(thing, str):
        return CommandLine(thing)
    if not callable(thing):
        raise WrongTypeError(
            f": {name!r} must be a function f(problem, rng), a command such as "
            f"'./solver {{instance}} {{seed}}', or a bo.CommandLine; got {thing!r}",
            parameter="algorithms",
        )
    try:
        inspect.signature(thing).bind("problem", "rng")
    except TypeError as error:
        raise ParameterError(
            f": {name!r} must be callable as f(problem, rng), rng being a numpy.random.Generator: {error}",
            parameter="algorithms",
        ) from None
    except ValueError:
        pass  # a builtin without a signature
    return thing


def _own_name(thing: Any) -> str:
    name = getattr(thing, "__name__", None)
    if not isinstance(name, str) or name == "<lambda>":
        raise ParameterError(
            f": {thing!r} has no name of its own; give a mapping: algorithms={{'name': ...}}", parameter="algorithms"
        )
    return name


def _problem_name(thing: Any, number: int) -> str:
    if isinstance(thing, str | PurePath):
        return str(thing)
    name = getattr(thing, "__name__", None) or getattr(thing, "name", None)
    return name if isinstance(name, str) and name else f"P{number}"


def unfit_name(name: object) -> str:
    """The reason why this cannot be the name of an algorithm, a problem or a metric; empty if it can."""
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        return f"a name must be a text that is not empty; got {name!r}"
    try:
        name.encode()
    except UnicodeEncodeError:
        return f"the name {name!r} cannot be written in UTF-8"
    return ""


def _unique(parameter: str, pairs: list[tuple[Any, Any]]) -> Named:
    named: Named = {}
    repeated: list[str] = []
    for name, thing in pairs:
        if fault := unfit_name(name):
            raise ParameterError(f"{parameter}: {fault}")
        if name in named:
            repeated.append(name)
        named[name] = thing
    if repeated:
        raise ParameterError(
            f"{parameter} must have unique names; repeated: {listing(dict.fromkeys(repeated))}. Give a mapping from "
            "names to objects"
        )
    refuse_lookalikes(parameter, named)
    return named
