"""The racing rules by name."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from bakeoff.checks import choice, did_you_mean
from bakeoff.errors import ParameterError
from bakeoff.racing.rule import Rule
from bakeoff.racing.rules.bayes import BayesRace
from bakeoff.racing.rules.e_dominance import DominanceRace
from bakeoff.racing.rules.e_rank import RankRace
from bakeoff.racing.rules.e_sign import SignRace
from bakeoff.racing.rules.field_rules import IteratedRace, MeanRankFieldRace, SignedRankRace, SignFieldRace
from bakeoff.racing.rules.halving import HalvingRace

RULES: dict[str, type[Rule]] = {
    rule.name: rule
    for rule in (
        SignRace,
        RankRace,
        HalvingRace,
        SignFieldRace,
        MeanRankFieldRace,
        IteratedRace,
        SignedRankRace,
        BayesRace,
    )
}
METRIC_RULES: dict[str, type[Rule]] = {DominanceRace.name: DominanceRace}  # races with several metrics


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
    return (RULES | METRIC_RULES)[method](n_candidates, alpha, **options)


def refuse_settled(options: Mapping[str, Any]) -> None:
    """A plan for more problems than there are would end in the middle."""
    if "n_problems" in options:
        raise ParameterError("n_problems is the number of problems that there are to race on and cannot be given")


def options_of(method: str) -> dict[str, Any]:
    """The options of a method and their defaults; ``inspect.Parameter.empty`` for those that must be given."""
    rules = RULES | METRIC_RULES
    parameters = inspect.signature(rules[choice("method", method, rules)].__init__).parameters
    return {name: p.default for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}
