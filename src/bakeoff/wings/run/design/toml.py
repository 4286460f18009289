"""An experiment in TOML, with grids of parameters; foreign programs need no Python.

    better = "lower"
    seed = 1
    runs = 30                       # or a table [repetitions] with se and nmax

    [algorithms]
    new = "./solver --fast {instance} --seed {seed}"
    old = { command = "./solver {instance} --seed {seed}", score = "json:cost" }
    mine = { python = "optimisers:evolve" }            # optimisers.py beside this file
    sgd = { python = "optimisers:sgd", grid = { step = [0.1, 0.01], momentum = [0, 0.9] } }  # four algorithms

    [problems]
    files = "instances/*.txt"       # or python = "optimisers:problems", or a table [problems.values]

``cluster`` is a pattern whose first group, found in a problem's name, is its cluster (cluster = "(.*)_d[0-9]+", above
the first table), or a table [cluster] with a line problem = "cluster" for each. ``tasks``, in the same forms, has the
task of each problem.

Reading it runs nothing; only ``python =`` imports, and only modules in the file's own folder.
"""

import inspect
import math
import os
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from bakeoff.checks import did_you_mean, nearest_or_all
from bakeoff.errors import BakeoffError, ParameterError, ReadingError, listing
from bakeoff.files import nearby
from bakeoff.processes.command_line import CommandLine
from bakeoff.processes.placeholders import PLACES, asked_parameters, fill_parameters
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.naming import matching_files, one_name_each
from bakeoff.wings.run.design.references import CodeReference, made_by, reference_beside, resolved
from bakeoff.wings.run.design.settings import QuestionSettings

# A grid of parameters of one algorithm: one named algorithm for each combination of values.


MOST_COMBINATIONS = 1000

Parameters = dict[str, Any]


def expanded(name: str, grid: object, where: str) -> dict[str, Parameters]:
    """The combinations by name, ``"sgd step=0.1 momentum=0"``, in the order written; the last parameter varies fastest.

    ``where`` is the place of the grid in the experiment's file, for messages.
    """
    if not isinstance(grid, Mapping) or not grid:
        raise ParameterError(
            f"must be a table of lists, grid = {{ step = [0.1, 0.5] }} for example; got {grid!r}", parameter=where
        )
    for parameter, values in grid.items():
        _check_values(f"{where}.{parameter}", parameter, values)
    many = math.prod(len(values) for values in grid.values())
    if many > MOST_COMBINATIONS:
        sizes = " × ".join(str(len(values)) for values in grid.values())
        raise ParameterError(
            f"must have at most {MOST_COMBINATIONS} combinations; got {sizes} = {many}. Each is an algorithm of its "
            "own: leave values out",
            parameter=where,
        )
    by_name: dict[str, Parameters] = {}
    for values in product(*grid.values()):
        parameters = dict(zip(grid, values, strict=True))
        named = " ".join([name, *(f"{key}={parameter_text(value)}" for key, value in parameters.items())])
        if named in by_name:
            raise ParameterError(f"has two combinations with the name {named!r}; change a value", parameter=where)
        by_name[named] = parameters
    return by_name


