"""``bakeoff plan``: how many problems and runs an experiment needs, or what a given one can see."""

import gc
import math
from dataclasses import replace
from typing import Any

import click

from bakeoff.analyses.plan.parameters import OF_PILOT, TESTING
from bakeoff.cli.analyses import options
from bakeoff.cli.options import (
    READING,
    TABLE,
    Command,
    ListingOption,
    add_options,
    number_or_text,
    read_table,
    require_better,
    show,
)
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import Source, typed
from bakeoff.errors import ParameterError


def _formats() -> str:
    from bakeoff.report import suffixes

    answer, curve, points = (" ".join(group) for group in suffixes(tex_is_picture=True).values())
    return f"Also write the answer ({answer}), the power curve ({curve}) or its points ({points}). Repeatable."


@click.command(name="plan", cls=Command)
@click.argument("what", nargs=-1, metavar="[check PILOT…]")
@options(*TESTING)
@click.option("--better", metavar="lower|higher", help="Which scores of the pilot are good. Required for a table.")
@add_options(*TABLE)
@options(*OF_PILOT)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.option("--report", "--figure", "reports", metavar="PATH", multiple=True, cls=ListingOption, describe=_formats)
@click.pass_context
def command(ctx: click.Context, /, as_json: bool, reports: tuple[str, ...], **chosen_options: Any) -> None:
    """How many problems does the experiment need, or what can it detect?

    Give all but one of the number of problems, effect, power and alpha; the missing one is computed. Power defaults to
    0.8, alpha to 0.05.

    check takes times of one program on both sides, as of bakeoff time --store. It plans the pairs of runs with which
    bakeoff check finds a worsening of twice the margin, or of --effect 8%. Alpha is 0.01 then.

    \b
    bakeoff plan --effect 0.5 --power 0.8 --algorithms 4 --comparisons all-pairs
    bakeoff plan --n 40 --test wilcoxon
    bakeoff plan --margin 0.3 --power 0.8
    bakeoff plan --pilot pilot.csv --better lower --delta 5 --se 1
    bakeoff plan check pilot.jsonl --margin 5%
    bakeoff plan --questions --delta 0.03 --pilot answers.csv --better higher
    bakeoff plan --questions --delta 0.03 --accuracy 0.7 --agreement 0.8
    """
    gc.freeze()
    gc.enable()
    what = chosen_options.pop("what")
    chosen_options = {
        name: value for name, value in chosen_options.items() if value not in (None, ()) and value is not False
    }
    if what:
        answer = _of_check(what, chosen_options, ctx)
        return show(answer, ctx, as_json, find_targets(reports, *what[1:]))
    if "margin" in chosen_options:
        chosen_options["margin"] = number_or_text(chosen_options["margin"])
    if "pilot" in chosen_options or "label" in chosen_options:
        chosen_options["pilot"] = Source.of(
            [chosen_options["pilot"]] if "pilot" in chosen_options else [], chosen_options.get("label")
        )
    if not {"effect", "n", "pilot", "margin", "questions"} & set(chosen_options):
        raise click.UsageError(
            "pass --effect D (how many problems does it take?), --n N (what can N problems detect?), --margin M (how "
            "many to show that two are equal?) or --pilot FILE (what does a first experiment show?)",
            ctx,
        )
    targets = find_targets(reports, *([chosen_options["pilot"]] if "pilot" in chosen_options else []))
    from bakeoff.analyses.plan.reporting.answers import Answers
    from bakeoff.report import suffixes

    parts = _of_questions(chosen_options, ctx) if "questions" in chosen_options else _answers(chosen_options, ctx)
    answers, pictures = Answers(tuple(parts)), suffixes(tex_is_picture=True)["the diagram"]
    if any(target.path.suffix.lower() in pictures for target in targets) and not any(x.curve for x in answers.parts):
        raise ParameterError("--report: this question has no power curve to draw")
    show(answers, ctx, as_json, targets)


