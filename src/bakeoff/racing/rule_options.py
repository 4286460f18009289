"""A rule by its name, with its options."""

import inspect
from collections.abc import Mapping
from typing import Any

from bakeoff.checks import choice, did_you_mean
from bakeoff.errors import ParameterError
from bakeoff.racing.pair_evidence import horizon_grid
from bakeoff.racing.rules import METRIC_RULES, RULES
from bakeoff.racing.rules.rule import Rule


def rule_of(method: str) -> type[Rule]:
    """The class of a rule, for one metric or several."""
    choice("method", method, (*RULES, *METRIC_RULES))
    return (RULES if method in RULES else METRIC_RULES)[method]


def make_rule(method: str, n_candidates: int, alpha: float = 0.05, /, **options: Any) -> Rule:
    """A rule at its start; ``options`` are those of the method (see ``bo.race.replay``)."""
    known = options_of(method)
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known)
            takes = ", ".join(known) if known else "none"
            raise ParameterError(f"method {method!r} has no option {name!r}{hint}; its options: {takes}")
    for name, default in known.items():
        if default is inspect.Parameter.empty and name not in options:
            raise ParameterError(f"method {method!r} needs {name}=")
    return rule_of(method)(n_candidates, alpha, **options)


def for_problems(method: str, n_problems: int) -> dict[str, Any]:
    """The options of a method that follow from the number of problems."""
    values = {"n_problems": n_problems, "grid": horizon_grid(n_problems)}
    return {name: value for name, value in values.items() if name in options_of(method)}


def refuse_n_problems(options: Mapping[str, Any]) -> None:
    """n_problems and grid come from the data; a plan for more problems would end early."""
    if "n_problems" in options:
        rule = "is the number of problems that there are to race on and cannot be given"
        raise ParameterError(rule, parameter="n_problems")
    if "grid" in options:
        raise ParameterError("follows from the number of problems and cannot be given", parameter="grid")


def options_of(method: str) -> dict[str, Any]:
    """The options of a method and their defaults; ``inspect.Parameter.empty`` for those that must be given."""
    parameters = inspect.signature(rule_of(method).__init__).parameters
    return {name: p.default for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}
