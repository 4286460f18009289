"""Sentences on what an experiment showed: the verdict, what it rests on, how large an effect it could have found."""

from bakeoff import numerals
from bakeoff.paired import PAIRED
from bakeoff.wings.run._run import RunResult
from bakeoff.wings.run.analysis.results import ExperimentAnalysis, PairAnalysis

DECIDED = ("a better", "b better")
DESIGNS = {
    "group": "group-sequential, looks after half, three quarters and all of the problems",
    "anytime": "sequential, may stop after any problem",
}
SIDES = {
    "two-sided": "two-sided",
    "greater": "one-sided (the first is better)",
    "less": "one-sided (the second is better)",
}


def amount(value: float, percent: bool) -> str:
    """A difference: ``12.3 %`` of the reference, or a score."""
    return f"{numerals.decimals(100 * value, 2)} %" if percent else numerals.score(value)


def verdict(result: RunResult) -> str:
    """The sentence to remember."""
    analysis = result.analysis
    nothing = "".join(f"{numerals.plain(name)}. There is no verdict on it. " for name in analysis.without_success)
    if nothing and len(analysis.pairs) == 1:
        return nothing.strip()
    return nothing + _decided(analysis)


def _decided(result: ExperimentAnalysis) -> str:
    if len(result.pairs) == 1:
        return _one(result.pair, result)
    shown = [p for p in result.pairs if p.verdict in DECIDED]
    if not shown:
        return f"None of the {len(result.pairs)} pairs of algorithms was shown to differ."
    sentences = [f"{winner} beats {loser}" for winner, loser in map(_order, shown)]
    listed = ", ".join(sentences[:4]) + (f" and {len(sentences) - 4} more" if len(sentences) > 4 else "")
    return f"A difference was shown for {len(shown)} of {len(result.pairs)} pairs: {listed}."


def _order(pair: PairAnalysis) -> tuple[str, str]:
    a, b = numerals.plain(pair.a), numerals.plain(pair.b)
    return (a, b) if pair.verdict == "a better" else (b, a)


def _one(pair: PairAnalysis, result: ExperimentAnalysis) -> str:
    percent = result.question.differences == "percent"
    if pair.verdict == "cannot tell":
        return f"This experiment cannot tell whether {numerals.plain(pair.a)} or {numerals.plain(pair.b)} is better."
    if pair.verdict == "no difference shown":
        return f"No difference was shown between {numerals.plain(pair.a)} and {numerals.plain(pair.b)}."
    winner, loser = _order(pair)
    if pair.effect is None or pair.effect.kind == "share of wins":
        return f"{winner} is better than {loser}."
    if (pair.effect.estimate > 0) != (pair.verdict == "a better"):
        return f"{winner} is better than {loser}."
    how = "on average" if pair.effect.kind == "mean difference" else "typically"
    return f"{winner} is better than {loser}, by {amount(abs(pair.effect.estimate), percent)} {how}."


def basis(result: RunResult) -> str:
    """Name the test, when it was chosen, and on what it is."""
    analysis, q = result.analysis, result.analysis.question
    test = PAIRED[q.test].noun
    parts = [f"{test[0].upper()}{test[1:]}, {SIDES[q.alternative]}, at α = {q.alpha:g}"]
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
    normal = "" if result.analysis.question.test == "t" else " (assuming they are normal)"
    if profile.detectable is None:
        text = f"With {n}, no effect, however large, is detected with probability {profile.wanted_power:g}{each}."
        return (("detectable", text),)
    sentences = [
        (
            "detectable",
            f"With {n}, an effect of |d| = {numerals.decimals(profile.detectable, 3)} standard deviations of the "
            f"differences{normal} is detected with probability {profile.wanted_power:g}{each}; smaller ones may exist "
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