def _of_check(what: tuple[str, ...], options: dict[str, Any], ctx: click.Context) -> Any:
    """``check PILOT``, a file with both sides, or one of each."""
    import bakeoff as bo
    from bakeoff.analyses.plan.reporting.answers import Answers, check_answer

    if what[0] != "check" or not 1 < len(what) < 4:
        raise click.UsageError("say check and a pilot, one file with both sides or two: check pilot.jsonl", ctx)
    reading = {name: options.pop(name) for name in ("better", "format", "metric") if name in options}
    if stray := sorted(set(options) - {"margin", "effect", "power", "alpha"}):
        raise click.UsageError(f"{typed(stray[0])} does not go with check", ctx)
    if "margin" not in options:
        raise click.UsageError("--margin is required: the worsening that may pass, such as --margin 5%", ctx)
    source: Any = what[1] if len(what) == 2 else {"first": what[1], "second": what[2]}
    arguments = {"worsening" if name == "effect" else name: value for name, value in options.items()}
    arguments |= {name: number_or_text(arguments[name]) for name in ("margin", "worsening") if name in arguments}
    table = len(what) == 2 and what[1].lower().endswith((".csv", ".tsv"))
    if table:
        require_better(what[1], reading.get("better"), ctx)
    pilot = (bo.read_scores if table else bo.read_results)(source, missing="keep", **reading)
    return Answers((check_answer(bo.plan.check(pilot, **arguments)),))


_ABOUT_PILOT = ("better", "control", "difference", "form", "delta", "se", "min_runs", *READING)
_TESTING = ("alpha", "alternative", "test", "n_algorithms", "comparisons", "target", "method", "rng",
            "cluster_size", "icc", "cluster_cv", "margin", "claim")  # fmt: skip


def _answers(chosen_options: dict[str, Any], ctx: click.Context) -> list[Any]:
    """What the pilot shows, and what is computed besides."""
    for option, name in (("between", "omega2"), ("within", "sigma2"), *((x, x) for x in (*_RIGHT, "answers"))):
        if name in chosen_options:
            raise click.UsageError(f"--{option} needs --questions", ctx)
    all_answers, options = [], {name: chosen_options[name] for name in _TESTING if name in chosen_options}
    effect = _numbers(chosen_options["effect"]) if "effect" in chosen_options else None
    if "margin" in chosen_options and "delta" in chosen_options:
        raise click.UsageError(
            "--delta is a difference to detect; with --margin pass --effect, the true difference", ctx
        )
    if "pilot" in chosen_options:
        answers, pilot_effect, n_algorithms = _pilot(chosen_options, ctx)
        all_answers += answers
        options.setdefault("n_algorithms", n_algorithms)
        if "control" in chosen_options:
            options.setdefault("comparisons", "control")
        if effect is None and pilot_effect is not None:  # Friedman's unit is the residual standard deviation, σ/√2
            effect = pilot_effect * (math.sqrt(2) if chosen_options.get("test") == "friedman" else 1.0)
    elif stray := [name for name in _ABOUT_PILOT if name in chosen_options]:
        raise click.UsageError(f"{typed(stray[0])} needs --pilot FILE", ctx)
    computed = _computed(chosen_options, effect, options, ctx)
    return all_answers if computed is None else [*all_answers, computed]


def _computed(chosen_options: dict[str, Any], effect: Any, options: dict[str, Any], ctx: click.Context) -> Any:
    """The quantity to compute is the one that is not given; None if it takes an effect or a number of problems."""
    from bakeoff.analyses.plan.reporting import answers

    n, power = chosen_options.get("n"), chosen_options.get("power", 0.8)
    if n is None:
        return None if effect is None and "margin" not in options else answers.how_many(effect, power, options)
    if "margin" in options:
        if "power" in chosen_options:
            raise click.UsageError("n, margin and power are all given; leave out --n or --power", ctx)
        return answers.how_probable_inside(n, effect, options)
    if effect is None:
        return answers.what_is_seen(n, power, options)
    if "power" not in chosen_options:
        return answers.how_probable(n, effect, options)
    if "alpha" in chosen_options:
        raise click.UsageError("n, effect, power and alpha are all given: nothing is left to compute", ctx)
    return answers.which_level(n, effect, power, options)


_RIGHT = ("accuracy", "agreement")
_OF_QUESTIONS = ("questions", "delta", "omega2", "sigma2", *_RIGHT, "answers", "n", "margin", "power", "alpha",
                 "method", "pilot", "better", "control", "cluster_size", "icc", "cluster_cv", *READING)  # fmt: skip