def parameter_text(value: Any) -> str:
    """A value as names and commands show it: ``true`` as in TOML, numbers in shortest form."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check_values(where: str, parameter: str, values: object) -> None:
    if not parameter.isidentifier():
        raise ParameterError(
            f": a parameter's name has letters, digits and _ only, and no digit first; got {parameter!r}",
            parameter=where,
        )
    if not isinstance(values, list):
        raise ParameterError(f"must be a list of values, [{parameter_text(values)}] for example; got {values!r}",
                             parameter=where)  # fmt: skip
    if not values:
        raise ParameterError("must have at least one value; got an empty list", parameter=where)
    for value in values:
        if not isinstance(value, bool | int | float | str) or value != value:
            raise ParameterError(f"must have numbers, texts, true or false as values; got {value!r}", parameter=where)
    seen: set[tuple[bool, Any]] = set()
    repeated = []
    for value in values:
        keys = {(isinstance(value, bool), value), (False, parameter_text(value))}  # 1, 1.0 and "1" are the same
        if not keys.isdisjoint(seen):
            repeated.append(parameter_text(value))
        seen |= keys
    if repeated:
        raise ParameterError(f"must have different values; repeated: {listing(dict.fromkeys(repeated))}",
                             parameter=where)  # fmt: skip


_SETTINGS = ("better", "seed", "runs", "score", "timeout", "memory", "budget", "on_failure", "retries", "n_problems",
             *QuestionSettings.__annotations__)  # fmt: skip
_ALSO_THERE = ("differences", "control")  # also in [repetitions]
_TABLES = ("algorithms", "problems", "repetitions")
_LABELS = ("cluster", "tasks")  # a pattern above the tables, or a table
_COMMAND = ("command", *(f.name for f in fields(CommandLine) if f.name != "template"), "grid")
_TABLES_OF_SCORES = (".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".parquet", ".gz")
_SAFE = re.compile(r"[\w.,:=+@%/-]+", re.ASCII)
_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


def experiment_in(path: Path) -> Experiment:
    """Read and validate an experiment; errors name the file and the entry."""
    document = _parsed(path)
    folder = path.resolve().parent
    try:
        _known(document, (*_SETTINGS, *_TABLES, *_LABELS), "")
        for name in ("better", "seed", "algorithms", "problems"):
            if name not in document:
                raise ParameterError(f"is missing; {_HOW[name]}{_elsewhere(name, document)}", parameter=name)
        _in_their_place(document)
        settings = {name: document[name] for name in _SETTINGS if name in document}
        if isinstance(settings.get("memory"), str):
            settings["memory"] = _bytes(settings["memory"])
        algorithms = _table("algorithms", document["algorithms"])
        repetitions = document.get("repetitions")
        return Experiment(
            _algorithms(algorithms, folder),
            _problems(document["problems"], folder),
            repetitions=None if repetitions is None else _repetitions(repetitions, folder),
            folder=folder,
            clusters=document.get("cluster"),
            tasks=document.get("tasks"),
            **settings,
        )
    except BakeoffError as error:
        raise error.at(repr(str(path))) from None


_HOW = {
    "better": 'say better = "lower" or better = "higher"',
    "seed": "say seed = 1, or any other whole number",
    "algorithms": 'write a table [algorithms] with a line name = "command" for each',
    "problems": 'write a table [problems] with files = "instances/*.txt", for example',
}


def _elsewhere(name: str, document: Mapping[str, Any]) -> str:
    """A hint for a setting placed below a [table], to which it then belongs."""
    tables = [where for where in _TABLES if isinstance(document.get(where), Mapping) and name in document[where]]
    return f". It stands below [{tables[0]}]: write it above the first [table]" if tables else ""


def _in_their_place(document: Mapping[str, Any]) -> None:
    """Refuse settings misplaced below a [table]; an algorithm may have a setting's name, but then it is a command."""
    for where in _TABLES:
        table = document.get(where)
        for name, entry in table.items() if isinstance(table, Mapping) else ():
            at_home = where == "algorithms" and isinstance(entry, str | list | Mapping)
            if name in _SETTINGS and not at_home and not (where == "repetitions" and name in _ALSO_THERE):
                raise ParameterError(
                    f"{name} stands below [{where}], and is a setting of the whole experiment: write it above the "
                    "first [table]"
                )


