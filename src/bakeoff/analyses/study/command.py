"""``bakeoff study``: how well do the procedures work? Racing rules where the truth is known, tests on real tables."""

import gc
from typing import Any

import click

from bakeoff.analyses.study.parameters import OF_CHOICES, OF_ERRORS, OF_RACES, SEED
from bakeoff.analyses.study.power_command import power
from bakeoff.checks import choice
from bakeoff.cli.analyses import F, options
from bakeoff.cli.experiments import method_options
from bakeoff.cli.options import OUTPUT, Command, add_options, given, show
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError

Found = list[tuple[dict[str, Any], Any]]  # options of the method, and its result

_OWN = {"rng": "--seed S", "n_problems": "--problems N or --rounds M", "budget": "--budget B"}


def _shared(function: F) -> F:
    """After the options of its own; the number of races is fewer than in the library."""
    repetitions = click.option(
        "--repetitions", type=int, metavar="R", default=100, help="Simulated races. Default: 100."
    )
    return options(*OF_RACES)(repetitions(options(SEED)(add_options(*OUTPUT)(function))))


@click.group(name="study")
def command() -> None:
    """How well do the procedures work? Racing rules simulated, tests on draws of problems from a table.

    \b
    bakeoff study power accuracy.csv --better higher --a ours --b baseline
    bakeoff study race --method e-sign,irace --candidates 30
    bakeoff study race-errors --method f-race-sign --problems 500
    """


command.add_command(power)


@command.command(name="race", cls=Command)
@options(*OF_CHOICES)
@_shared
@click.pass_context
def race(ctx: click.Context, /, **chosen_options: Any) -> None:
    """Which candidate does a race choose, and how long does it take?

    The experiment of Benavoli et al. (2015), section 7.1: normal scores, with means of the candidates uniform on
    [0, 1]. ITER is the share of rounds used, MAE the number of candidates better than the one chosen.

    \b
    bakeoff study race --method e-sign,e-rank,irace --candidates 30 --rho 1
    """
    _study(ctx, "race", chosen_options)


@command.command(name="race-errors", cls=Command)
@options(*OF_ERRORS)
@_shared
@click.pass_context
def race_errors(ctx: click.Context, /, **chosen_options: Any) -> None:
    """How often does a rule eliminate a best candidate, with a look after every block?

    \b
    bakeoff study race-errors --method e-sign,f-race-sign,wilcoxon --candidates 10
    """
    _study(ctx, "race_errors", chosen_options)


def _study(ctx: click.Context, name: str, options: dict[str, Any]) -> None:
    as_json, targets = options.pop("as_json"), find_targets(options.pop("reports"), "")
    options = given(options)
    methods = [part.strip() for text in options.pop("methods", ("e-sign",)) for part in text.split(",")]
    settings, budget = options.pop("settings", ()), options.pop("budget", None)
    results = _found(name, methods, options, settings, budget)
    from bakeoff.analyses.study.telling.document import Studies

    show(Studies(name.replace("_", "-"), results, options.get("rng", 0)), ctx, as_json, targets)


def _found(
    name: str, methods: list[str], options: dict[str, Any], texts: tuple[str, ...], budget: float | None
) -> Found:
    """A result per method; all options are checked before the first race."""
    import bakeoff as bo

    own = _options(methods, texts, budget)
    study = getattr(bo.study, name)
    gc.freeze()
    gc.enable()
    return [
        (own[method], study(method, progress=counter(f"{method}: races", patience=0.5), **options, **own[method]))
        for method in dict.fromkeys(methods)
    ]


def _options(methods: list[str], texts: tuple[str, ...], budget: float | None) -> dict[str, dict[str, Any]]:
    """Options per method: each goes to every method that has it; at least one must."""
    from bakeoff.racing.rules import RULES, options_of

    has = {method: options_of(choice("method", method, RULES)) for method in methods}
    for text in texts:
        if text.partition("=")[0] in _OWN:
            raise ParameterError(f"--option {text!r}: the study sets that; say {_OWN[text.partition('=')[0]]}")
        if not any(text.partition("=")[0] in known for known in has.values()):
            method_options((text,), methods[0])  # raises the error
    own: dict[str, dict[str, Any]] = {}
    for method in methods:
        mine = [text for text in texts if text.partition("=")[0] in has[method]]
        own[method] = method_options(tuple(mine), method)
        if "budget" in has[method]:
            if budget is None:
                raise ParameterError(f"--budget B is needed by {method!r}: the evaluations that it spends")
            own[method]["budget"] = budget
    if budget is not None and not any("budget" in known for known in has.values()):
        raise ParameterError("--budget is for sequential-halving only")
    return own
