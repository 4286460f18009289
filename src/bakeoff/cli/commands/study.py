"""``bakeoff study``: how good are the procedures themselves? Simulations with known truth, as a table."""

from __future__ import annotations

import dataclasses
import gc
import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click

from bakeoff.checks import choice
from bakeoff.cli.commands.race import method_settings
from bakeoff.cli.counter import counter
from bakeoff.cli.options import as_options, given
from bakeoff.errors import BakeoffError, ParameterError, counted

Found = list[tuple[dict[str, Any], Any]]  # options of the method, and what came out
F = TypeVar("F", bound=Callable[..., Any])

_OWN = {"rng": "--seed S", "n_problems": "--problems N or --rounds M", "budget": "--budget B"}
_SHARED = (
    click.option(
        "--method",
        "methods",
        metavar="NAME",
        multiple=True,
        help="e-sign (default), e-rank, f-race-sign, f-race-mean-ranks, irace, wilcoxon, bayes, sequential-halving. "
        "Repeatable or comma-separated: a row each.",
    ),
    click.option(
        "--candidates", "n_candidates", type=int, metavar="Q", help="In a race. Default: 30; race-errors: 10."
    ),
    click.option("--alpha", type=float, metavar="A", help="The rule's level. Default: 0.05."),
    click.option("--block", type=int, metavar="N", help="Problems between two decisions. Default: 5."),
    click.option("--budget", type=float, metavar="B", help="Evaluations that sequential-halving spends."),
    click.option(
        "--option",
        "settings",
        metavar="NAME=VALUE",
        multiple=True,
        help="Of the methods that have it, for example strict=true or gate=false. Repeatable.",
    ),
    click.option("--repetitions", type=int, metavar="R", default=100, help="Simulated races. Default: 100."),
    click.option("--seed", "rng", type=int, metavar="S", help="Default: 0, the same races every time."),
    click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else."),
)


def _shared(command: F) -> F:
    for option in reversed(_SHARED):
        command = option(command)
    return command


@click.group(name="study")
def command() -> None:
    """How good are the procedures themselves? Simulations with known truth.

    \b
    bakeoff study race --method e-sign,irace --candidates 30
    bakeoff study race-errors --method f-race-sign --problems 500
    """


@command.command(name="race")
@click.option("--rho", type=float, metavar="SD", help="Standard deviation of every score; means lie in [0, 1].")
@click.option("--rounds", type=int, metavar="M", help="At most so many blocks. Default: 300.")
@_shared
@click.pass_context
def race(ctx: click.Context, /, **options: Any) -> None:
    """Whom does a race choose, and how long does it take?

    The experiment of Benavoli et al. (2015), section 7.1: candidates whose means are uniform on [0, 1], normal scores.
    ITER is the share of the rounds that was used, MAE how many candidates are better than the one chosen.

    \b
    bakeoff study race --method e-sign,e-rank,irace --candidates 30 --rho 1
    """
    _study(ctx, "race", options)


@command.command(name="race-errors")
@click.option("--best", "n_best", type=int, metavar="N", help="So many are equally good and the best. Default: all.")
@click.option(
    "--chance", type=float, metavar="P", help="How probably a best one beats one of the others. Default: 0.5."
)
@click.option("--problems", "n_problems", type=int, metavar="N", help="At most so many. Default: 500.")
@click.option("--noise", metavar="NAME", help="normal (default), or t2: heavy tails.")
@_shared
@click.pass_context
def race_errors(ctx: click.Context, /, **options: Any) -> None:
    """How often does a rule remove a best candidate, looking after every block?

    \b
    bakeoff study race-errors --method e-sign,f-race-sign,wilcoxon --candidates 10
    """
    _study(ctx, "race_errors", options)


def _study(ctx: click.Context, name: str, options: dict[str, Any]) -> None:
    as_json = options.pop("as_json")
    asked = given(options)
    methods = [part.strip() for text in asked.pop("methods", ("e-sign",)) for part in text.split(",")]
    settings, budget = asked.pop("settings", ()), asked.pop("budget", None)
    try:
        found = _found(name, methods, asked, settings, budget)
    except BakeoffError as error:
        message = re.sub("^method(?= must)", "--method", str(error))
        raise click.ClickException(as_options(message, ctx.command)) from error
    if as_json:
        click.echo(_json(name, found, asked.get("rng", 0)))
        return
    page = "\n".join((_race_page if name == "race" else _errors_page)(found, asked.get("rng", 0)))
    click.echo(page if _can_write(page) else _ascii(page))


def _found(name: str, methods: list[str], asked: dict[str, Any], texts: tuple[str, ...], budget: float | None) -> Found:
    """A result for each method; what they take is settled before the first race is run."""
    import bakeoff as bo

    own = _options(methods, texts, budget)
    study = getattr(bo.study, name)
    gc.enable()
    return [
        (own[method], study(method, progress=counter(f"{method}: races", patience=0.5), **asked, **own[method]))
        for method in dict.fromkeys(methods)
    ]


