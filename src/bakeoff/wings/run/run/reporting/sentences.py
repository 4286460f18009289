"""Sentences on what an experiment showed: the verdict, what it rests on, how large an effect it could have found."""

from bakeoff import numerals
from bakeoff.paired import PAIRED
from bakeoff.wings.run._run import RunResult
from bakeoff.wings.run.analysis.analyse import NULL_VERDICTS, VERDICTS
from bakeoff.wings.run.analysis.results import ExperimentAnalysis, PairAnalysis
from bakeoff.wings.run.design.settings import Question

DECIDED = (*VERDICTS[:2], *NULL_VERDICTS[:2])
DESIGNS = {
    "group": "group-sequential, looks after half, three quarters and all of the problems",
    "anytime": "sequential, may stop after any problem",
}
SIDES = {
    "two-sided": "two-sided",
    "greater": "one-sided (the first is better)",
    "less": "one-sided (the second is better)",
}


CENTRES = {"t": "mean", "wilcoxon": "typical", "sign": "median"}


def tested_centre(question: Question) -> str:
    """What the test is about: ``mean difference``."""
    return f"{CENTRES[question.test]} {question.kind.noun}"


def sides(question: Question) -> str:
    """``one-sided (the first is better)``, or what is tested of a null value."""
    if question.about_equality:
        return SIDES[question.alternative]
    what = f"{tested_centre(question)} is"
    words = {"two-sided": "two-sided (the {} not {})", "greater": "one-sided (the {} above {})"}
    form = words.get(question.alternative, "one-sided (the {} below {})")
    return form.format(what, question.null_words)


def verdict(result: RunResult) -> str:
    """The sentence to remember."""
    analysis = result.analysis
    nothing = "".join(f"{numerals.plain(name)}. There is no verdict on it. " for name in analysis.without_success)
    if nothing and len(analysis.pairs) == 1:
        return nothing.strip()
    return nothing + _decided(analysis)


def _decided(result: ExperimentAnalysis) -> str:
    if len(result.pairs) == 1:
        return (_one if result.question.about_equality else _one_null)(result.pair, result)
    shown = [p for p in result.pairs if p.verdict in DECIDED]
    count = len(result.pairs)
    if result.question.about_equality:
        if not shown:
            return f"None of the {count} pairs of algorithms was shown to differ."
        sentences = [f"{winner} beats {loser}" for winner, loser in map(_order, shown)]
        start = f"A difference was shown for {len(shown)} of {count} pairs"
    else:
        differ, tested = f"{_differ(result.question)} {result.question.null_words}", tested_centre(result.question)
        if not shown:
            return f"For none of the {count} pairs of algorithms was the {tested} shown to {differ}."
        sentences = [f"{numerals.plain(p.a)} and {numerals.plain(p.b)} ({p.verdict.split()[0]})" for p in shown]
        start = f"For {len(shown)} of {count} pairs the {tested} was shown to {differ}"
    listed = ", ".join(sentences[:4]) + (f" and {len(sentences) - 4} more" if len(sentences) > 4 else "")
    return f"{start}: {listed}."


def _differ(question: Question) -> str:
    return {"two-sided": "differ from", "greater": "be above", "less": "be below"}[question.alternative]


def _order(pair: PairAnalysis) -> tuple[str, str]:
    a, b = numerals.plain(pair.a), numerals.plain(pair.b)
    return (a, b) if pair.verdict == "a better" else (b, a)


def _one_null(pair: PairAnalysis, result: ExperimentAnalysis) -> str:
    """``The mean difference between new and old differs from 0.05: it is above, 0.082. Positive: new is better.``"""
    q, a, b = result.question, numerals.plain(pair.a), numerals.plain(pair.b)
    what = f"{tested_centre(q)} between {a} and {b}"
    if pair.verdict == "cannot tell":
        side = "" if q.alternative == "two-sided" else f"{_differ(q)[3:]} "
        return f"This experiment cannot tell whether the {what} is {side}{q.null_words}."
    if pair.verdict not in DECIDED:
        return f"The {what} was not shown to {_differ(q)} {q.null_words}."
    where = "above" if pair.verdict == NULL_VERDICTS[0] else "below"
    differs = (
        f"differs from {q.null_words}: it is {where}" if q.alternative == "two-sided" else f"is {where} {q.null_words}"
    )
    size = (
        ""
        if pair.effect is None or pair.effect.kind == "share of wins"
        else f", {q.kind.written(pair.effect.estimate)}"
    )
    better = f"above × 1: {a} is better" if q.kind.logs else f"positive: {a} is better"
    return f"The {what} {differs}{size} ({better})."