def _of_questions(chosen_options: dict[str, Any], ctx: click.Context) -> list[Any]:
    """Variances from a pilot or as given, then the plan."""
    if stray := [name for name in chosen_options if name not in _OF_QUESTIONS]:
        option = {"n_algorithms": "algorithms", "rng": "seed"}.get(stray[0], stray[0])
        raise click.UsageError(f"{typed(option)} does not go with --questions", ctx)
    import bakeoff as bo
    from bakeoff.analyses.plan.reporting.questions import question_variance_answer, question_variances, questions_answer

    names = ("n", "margin", "power", "alpha", "method", "cluster_size", "icc", "cluster_cv", *_RIGHT)
    options = {name: chosen_options[name] for name in names if name in chosen_options}
    for name in ("sigma2", "answers"):
        if name in chosen_options:
            numbers = _numbers(chosen_options[name], {"sigma2": "within"}.get(name, name))
            parts = numbers if isinstance(numbers, list) else [numbers]
            parts = [int(x) if name == "answers" and x == int(x) else x for x in parts]
            options[name] = parts[0] if len(parts) == 1 else tuple(parts)
    if "delta" in chosen_options:
        options["difference"] = chosen_options["delta"]
    if "pilot" not in chosen_options:
        if stray := [name for name in ("better", "control", *READING) if name in chosen_options]:
            raise click.UsageError(f"{typed(stray[0])} needs --pilot FILE", ctx)
        if not {"omega2", "sigma2", *_RIGHT} & set(chosen_options):
            instead = "without one --accuracy 0.7 --agreement 0.8, or --between and --within"
            raise click.UsageError(f"--questions needs --pilot FILE; {instead}", ctx)
        return [questions_answer(bo.plan.questions(omega2=chosen_options.get("omega2", 0.0), **options))]
    if {"omega2", "sigma2", *_RIGHT} & set(chosen_options):
        rule = "--between, --within, --accuracy and --agreement come from the pilot; leave them out, or --pilot"
        raise click.UsageError(rule, ctx)
    scores = _pilot_scores(chosen_options, ctx)
    parts = question_variances(scores, chosen_options.get("control"))
    if not {"delta", "n", "margin"} & set(chosen_options):
        return [question_variance_answer(parts)]
    plans = [(bo.plan.questions(omega2=part, **options), part) for part in parts]
    planned, dearest = max(plans, key=lambda each: (each[0].n, each[0].difference, -each[0].power))
    answer = questions_answer(planned, dearest if len(parts) > 1 else None)
    return [answer, question_variance_answer(parts)]


def _pilot(options: dict[str, Any], ctx: click.Context) -> tuple[list[Any], float | None, int]:
    if "delta" in options and "effect" in options:
        raise click.UsageError("--delta and --effect both name the effect that matters; give one of them", ctx)
    from bakeoff.analyses.plan.reporting.pilot import runs_answer, variance_answer

    scores = _pilot_scores(options, ctx)
    difference, form = options.get("difference", "simple"), options.get("form", "corrected")
    answers, effect = [], None
    if scores.clusters is None or "se" not in options or "delta" in options:  # runs are planned problem by problem
        answer, effect = variance_answer(scores, options.get("control"), options.get("delta"), difference, form)
        answers.append(answer)
    if "se" in options:
        names = ("control", "difference", "form", "min_runs")
        answers.append(runs_answer(scores, options["se"], {name: options[name] for name in names if name in options}))
    return answers, effect, scores.n_algorithms


def _pilot_scores(options: dict[str, Any], ctx: click.Context) -> Any:
    require_better(options["pilot"], options.get("better"), ctx)
    reading = {name: options[name] for name in READING if name in options}
    from bakeoff.analyses import of_command
    from bakeoff.designed import refuse_features

    scores = read_table(options["pilot"], options.get("better"), reading)
    record, unused = of_command("plan"), frozenset[str]() if "questions" in options else {"weights"}
    refuse_features(scores, replace(record, respects=record.respects - unused))
    return scores


def _numbers(text: str, option: str = "effect") -> Any:
    """``0.5`` -> 0.5, ``0,0,0.5`` -> a list."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"--{option} must be a number, or numbers separated by commas; got {text!r}") from None
    return numbers[0] if len(numbers) == 1 else numbers