def _options(methods: list[str], texts: tuple[str, ...], budget: float | None) -> dict[str, dict[str, Any]]:
    """Of each method: an option goes to every method that has it, and there must be one."""
    from bakeoff.racing.rules import RULES, options_of

    has = {method: options_of(choice("method", method, RULES)) for method in methods}
    for text in texts:
        if text.partition("=")[0] in _OWN:
            raise ParameterError(
                f"--option {text!r}: the study settles that itself; say {_OWN[text.partition('=')[0]]}"
            )
        if not any(text.partition("=")[0] in known for known in has.values()):
            method_settings((text,), methods[0])  # says what is wrong with it
    own: dict[str, dict[str, Any]] = {}
    for method in methods:
        mine = [text for text in texts if text.partition("=")[0] in has[method]]
        own[method] = method_settings(tuple(mine), method)
        if "budget" in has[method]:
            if budget is None:
                raise ParameterError(f"--budget B is needed by {method!r}: the evaluations that it spends")
            own[method]["budget"] = budget
    if budget is not None and not any("budget" in known for known in has.values()):
        raise ParameterError("--budget is for sequential-halving; the other methods race to the end")
    return own


def _race_page(found: Found, seed: int) -> Iterator[str]:
    one = found[0][1]
    yield (
        f"{counted(one.n_candidates, 'candidate')}, means uniform on [0, 1], standard deviation {one.rho:g}; at most "
        f"{counted(one.rounds, 'round')} of {counted(one.block, 'problem')}; {counted(one.repetitions, 'race')} a row, "
        f"seed {seed}."
    )
    yield ""
    yield "| method | ITER | MAE | best removed (95 %) | left | equivalent | evaluations per candidate |"
    yield "|---|---|---|---|---|---|---|"
    for options, r in found:
        iterations, mae = f"{r.iterations:.2f} ± {r.iterations_error:.2f}", f"{r.mae:.2f} ± {r.mae_error:.2f}"
        yield (
            f"| {_label(r, options)} | {iterations} | {mae} | {_share(r.best_lost, r.repetitions)} | "
            f"{r.n_survivors:.1f} | {r.n_equivalent:.1f} | {r.evaluations:.1f} |"
        )
    yield ""
    yield (
        "ITER: share of the rounds that was used. MAE: how many candidates are better than the one chosen. "
        "± is one standard error."
    )
    yield from _cautions(found)


def _errors_page(found: Found, seed: int) -> Iterator[str]:
    one = found[0][1]
    others = one.n_candidates - one.n_best
    field = (
        f"{counted(one.n_candidates, 'candidate')}, all equal"
        if not others
        else (
            f"{one.n_best} equal and best of {counted(one.n_candidates, 'candidate')}, each beating the other {others} "
            f"with probability {one.chance:g}"
        )
    )
    yield (
        f"{field}; {one.noise} noise; at most {counted(one.n_problems, 'problem')}, a look after every "
        f"{counted(one.block, 'problem')}; {counted(one.repetitions, 'race')} a row, seed {seed}."
    )
    yield ""
    yield "| method | a given best one removed (95 %) | any best one removed (95 %) |"
    yield "|---|---|---|"
    for options, r in found:
        yield f"| {_label(r, options)} | {_share(r.lost, r.repetitions)} | {_share(r.any_lost, r.repetitions)} |"
    yield from _cautions(found)


def _share(share: float, races: int) -> str:
    """A share of races in percent, and its interval of Clopper and Pearson (1934): 0 of 100 may still be 3.6 %."""
    from scipy.special import betaincinv

    count = round(share * races)
    low = float(betaincinv(count, races - count + 1, 0.025)) if count else 0.0
    high = float(betaincinv(count + 1, races - count, 0.975)) if count < races else 1.0
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _label(result: Any, options: dict[str, Any]) -> str:
    """The method and what was chosen for it."""
    chosen = ", ".join(f"{name} = {value}" for name, value in options.items())
    return f"{result.method} ({chosen})" if chosen else str(result.method)


def _cautions(found: Found) -> Iterator[str]:
    lines = [f"* {result.method}: {caution.text}" for _, result in found for caution in result.cautions]
    if lines:
        yield from ("", "Cautions:", "", *lines)


def _json(name: str, found: Found, seed: int) -> str:
    from bakeoff._version import __version__

    content = {
        "schema": f"bakeoff.study.{name.replace('_', '-')}/1",
        "seed": seed,
        "studies": [{**dataclasses.asdict(result), "options": options} for options, result in found],
        "versions": {"bakeoff": __version__},
    }
    return json.dumps(content, ensure_ascii=True, indent=1, allow_nan=False)


def _can_write(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _ascii(page: str) -> str:
    from bakeoff.report.formats.terminal import to_ascii

    return to_ascii(page.replace("±", "+-"))
