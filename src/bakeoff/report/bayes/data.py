"""The content of ``bakeoff bayes --json``: the fields of the results under their own names."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from typing import Any

import numpy as np

from bakeoff.bayes import Overview
from bakeoff.report.bayes import sentences
from bakeoff.report.bayes.methods import cited_keys
from bakeoff.report.comparison.data import finite, provenance

SCHEMA = "bakeoff.bayes/1"

_SAID_ONCE = ("cautions", "gamma", "prior", "prior_strength", "n_problems", "n_dropped")
_BY_NAME = (
    *("mean", "mean_ranks", "prior_ranks", "standard_deviations", "quantiles"),
    *("p_best", "standard_error", "p_rank", "rank_standard_error", "expected_loss", "loss_standard_error"),
)
_FOR_FIGURES = ("draws", "grid", "ridges")


def to_dict(overview: Overview, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of an overview; algorithms by name where there is one number for each."""
    o, s = overview, overview.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": sentences.verdict(o),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "control": o.control,
        "gamma": o.gamma,
        "rope": o.rope,
        "prior": o.prior,
        "prior_strength": o.prior_strength,
        "joint": fields(o.joint, ("statements", "algorithms", *_SAID_ONCE)),
        "statements": [fields(statement) for statement in o.joint.statements],
        "ranks": named(o.ranks),
        "friedman": named(o.friedman),
        "friedman_exact": None if o.friedman_exact is None else named(o.friedman_exact),
        "pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "sign": _of_pair(pair.sign),
                "signed_rank": None if pair.signed_rank is None else _of_pair(pair.signed_rank),
            }
            for pair in o.pairs
        ],
    }
    return finite(content | provenance(s, o.cautions, cited_keys(o), command))


def fields(result: Any, without: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a result as plain values, in their order."""
    names = [field.name for field in dataclasses.fields(result) if field.name not in without]
    return {name: plain(getattr(result, name)) for name in names}


def named(result: Any) -> dict[str, Any]:
    """The same, with one number (or list) per algorithm under the algorithm's name."""
    found = fields(result, ("algorithms", *_SAID_ONCE, *_FOR_FIGURES))
    k = len(result.algorithms)
    for key in _BY_NAME:
        if isinstance(found.get(key), list) and len(found[key]) == k:
            found[key] = dict(zip(result.algorithms, found[key], strict=True))
    return found


def _of_pair(posterior: Any) -> dict[str, Any]:
    return fields(posterior, ("a", "b", *_SAID_ONCE, *_FOR_FIGURES))


def plain(value: Any) -> Any:
    """Arrays and tuples as lists, NumPy's numbers as Python's."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value
