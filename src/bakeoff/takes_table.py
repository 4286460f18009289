"""Functions of ``Scores`` that also take the table itself: ``bo.compare("scores.csv", better="lower")``.

Those of two algorithms also take two samples: ``bo.wilcoxon(x, y, better="lower")`` beside
``bo.wilcoxon("scores.csv", "a", "b", better="lower")``.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeGuard, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from bakeoff.designed import refuse_by_claim, refuse_contributions, with_weights_decide
from bakeoff.errors import BakeoffError, MissingScoreError, ParameterError, WrongTypeError
from bakeoff.inputs import is_store, likely_direction, may_hold_direction, scores_from
from bakeoff.places import load
from bakeoff.scores import Better, Scores
from bakeoff.scores.two_samples import TwoSamples, is_sample, table_of_two
from bakeoff.shipped import shipped

S_contra = TypeVar("S_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)
A = TypeVar("A")
B = TypeVar("B")
P = ParamSpec("P")
_NAMESPACES = ("bayes", "plan", "study")
_ENTRY = """better : {{"lower", "higher"}}, optional
    Which scores are good, if ``{first}`` is a table that ``bo.read_scores`` reads: a path, a data frame, an array.
"""
_TRUTH = """truth : str, optional
    Column of the truth, if ``{first}`` is a table of predictions.
metric : str, optional
    How these are judged, as in ``bo.read_predictions``.
