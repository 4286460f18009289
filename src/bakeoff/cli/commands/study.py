"""``bakeoff study``: how well do the procedures work? Racing rules where the truth is known, tests on real tables."""

import gc
from typing import Any

import click

from bakeoff.checks import choice
from bakeoff.cli.commands.study_power import power
from bakeoff.cli.method_options import method_options
from bakeoff.cli.options import OUTPUT, Command, ListingOption, add_options, given, listed, show
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError

Found = list[tuple[dict[str, Any], Any]]  # options of the method, and its result

_OWN = {"rng": "--seed S", "n_problems": "--problems N or --rounds M", "budget": "--budget B"}


def _methods() -> str:
    from bakeoff.racing.rules import RULES

    return f"{listed(RULES)}. Repeatable or comma-separated; one row each."


_SHARED = (
    click.option("--method", "methods", metavar="NAME", multiple=True, cls=ListingOption, describe=_methods),
    click.option(
        "--candidates", "n_candidates", type=int, metavar="Q", help="Candidates per race. Default: 30; race-errors: 10."
    ),
    click.option("--alpha", type=float, metavar="A", help="Level of the rule. Default: 0.05."),
    click.option("--block", type=int, metavar="N", help="Problems between two decisions. Default: 5."),
    click.option("--budget", type=float, metavar="B", help="Evaluations that sequential-halving spends."),
    click.option(
        "--option",
        "settings",
        metavar="NAME=VALUE",
        multiple=True,
        help="An option for the methods that have it, for example strict=true or gate=false. Repeatable.",
    ),
    click.option("--repetitions", type=int, metavar="R", default=100, help="Simulated races. Default: 100."),
    click.option("--seed", "rng", type=int, metavar="S", help="Seed of the races. Default: 0."),
    *OUTPUT,
)


_shared = add_options(*_SHARED)


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
@click.option("--rho", type=float, metavar="SD", help="Standard deviation of every score; means lie in [0, 1].")
@click.option("--rounds", type=int, metavar="M", help="At most M blocks. Default: 300.")
@_shared
@click.pass_context
def race(ctx: click.Context, /, **options: Any) -> None:
    """Which candidate does a race choose, and how long does it take?

    The experiment of Benavoli et al. (2015), section 7.1: normal scores, with means of the candidates uniform on
    [0, 1]. ITER is the share of rounds used, MAE the number of candidates better than the one chosen.

    \b
    bakeoff study race --method e-sign,e-rank,irace --candidates 30 --rho 1
    """
    _study(ctx, "race", options)


@command.command(name="race-errors", cls=Command)
@click.option("--best", "n_best", type=int, metavar="N", help="N candidates are equal and best. Default: all.")
@click.option(
    "--chance", type=float, metavar="P", help="Probability that a best candidate beats one of the others. Default: 0.5."
)
@click.option("--problems", "n_problems", type=int, metavar="N", help="At most N problems. Default: 500.")
@click.option("--noise", metavar="NAME", help="normal (default), or t2: heavy tails.")
@_shared
@click.pass_context
def race_errors(ctx: click.Context, /, **options: Any) -> None:
    """How often does a rule eliminate a best candidate, with a look after every block?

    \b
    bakeoff study race-errors --method e-sign,f-race-sign,wilcoxon --candidates 10
    """
    _study(ctx, "race_errors", options)


def _study(ctx: click.Context, name: str, options: dict[str, Any]) -> None:
    as_json, targets = options.pop("as_json"), find_targets(options.pop("reports"), "")
    asked = given(options)
    methods = [part.strip() for text in asked.pop("methods", ("e-sign",)) for part in text.split(",")]
    settings, budget = asked.pop("settings", ()), asked.pop("budget", None)
    found = _found(name, methods, asked, settings, budget)
    from bakeoff.report.study.document import Studies

    show(Studies(name.replace("_", "-"), found, asked.get("rng", 0)), ctx, as_json, targets)


def _found(name: str, methods: list[str], asked: dict[str, Any], texts: tuple[str, ...], budget: float | None) -> Found:
    """A result per method; all options are checked before the first race."""
    import bakeoff as bo

    own = _options(methods, texts, budget)
    study = getattr(bo.study, name)
    gc.freeze()
    gc.enable()
    return [
        (own[method], study(method, progress=counter(f"{method}: races", patience=0.5), **asked, **own[method]))
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