def _parsed(path: Path) -> dict[str, Any]:
    try:
        content = path.read_bytes()
    except OSError as error:
        hint = nearby(str(path)) if isinstance(error, FileNotFoundError) else ""
        raise ReadingError(f"cannot read {str(path)!r}: {error.strerror or error}{hint}") from None
    if content.startswith(b"SQLite format 3"):
        raise ReadingError(f"{str(path)!r} is a store of runs; give the TOML file of the experiment that made it")
    if path.suffix.lower() in _TABLES_OF_SCORES:
        raise ReadingError(
            f"{str(path)!r} looks like a table of scores, not like an experiment (.toml). Scores that exist are "
            f"compared by: bakeoff compare {shlex.quote(str(path))} --better lower|higher"
        )
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ReadingError(f"{str(path)!r} must be UTF-8: {error}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ReadingError(f"{str(path)!r} is not valid TOML: {error}") from None


def _algorithms(table: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Every algorithm by name; one with a grid is as many as the grid has combinations."""
    algorithms: dict[str, Any] = {}
    for name, entry in table.items():
        if isinstance(entry, Mapping) and "grid" in entry:
            own = _combinations(name, entry, folder)
        else:
            own = {name: _algorithm(name, entry, folder)}
        if both := algorithms.keys() & own.keys():
            raise ParameterError(f"has two algorithms with the name {min(both)!r}; rename one", parameter="algorithms")
        algorithms |= own
    return algorithms


def _combinations(name: str, entry: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    where = f"algorithms.{name}"
    single = {key: value for key, value in entry.items() if key != "grid"}
    combinations = expanded(name, entry["grid"], f"{where}.grid")
    if "python" in single:
        reference = _algorithm(name, single, folder)
        for parameters in combinations.values():
            _check_taken(where, reference, parameters)
        return {own: partial(reference, **parameters) for own, parameters in combinations.items()}
    _known(single, _COMMAND, where)
    if "command" not in single:
        raise _without_program(where)
    _check_filled(where, single, entry["grid"])
    return {own: _algorithm(name, _filled(single, values), folder) for own, values in combinations.items()}


def _filled(entry: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: parameter_text(value) for name, value in parameters.items()}
    return _with_texts(entry, lambda text: fill_parameters(text, values))


def _check_taken(where: str, reference: CodeReference, parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that the function does not take, and a function that needs others."""
    function = resolved(reference)
    if not callable(function):
        raise ParameterError(f"{where}.python must be a function; {reference.name!r} is {function!r}")
    try:
        signature = inspect.signature(function)
    except ValueError:
        return  # a builtin without a signature
    try:
        signature.bind("problem", "rng", **parameters)
    except TypeError as error:
        raise ParameterError(
            f"{where}.grid does not fit: {reference.name!r} is called with problem, rng and the keywords "
            f"{', '.join(parameters)}, and takes {signature}: {error}"
        ) from None


def _check_filled(where: str, entry: Mapping[str, Any], grid: Mapping[str, list[Any]]) -> None:
    """Each parameter has its placeholder and each placeholder its values, which are read by nobody as anything else."""
    parameters: set[str] = set()

    def collect(text: str) -> str:
        parameters.update(asked_parameters(text))
        return text

    _with_texts(entry, collect)
    for name, values in grid.items():
        if name in PLACES:
            raise ParameterError(f"{where}.grid: {{{name}}} is filled in by bakeoff; call the parameter something else")
        if name not in parameters:
            raise ParameterError(
                f"{where}.grid.{name} is not used: write {{{name}}} where the command takes it"
                f"{did_you_mean(name, sorted(parameters - grid.keys()))}"
            )
        for value in map(parameter_text, values):
            if not _SAFE.fullmatch(value):
                raise ParameterError(
                    f"{where}.grid.{name}: in a command a value has letters, digits and . , : = + @ % / _ - only, so "
                    f"that it stays one word; got {value!r}"
                )
    if unknown := sorted(parameters - grid.keys()):
        raise ParameterError(
            f"{where}: {{{unknown[0]}}} has no value; the grid has {', '.join(grid)}"
            f"{did_you_mean(unknown[0], (*grid, *PLACES))}; write {{{{{unknown[0]}}}}} for the braces themselves"
        )


def _with_texts(entry: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """The entry with other texts where placeholders are filled in: in its command, and in the names of files."""
    changed = dict(entry)
    for key in ("command", "read", "score"):
        thing = entry.get(key)
        if isinstance(thing, list):
            changed[key] = [change(word) if isinstance(word, str) else word for word in thing]
        elif isinstance(thing, str) and (key != "score" or thing.startswith("file:")):
            changed[key] = change(thing)
    return changed


def _algorithm(name: str, entry: object, folder: Path) -> Any:
    where = f"algorithms.{name}"
    if isinstance(entry, str | list):
        entry = {"command": entry}
    table = _table(where, entry)
    if "python" in table:
        _known(table, ("python", "grid"), where)
        reference = reference_beside(folder, _text(f"{where}.python", table["python"]))
        resolved(reference)  # find mistakes now rather than in a worker
        return reference
    _known(table, _COMMAND, where)
    if "command" not in table:
        raise _without_program(where)
    options: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in table.items() if key != "command"
    }
    command = table["command"]
    if not options.get("fresh_folder"):
        options["folder"] = str((folder / options.get("folder", "")).resolve())
    try:
        made = CommandLine(command, **options)
        return replace(made, template=_found_from(folder, made)) if made.fresh_folder and not made.shell else made
    except BakeoffError as error:
        raise error.at(where) from None


def _without_program(where: str) -> ParameterError:
    return ParameterError(f'{where} needs command = "…" (a foreign program) or python = "module:function"')


def _found_from(folder: Path, command: CommandLine) -> list[str]:
    """Resolve ``./solver`` beside the TOML file, for runs that start in private folders."""
    first, *rest = shlex.split(command.template) if isinstance(command.template, str) else command.template
    own = os.path.dirname(first) and "{" not in first
    return [str(folder / first) if own else first, *rest]


_PROBLEMS = (
    'exactly one of files = "instances/*.txt", python = "module:name", and a table [problems.values] with a line '
    "name = value for each"
)


def _problems(content: object, folder: Path) -> dict[str, Any]:
    if not isinstance(content, Mapping):
        raise ParameterError(f"must be a table with {_PROBLEMS}; got {content!r}", parameter="problems")
    table = content
    if len(table) != 1 or not table.keys() <= {"files", "python", "values"}:
        raise ParameterError(f"needs {_PROBLEMS}; got {', '.join(map(repr, table)) or 'nothing'}", parameter="problems")
    if "values" in table:
        return dict(_table("problems.values", table["values"]))
    if "files" in table:
        patterns = table["files"] if isinstance(table["files"], list) else [table["files"]]
        problems: dict[str, Any] = {}
        for pattern in patterns:
            for name, path in matching_files(_text("problems.files", pattern), folder).items():
                if problems.setdefault(name, path) != path:
                    raise ParameterError(f"problems.files: two files are called {name!r}; use one pattern above both")
        return one_name_each(problems)
    made = made_by(reference_beside(folder, _text("problems.python", table["python"])))
    if not isinstance(made, Mapping):
        raise ParameterError(
            "problems.python must name a mapping from names to problems, or a function that returns one; got "
            f"{type(made).__name__}"
        )
    return dict(made)


def _repetitions(content: object, folder: Path) -> dict[str, Any]:
    table = dict(_table("repetitions", content))
    if isinstance(statistic := table.get("statistic"), str) and ":" in statistic:
        table["statistic"] = resolved(reference_beside(folder, statistic))
    return table


def _bytes(text: str) -> int:
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmg]?i?b?)\s*", text, flags=re.IGNORECASE)
    unit = _UNITS.get(match.group(2).lower()) if match else None
    if match is None or unit is None:
        raise ParameterError(
            f"must be a number of bytes, or a text such as '2 GB' or '500 MiB'; got {text!r}", parameter="memory"
        )
    return int(float(match.group(1)) * unit)


def _table(where: str, content: object) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        raise ParameterError(f"must be a table; got {content!r}", parameter=where)
    return content


def _text(where: str, content: object) -> str:
    if not isinstance(content, str):
        raise ParameterError(f"must be a text; got {content!r}", parameter=where)
    return content


def _known(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    for name in table:
        if name not in known:
            inside = f"{where} has no setting" if where else "there is no setting"
            raise ParameterError(f"{inside} {name!r}{nearest_or_all(name, known)}")