"""


class TakesTable(Protocol[S_contra, P, R_co]):
    """A function whose first argument is ``Scores``, or a table with ``better=``."""

    @overload
    def __call__(self, scores: S_contra, /, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @overload
    def __call__(self, files: str | os.PathLike[str], /, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @overload
    def __call__(self, scores: object, /, *args: Any, better: Better, **kwargs: Any) -> R_co: ...
    @overload
    def __call__(self, predictions: object, /, *args: Any, truth: str, metric: object, **kwargs: Any) -> R_co: ...
    @overload
    def __call__(self, *, scores: Any, **kwargs: Any) -> R_co: ...


OF_READING = frozenset(("folds", "repeat", "test_fraction", "serial"))
"""Options of ``read_scores`` that a function takes beside a table, unless it has parameters of that name."""


class TakesTwo(Protocol[P, R_co]):
    """A function of two algorithms of ``Scores`` or of a table, or of two samples."""

    @overload
    def __call__(self, scores: Scores, a: str | int, b: str | int, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @overload
    def __call__(
        self, files: str | os.PathLike[str], a: str | int, b: str | int, *args: P.args, **kwargs: P.kwargs
    ) -> R_co: ...
    @overload
    def __call__(self, x: npt.ArrayLike, y: npt.ArrayLike, /, *, better: Better, **options: Any) -> R_co: ...
    @overload
    def __call__(
        self, scores: object, a: str | int, b: str | int, *args: Any, better: Better, **options: Any
    ) -> R_co: ...


def takes_table(function: Callable[Concatenate[S_contra, P], R_co]) -> TakesTable[S_contra, P, R_co]:
    """``function`` with ``better=``: a table given as its first argument is read by ``read_scores``.

    Everything else about reading goes through ``read_scores`` itself. The signature stays that for ``Scores``.
    """
    own = inspect.signature(function).parameters.keys()
    first = next(iter(own))

    @wraps(function)
    def called(*args: Any, **options: Any) -> R_co:
        table = args[0] if args else options.get(first)
        better = options.pop("better", None)
        if "truth" in options:
            scores = _judged(function, first, table, better, options)
            args, options = ((scores, *args[1:]), options) if args else (args, options | {first: scores})
            return _within_design(function, scores, args, options)
        reading = {name: options.pop(name) for name in OF_READING - own if options.get(name) is not None}
        if better is None and isinstance(table, Scores):
            table = _with_design(table, reading)
            args, options = ((table, *args[1:]), options) if args else (args, {**options, first: table})
            return _within_design(function, table, args, options)
        if better is not None and len(args) > 1 and is_sample(args[1]) and is_sample(args[0]):
            args = (_of_samples(function, args[0], args[1], better), *args[2:])
        elif better is not None or _says_direction(table):
            args, options = _with_scores_read(function, first, better, args, options, reading)
        with _shown_mended(function, first, table, better):
            return _within_design(function, args[0] if args else options.get(first), args, options)

    entries = (_ENTRY + _TRUTH if _name(function) in TRUTH_TOLD else _ENTRY).format(first=first)
    called.__doc__ = _with_entry(inspect.getdoc(function) or "", entries)
    return called


TRUTH_TOLD = ("bo.evaluate", "bo.leaderboard", "bo.compare")
"""Whose documentation speaks of predictions; all others take them as well."""


def _judged(function: Callable[..., Any], first: str, table: Any, better: Any, options: dict[str, Any]) -> Scores:
    """The scores of a table of predictions; takes ``truth``, ``metric`` and ``serial`` out of the options."""
    from bakeoff.predictions import read_predictions

    truth, metric, serial = options.pop("truth"), options.pop("metric", None), options.pop("serial", False)
    if isinstance(table, Scores):
        rule = f"must be left out with Scores, whose truth is known or not needed; got {truth!r}"
        raise ParameterError(rule, parameter="truth")
    try:
        return read_predictions(table, truth, cast(Any, metric), better).with_design(serial=serial)
    except MissingScoreError as error:
        advice = f"Say so in {_name(function)}(bo.read_predictions(…, missing=…), …)"
        raise MissingScoreError(f"{error.rule} {advice}", parameter=error.parameter, place=error.place) from None
    except BakeoffError as error:
        if error.parameter != "source":
            raise
        raise type(error)(error.rule, parameter=first, place=error.place) from None


def of_two(function: Callable[Concatenate[TwoSamples, A, B, P], R_co]) -> TakesTwo[P, R_co]:
    """``function`` of ``scores``, ``a``, ``b`` and ``better``, which takes two samples itself: with a table, too."""

    @wraps(function)
    def called(*args: Any, **options: Any) -> R_co:
        table, a, b = (args[i] if len(args) > i else options.get(name) for i, name in enumerate(("scores", "a", "b")))
        better = options.get("better")
        labels = _is_label(a) and (_is_label(b) if b is not None else not is_sample(table))
        of_table = labels and not isinstance(table, Scores)
        if of_table and (better is not None or _says_direction(table)):
            kept = {name: x for name, x in options.items() if name != "better"}
            args, options = _with_scores_read(function, "scores", better, args, kept, {})
        if isinstance(scores := args[0] if args else options.get("scores"), Scores):
            refuse_contributions(scores, _name(function))
        with _shown_mended(function, "scores", table, better if of_table else "known"):
            return function(*args, **options)

    return called


def _within_design(
    function: Callable[..., R_co], table: object, args: tuple[Any, ...], options: dict[str, Any]
) -> R_co:
    """The result, for a table whose design the analysis respects; of a function without a record, as it is."""
    in_wings = _room(function) in ("wings", "")
    record = load("analyses:of_function")(_name(function), in_wings) if isinstance(table, Scores) else None
    if record is None:
        if isinstance(table, Scores):
            refuse_contributions(table, _name(function))
        return function(*args, **options)
    scores = cast(Scores, table)
    refuse_by_claim(scores, record, options.get("over"))
    result = function(*args, **options)
    return result if scores.tasks is scores.clusters is None else cast(R_co, with_weights_decide(record, result))


def _says_direction(table: object) -> bool:
    """Is it the path of files of another program, which say which scores are good, or a table of bakeoff's own?"""
    if not _is_path(table) or shipped(table) is not None:
        return _is_path(table)
    return os.path.exists(table) and may_hold_direction(os.fspath(table), {})


def _is_path(table: object) -> TypeGuard[str | os.PathLike[str]]:
    """A store of runs is none: what is to be said of an unfinished experiment would be lost."""
    return isinstance(table, str | os.PathLike) and not is_store(os.fspath(table))


def _of_samples(function: Callable[..., Any], x: Any, y: Any, better: Any) -> Scores:
    """Two samples, paired by their places. Where pairs are taken apart again, they may as well be runs."""
    if {"a", "b"} <= set(inspect.signature(function).parameters):
        call = _name(function)
        raise WrongTypeError(
            f"must be a table: {call}(np.c_[x, y], 0, 1, better={better!r}) if x[i] and y[i] are of the same problem, "
            f"{call}([[x, y]], 0, 1, better={better!r}) if they are runs of one problem",
            parameter="scores",
        )
    return table_of_two(x, y, better)