def _one(pair: PairAnalysis, result: ExperimentAnalysis) -> str:
    kind = result.question.kind
    if pair.verdict == "cannot tell":
        return f"This experiment cannot tell whether {numerals.plain(pair.a)} or {numerals.plain(pair.b)} is better."
    if pair.verdict == "no difference shown":
        return f"No difference was shown between {numerals.plain(pair.a)} and {numerals.plain(pair.b)}."
    winner, loser = _order(pair)
    if pair.effect is None or pair.effect.kind == "share of wins":
        return f"{winner} is better than {loser}."
    estimate = pair.effect.estimate
    if (estimate > kind.equal) != (pair.verdict == "a better"):
        return f"{winner} is better than {loser}."
    how = "on average" if result.question.test == "t" else "typically"
    size = kind.effect(abs(kind.difference(estimate)))
    by = f"by a factor of {kind.written(size)[2:]}" if kind.logs else f"by {kind.written(size)}"
    return f"{winner} is better than {loser}, {by} {how}."


def basis(result: RunResult) -> str:
    """Name the test, when it was chosen, and on what it is."""
    analysis, q = result.analysis, result.analysis.question
    test = PAIRED[q.test].noun
    parts = [f"{test[0].upper()}{test[1:]}, {sides(q)}, at α = {q.alpha:g}"]
    parts.append("chosen before the first run")
    if analysis.correction == "holm":
        parts.append(f"{len(analysis.pairs)} pairs with Holm's correction")
    if q.sequential is not None:
        parts.append(DESIGNS[q.sequential])
    problems = numerals.count(analysis.n_problems, "problem")
    if analysis.stopped_early:
        problems = f"stopped after {analysis.looks[-1].n} of {analysis.n_planned} problems"
    parts.append(f"{problems}, {numerals.count(result.n_runs, 'run')}")
    pair = analysis.pair
    if len(analysis.pairs) == 1 and pair.adjusted is not None:
        parts.append(numerals.p_phrase(pair.adjusted, alpha=q.alpha))
    return f"{'; '.join(parts)}."


def power_sentence(result: RunResult) -> tuple[tuple[str, str], ...]:
    """Was it large enough? Terms and sentences."""
    profile = result.analysis.power_profile
    each = (
        "" if profile.n_comparisons == 1 else f" (for each of the {profile.n_comparisons} pairs, at Holm's first level)"
    )
    n = numerals.count(profile.n_problems, "problem")
    if profile.n_effective < profile.n_problems:
        n += f" (looking early leaves the power of {profile.n_effective})"
    q = result.analysis.question
    normal = "" if q.test == "t" else " (assuming they are normal)"
    of = "log ratios" if q.kind.logs else "differences"
    away = "" if q.about_equality else f", counted from {q.null_words},"
    if profile.detectable is None:
        text = f"With {n}, no effect, however large, is detected with probability {profile.wanted_power:g}{each}."
        return (("detectable", text),)
    sentences = [
        (
            "detectable",
            f"With {n}, an effect of |d| = {numerals.decimals(profile.detectable, 3)} standard deviations of the "
            f"{of}{normal}{away} is detected with probability {profile.wanted_power:g}{each}; smaller ones may exist "
            "and go undetected.",
        )
    ]
    if profile.power is not None:
        shown = "> 0.999" if profile.power > 0.9995 else numerals.decimals(profile.power, 3)
        text = f"d = {profile.effect_size:g} is detected with probability {shown}."
        sentences.append(("worth finding", text))
    observed = [p.effect.standardized for p in result.analysis.pairs if p.effect is not None]
    if len(observed) == 1 and observed[0] is not None:
        d = numerals.decimals(observed[0], 3)
        sentences.append(("observed", f"d = {d}: an estimate. Do not plan with it as if it were the true effect."))
    return tuple(sentences)
