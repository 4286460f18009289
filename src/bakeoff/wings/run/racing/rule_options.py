"""A rule by its name, with its options."""

import inspect
from collections.abc import Mapping
from typing import Any

from bakeoff.checks import choice, did_you_mean
from bakeoff.errors import ParameterError
from bakeoff.wings.run.racing.pair_evidence import horizon_grid
from bakeoff.wings.run.racing.rules import METRIC_RULES, RULES
from bakeoff.wings.run.racing.rules.rule import Rule


def rule_of(method: str | type[Rule]) -> type[Rule]:
    """The class of a rule, for one metric or several; a class is itself."""
    if not isinstance(method, str):
        return method
    choice("method", method, (*RULES, *METRIC_RULES))
    return (RULES if method in RULES else METRIC_RULES)[method]


def make_rule(method: str | type[Rule], n_candidates: int, alpha: float = 0.05, /, **options: Any) -> Rule:
    """A rule at its start; ``options`` are those of the method (see ``bo.race.replay``)."""
    known = options_of(method)
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known)
            takes = ", ".join(known) if known else "none"
            raise ParameterError(f"method {method!r} has no option {name!r}{hint}; its options: {takes}")
    return rule_of(method)(n_candidates, alpha, **options)


def for_problems(method: str | type[Rule], n_problems: int) -> dict[str, Any]:
    """The options of a method that follow from the number of problems."""
    return {"grid": horizon_grid(n_problems)} if "grid" in options_of(method) else {}


def refuse_grid(options: Mapping[str, Any]) -> None:
    """The grid comes from the data."""
    if "grid" in options:
        raise ParameterError("follows from the number of problems and cannot be given", parameter="grid")


def options_of(method: str | type[Rule]) -> dict[str, Any]:
    """The options of a method and their defaults."""
    parameters = inspect.signature(rule_of(method).__init__).parameters
    return {name: p.default for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}