def _is_label(argument: object) -> bool:
    """A name or an index, also one of NumPy."""
    return isinstance(argument, str | int | np.integer)


def _with_scores_read(
    function: Callable[..., Any],
    first: str,
    better: object,
    args: tuple[Any, ...],
    options: dict[str, Any],
    reading: Mapping[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with ``Scores`` in place of the table. Without one, and with two, Python's own error follows."""
    if args:
        return (_read(function, first, args[0], better, reading), *args[1:]), options
    return args, {n: _read(function, first, x, better, reading) if n == first else x for n, x in options.items()}


def _with_design(scores: Scores, reading: Mapping[str, Any]) -> Scores:
    """Scores that are read already, whose folds are of a known size."""
    if not reading:
        return scores
    if strange := [name for name in ("repeat", "test_fraction") if name in reading]:
        rule = "belongs to a table that is read; of Scores, folds= is the share of the data in each test set"
        raise ParameterError(rule, parameter=strange[0])
    return scores.with_design(**reading)


def _read(function: Callable[..., Any], first: str, table: Any, better: Any, reading: Mapping[str, Any]) -> Scores:
    if isinstance(table, Scores):
        rule = f"must be left out with Scores, which have it already (better={table.better!r}); got {better!r}"
        raise ParameterError(rule, parameter="better")
    if type(table).__module__.startswith("bakeoff."):
        rule = f"must be left out with {type(table).__name__}, which is no table to read; got {better!r}"
        raise ParameterError(rule, parameter="better")
    from bakeoff.reading import read_scores

    try:
        if _is_path(table):
            return scores_from(os.fspath(table), better, dict(reading))
        return read_scores(table, better, **reading)
    except MissingScoreError as error:
        read = "bo.read_results(…" if better is None else f"bo.read_scores(…, {better!r}"
        advice = f"Say so in {_name(function)}({read}, missing=…), …)"
        raise MissingScoreError(f"{error.rule} {advice}", parameter=error.parameter, place=error.place) from None
    except BakeoffError as error:
        if error.parameter != "source":
            raise
        raise type(error)(error.rule, parameter=first, place=error.place) from None


def _name(function: Callable[..., Any]) -> str:
    """As it is called."""
    room = function.__module__.removeprefix("bakeoff.").removeprefix("wings.").split(".")[0]
    return f"bo.{f'{room}.' if room in _NAMESPACES else ''}{function.__name__}"


def _room(function: Callable[..., Any]) -> str:
    """The folder of the package that it is in; empty of a function from elsewhere."""
    package, _, rest = function.__module__.partition(".")
    return rest.split(".")[0] if package == "bakeoff" else ""


@contextmanager
def _shown_mended(function: Callable[..., Any], first: str, table: object, better: object) -> Iterator[None]:
    """Let the error about a table without a direction say how to call with one."""
    try:
        yield
    except WrongTypeError as error:
        if better is not None or error.parameter != first or not _is_table(table):
            raise
        direction, why = likely_direction(os.fspath(table) if isinstance(table, os.PathLike) else table, {})
        reason = f"{why}. A name is no proof; if it is right" if why else "say which scores are good"
        values = f'"{direction}"' if why else '"lower" or "higher"'
        call = f"{_name(function)}(…, better={values})"
        otherwise = f"{first} {error.rule.partition('; wrap it')[0]}"
        raise WrongTypeError(f"is needed: {reason}: {call}; without it, {otherwise}", parameter="better") from None


def _is_table(argument: object) -> bool:
    """Tell whether ``read_scores`` may read it and no procedure takes it. The columns of a lazy frame take a query."""
    known = isinstance(argument, str | os.PathLike | Mapping | list | np.ndarray)
    return known or any(hasattr(type(argument), name) for name in ("columns", "to_frame"))


def _with_entry(docstring: str, entry: str) -> str:
    """The docstring with one more entry at the end of its parameters."""
    heading = "Parameters\n----------\n"
    if heading not in docstring:
        return docstring.replace(
            "Returns\n-------\n", f"{heading}scores : Scores\n    The table.\n{entry}\nReturns\n-------\n"
        )
    before, _, rest = docstring.partition(heading)
    entries, blank, following = rest.partition("\n\n")
    return f"{before}{heading}{entries}\n{entry.rstrip()}{blank}{following}"
