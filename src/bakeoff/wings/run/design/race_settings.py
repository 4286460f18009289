"""The settings of a race: rule, level, block and budget; part of the specification that a store belongs to."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from bakeoff.checks import choice, integer, probability
from bakeoff.dataclass import asdict, dataclass, field, fields
from bakeoff.errors import ParameterError, StoreError, WrongTypeError
from bakeoff.wings.run.design.draw_order import several_in_one
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.specification import described
from bakeoff.wings.run.racing._replay import MOST_BLOCK, check_budget, checked_prices
from bakeoff.wings.run.racing.rules import RULES
from bakeoff.wings.run.racing.rules.rule import Rule, for_problems, make_rule, refuse_grid

Option = bool | int | float | str | list[float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceSettings:
    """The validated settings; ``options`` and ``problem_costs`` hold JSON values only.

    ``late``: candidates that were added to a race that had begun, and after how many problems they joined.
    """

    method: str
    alpha: float
    block: int
    budget: float | None
    problem_costs: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Option] = field(default_factory=dict)
    late: Mapping[str, int] = field(default_factory=dict)

    def rule(self, n_candidates: int) -> Rule:
        """A new rule."""
        return make_rule(self.method, n_candidates, self.alpha, **self.options)

    @property
    def identity(self) -> dict[str, Any]:
        """The part that identifies the race in a store. A budget may change: it affects no decision."""
        settings = asdict(self) | {"budget": None}
        if not self.late:
            del settings["late"]
        return settings


class RacedExperiment(Experiment):
    """An experiment with race settings, whose specification, and so its store, differs from that for ``bo.run``."""

    __slots__ = ("race",)
    race: RaceSettings

    def __init__(self, experiment: Experiment, race: RaceSettings) -> None:
        _check_suits(experiment, race)
        for place in fields(Experiment):
            object.__setattr__(self, place.name, getattr(experiment, place.name))
        object.__setattr__(self, "race", race)

    def _described(self) -> dict[str, Any]:
        return described(self) | {"race": self.race.identity}


def race_settings(
    experiment: Experiment,
    method: object,
    alpha: object,
    budget: object,
    block: object,
    problem_costs: Mapping[str, float] | None,
    options: Mapping[str, Any],
) -> RaceSettings:
    """Validated settings for this experiment."""
    refuse_grid(options)
    rule = choice("method", method, RULES)
    return RaceSettings(
        method=rule,
        alpha=probability("alpha", alpha),
        block=integer("block", block, 1, MOST_BLOCK),
        budget=check_budget(budget),
        problem_costs=checked_prices(problem_costs, tuple(experiment.problem_names[i] for i in experiment.order)),
        options={name: _option(name, value) for name, value in options.items()} | _grid(experiment, rule),
    )


def settings_in(spec: Mapping[str, Any]) -> RaceSettings:
    """The settings of a stored race."""
    if not is_race(spec):
        raise StoreError("this store holds the runs of bakeoff run, not of a race")
    return RaceSettings(**spec["race"])


def is_race(spec: Mapping[str, Any]) -> bool:
    return spec.get("race") is not None


def _grid(experiment: Experiment, method: str) -> dict[str, Option]:
    """The steps of the rule's evidence, if it has any; stored, so that a later bakeoff takes the same."""
    grid = for_problems(method, number_of_units(experiment))
    return {"grid": list(grid["grid"])} if "grid" in grid else {}


def number_of_units(experiment: Experiment) -> int:
    """Problems, or clusters of them."""
    return experiment.n_problems if experiment.clusters is None else len(set(experiment.clusters))


def _option(name: str, value: object) -> Option:
    """A JSON value, since the store keeps it for the next start."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and math.isfinite(value)):
        return value
    more = "; a race that can be resumed needs a seed: give a whole number" if name == "rng" else ""
    raise WrongTypeError(f"{name} must be a number, a text, True, False or None; got {value!r}{more}")


def _check_suits(experiment: Experiment, race: RaceSettings) -> None:
    if experiment.repetitions is not None:
        raise ParameterError(
            ": a race gives every surviving candidate the same number of runs on a problem; say runs= instead",
            parameter="repetitions",
        )
    if experiment.question.sequential is not None:
        raise ParameterError(
            f"sequential={experiment.question.sequential!r}: a race stops by its own rule; leave sequential out"
        )
    if not experiment.question.about_equality:
        raise ParameterError(
            f"null_value={experiment.question.null_value:g}: a race eliminates whatever is worse; leave null_value "
            "out, or answer the question with bakeoff run"
        )
    if experiment.question.kind.logs:
        raise ParameterError(
            "differences='log-ratio': a race compares scores as they are; leave differences out, or let the programs "
            "write logarithms"
        )
    rule = race.rule(len(experiment.algorithms) - len(race.late))
    if several_in_one(experiment.cluster_of) is not None:
        rule.take_clusters()
    if rule.takes_differences and experiment.on_failure == "worst":
        raise ParameterError(
            f"on_failure='worst' gives infinite scores, and the racing rule {race.method!r} takes differences; give "
            "the score that a failed run counts as, or race with 'e-sign'"
        )
