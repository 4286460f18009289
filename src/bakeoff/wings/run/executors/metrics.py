"""From what an algorithm returned to finite metrics, or an error message."""

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from bakeoff.processes.score_output import NoScoreError, excerpt
from bakeoff.wings.run.design.naming import unfit_name

MOST_METRICS = 1000  # metrics kept with one run; longer traces belong in a file

LONGEST_NAME = 200


def metrics_from(returned: object, score: str | None) -> dict[str, float]:
    """All metrics that an algorithm returned, the score first; NoScoreError unless all are finite."""
    if not isinstance(returned, Mapping):
        return {score or "score": _finite(returned, "")}
    if not returned:
        raise NoScoreError("returned an empty mapping; it must hold the score")
    if len(returned) > MOST_METRICS:
        raise NoScoreError(f"returned {len(returned)} numbers; at most {MOST_METRICS} are kept with a run")
    main = score if score is not None else _only_score(returned)
    if main not in returned:
        there = ", ".join(excerpt(repr(name)) for name in list(returned)[:5])
        raise NoScoreError(f"returned no {main!r}, which is the score; there are {there}")
    ordered = [main, *(name for name in returned if name != main)]
    for name in ordered:
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise NoScoreError(
                f"returned a mapping with the name {excerpt(repr(name))}; names must be text of at most {LONGEST_NAME} "
                "characters"
            )
        if fault := unfit_name(name):
            raise NoScoreError(f"returned a mapping in which {fault}")
    return {name: _finite(returned[name], name) for name in ordered}


def _only_score(returned: Mapping[Any, Any]) -> Any:
    """The name of the score if none was chosen: "score", or the only name."""
    if "score" in returned:
        return "score"
    if len(returned) > 1:
        names = ", ".join(excerpt(repr(name)) for name in list(returned)[:5])
        raise NoScoreError(f"returned several numbers ({names}); say which is the score (score=...)")
    return next(iter(returned))


def _finite(value: object, name: str) -> float:
    """A finite float, or an error that says what was returned instead."""
    where = f" as {name!r}" if name else ""
    if not isinstance(value, numbers.Real) or isinstance(value, bool | np.bool_):
        kind = type(value).__name__
        advice = "return 1.0 or 0.0" if isinstance(value, bool | np.bool_) else "return float(...)"
        what = "nothing (None)" if value is None else f"{excerpt(_shown_value(value))} ({kind})"
        raise NoScoreError(f"returned {what}{where}; a score is one number: {advice}")
    try:
        number = float(value)
    except OverflowError:
        raise NoScoreError(f"returned an integer beyond the largest floating-point number{where}") from None
    if not math.isfinite(number):
        raise NoScoreError(
            f"returned {number}{where}; a score must be finite: raise an error if the run failed, or return the "
            "penalty that a failure deserves"
        )
    return number


def _shown_value(value: object) -> str:
    try:
        return repr(value)
    except Exception:
        return object.__repr__(value)
