"""Cautions about the test of an experiment; the numbers come from simulations in tests/calibration."""

from __future__ import annotations

from collections.abc import Sequence

from bakeoff.errors import Caution, counted, listing
from bakeoff.running.analysis.power_profile import PowerProfile
from bakeoff.running.analysis.results import PairAnalysis
from bakeoff.running.analysis.run_cautions import CAMPELO_TAKAHASHI, SKEWED, is_skewed
from bakeoff.running.design.question import Question


def analysis_cautions(
    question: Question,
    pairs: Sequence[PairAnalysis],
    profile: PowerProfile,
    stopped_early: bool,
    n_dropped: int,
) -> tuple[Caution, ...]:
    """Most important first."""
    found = [
        *_failures(pairs),
        *_hopeless(question, pairs),
        *_stopped(stopped_early),
        *_dropped(n_dropped),
        *_skewed(question, pairs),
        *_weak(question, pairs, profile),
    ]
    seen = {c.code for c in found}
    for pair in pairs:
        for caution in () if pair.test is None else pair.test.cautions:
            if caution.code not in seen:
                seen.add(caution.code)
                found.append(caution)
    return tuple(found)


def _failures(pairs: Sequence[PairAnalysis]) -> list[Caution]:
    failed = [p for p in pairs if p.test is None]
    if not failed:
        return []
    names = listing(f"{p.a} and {p.b}" for p in failed)
    return [Caution(code="no-test", text=f"The test could not be computed for {names}: {failed[0].failure}")]


def _hopeless(question: Question, pairs: Sequence[PairAnalysis]) -> list[Caution]:
    if not any(p.test is not None and p.verdict == "cannot tell" for p in pairs):
        return []
    n = next(p.test.n_problems for p in pairs if p.test is not None)
    several = "" if len(pairs) == 1 else f" after Holm's correction over {len(pairs)} pairs"
    return [
        Caution(
            code="few-problems",
            text=f"With {counted(n, 'problem')} no outcome of this test could be significant at {question.alpha:g}"
            f"{several}.",
        )
    ]


def _stopped(stopped_early: bool) -> list[Caution]:
    if not stopped_early:
        return []
    return [
        Caution(
            code="stopped-early",
            text="The experiment stopped because the difference looked large enough, so its estimate is too large on "
            "average, and its interval does not account for the looks. Where the true effect is d = 0.5, with three "
            "looks at up to 35 problems, the mean estimate at the stop is 0.535, and 0.81 among experiments that stop "
            "at the first look (simulated). The p-value does account for the looks.",
        )
    ]


def _dropped(n_dropped: int) -> list[Caution]:
    if not n_dropped:
        return []
    return [
        Caution(
            code="no-difference",
            text=f"{counted(n_dropped, 'problem')} did not enter the test: percent differences need a positive mean "
            "to divide by. If they are those on which an algorithm does worst (or best), the verdict is about the "
            "others only.",
        )
    ]


def _skewed(question: Question, pairs: Sequence[PairAnalysis]) -> list[Caution]:
    """Skewness matters to t and signed ranks, which test a mean or a centre of symmetry."""
    skewed = [p for p in pairs if p.checks is not None and is_skewed(p.differences.tolist())]
    if not skewed:
        return []
    names = listing(f"{p.a} and {p.b}" for p in skewed)
    advice = {
        "t": "the t-test then rejects a true hypothesis more often than it says",
        "wilcoxon": "the signed-rank test then tests something other than the mean or the median",
    }[question.test]
    text = f"The differences of {names} are skewed (beyond {SKEWED:g}); {advice}"
    if question.sequential is not None:
        text += ", and early looks make that worse (centred standard lognormal differences, alpha 0.05: 0.113 with one "
        text += "look, 0.154 with three)"
    elif question.test == "t":
        text += " (centred standard lognormal differences, 34 problems, alpha 0.05: 0.113)"
    text += ". The chosen test is kept; see the bootstrap of the mean, and next time choose the sign "
    text += "test or differences of logarithms."
    return [Caution(code="skewed-differences", text=text, reference=f"{CAMPELO_TAKAHASHI}, section 4.3")]


def _weak(question: Question, pairs: Sequence[PairAnalysis], profile: PowerProfile) -> list[Caution]:
    if not any(p.verdict == "no difference shown" for p in pairs):
        return []
    if profile.power is None or profile.power >= question.power:
        return []
    detectable = "no effect" if profile.detectable is None else f"only effects of |d| ≥ {profile.detectable:.3g}"
    return [
        Caution(
            code="low-power",
            text=f"With {counted(profile.n_problems, 'problem')} an effect of d = {profile.effect_size:g} is found "
            f"with probability {profile.power:.3g}, and {detectable} with {profile.wanted_power:g}: no difference "
            "shown is not no difference.",
            reference=f"{CAMPELO_TAKAHASHI}, section 4.5",
        )
    ]
