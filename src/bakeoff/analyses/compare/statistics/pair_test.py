"""Which test decides each pair, on which scale of the scores; infinite differences, and those that are undefined."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.statistics.catalogue import Recipe
from bakeoff.analyses.compare.statistics.mean_cautions import of_pairs
from bakeoff.analyses.compare.statistics.units import SharedRows
from bakeoff.checks import choice
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.paired.many_pairs import Progress
from bakeoff.posthoc import ALIASES, POSTHOC
from bakeoff.posthoc.pairs import (
    PAIR_TESTS,
    RANKINGS,
    STANDARD_ERRORS,
    PairTests,
    StandardError,
    merged,
    pair_tests,
    rank_sums,
    signed_rank_tests,
)
from bakeoff.ranks.cautions import has_differences
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.pair_family import Family

WITH_HOLES = ("wilcoxon", "sign", "sign-without-ties", "mcnemar", "t", "mean-ranks")
BOUNDED = ("wilcoxon", "sign", "sign-without-ties", "mean-ranks")
WILCOXON = "the default, the Wilcoxon signed-rank test: it uses only the two algorithms"
LARGE = 8e307  # scores up to this have finite differences


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The raw tests of all pairs, and by which test each was made."""

    name: str  # the test of pairs
    each: tuple[str, ...]  # of each pair: as ``name``, or "sign" where a difference is undefined
    tests: PairTests
    printed_error: float | None = None  # the papers' standard error of a difference of mean ranks, if it is in force
    cautions: tuple[Caution, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTestChoice:
    name: str
    reason: str
    named: bool  # asked for by name: then it refuses what it cannot take


def choose_pair_test(
    values: Array, pairwise: str | None, posthoc: str | Sequence[str] | None, protocol: Recipe | None
) -> PairTestChoice:
    """``pairwise``; else what a correction or recipe implies; else Wilcoxon's test, of their own scores only."""
    if pairwise is not None:
        return PairTestChoice(name=choice("pairwise", pairwise, PAIR_TESTS), reason="asked for", named=True)
    if protocol is not None and values.shape[1] > 2:
        return PairTestChoice(name="mean-ranks", reason=f"fixed by the recipe ({protocol.paper})", named=True)
    names = [posthoc] if isinstance(posthoc, str) else list(posthoc or ()) if isinstance(posthoc, Sequence) else []
    for requested in names:
        name = ALIASES.get(requested, requested) if isinstance(requested, str) else ""
        if name in POSTHOC:
            return PairTestChoice(name=POSTHOC[name].pairwise, reason=f"implied by posthoc={requested!r}", named=True)
    if undefined_pairs(values, [(a, b) for a in range(values.shape[1]) for b in range(a)]).all():
        reason = "every pair has an undefined difference (of two infinite scores): only its sign is defined"
        return PairTestChoice(name="sign", reason=reason, named=False)
    return PairTestChoice(name="wilcoxon", reason=WILCOXON, named=False)


def choose_pair_test_with_holes(pairwise: str | None, bounded: bool) -> PairTestChoice:
    """``pairwise``, if it takes missing scores, or has bounds over all that they may be; else Wilcoxon's test."""
    if pairwise is None:
        return PairTestChoice(name="wilcoxon", reason=WILCOXON, named=False)
    choice("pairwise", pairwise, PAIR_TESTS)
    possible = BOUNDED if bounded else WITH_HOLES
    if pairwise not in possible:
        why = {"t": ": without limits on the missing scores, p could be anything"}.get(pairwise, "")
        what = "with missing='bounds'" if bounded else "where scores are missing"
        rule = f"must be one of {', '.join(possible)} {what}; got {pairwise!r}{why}"
        raise ParameterError(rule, parameter="pairwise")
    return PairTestChoice(name=pairwise, reason="asked for", named=True)


def undefined_pairs(values: Array, family: Family) -> npt.NDArray[np.bool_]:
    """(m,) does the pair have a difference that is no number: of equal infinite scores, or beyond 1e308?"""
    if has_differences(values):
        return np.zeros(len(family), dtype=bool)
    low, high = (values == -np.inf).astype(np.float64), (values == np.inf).astype(np.float64)
    undefined = (low.T @ low + high.T @ high) > 0.0
    finite = np.isfinite(values)
    for j in np.flatnonzero(np.abs(values, where=finite, out=np.zeros_like(values)).max(axis=0) > LARGE):
        with np.errstate(over="ignore", invalid="ignore"):
            beyond = np.isinf(values - values[:, [j]]) & finite & finite[:, [j]]
        undefined[j] |= beyond.any(axis=0)
        undefined[:, j] |= beyond.any(axis=0)
    a, b = np.array(family, dtype=np.intp).T
    return np.asarray(undefined[a, b])


def standard_errors(
    name: str | None, pairwise: str, primary: str, protocol: Recipe | None
) -> tuple[StandardError, StandardError]:
    """The form of the standard error of z tests, and of the studentized range of mean ranks (Demšar's, unasked)."""
    if name is None:
        printed = protocol is not None or primary == "nemenyi"
        return ("papers" if printed else "permutation"), "papers"
    form: StandardError = "papers" if choice("standard_error", name, STANDARD_ERRORS) == "papers" else "permutation"
    if protocol is not None:
        raise ParameterError(f"is fixed by recipe={protocol.name!r} (papers)", parameter="standard_error")
    if pairwise not in RANKINGS:
        rule = f"is for tests on ranks (pairwise = {', '.join(RANKINGS)}); pairs are tested by {pairwise!r} here"
        raise ParameterError(rule, parameter="standard_error")
    return form, form


def tested_pairs(
    scores: Scores,
    family: Family,
    chosen: PairTestChoice,
    forms: tuple[StandardError, StandardError],
    progress: Progress | None,
) -> Tested:
    """Each pair by the chosen test. Unasked, Wilcoxon's test ranks infinite differences above all others, and gives way
    to the sign test where a difference is undefined."""
    form, range_form = forms
    each = (chosen.name,) * len(family)
    if chosen.name in RANKINGS:
        tests = pair_tests(scores, family, chosen.name, progress, form)
        ranked = rank_sums(scores, chosen.name)
        tests = replace(tests, range_error=ranked.standard_error(range_form))
        printed = ranked.printed_error if form == "papers" else None
        return Tested(name=chosen.name, each=each, tests=tests, printed_error=printed)
    undefined = undefined_pairs(scores.values, family)
    if chosen.name != "wilcoxon" or chosen.named or not (undefined.any() or np.isinf(scores.values).any()):
        tests = pair_tests(scores, family, chosen.name, progress)
        return Tested(name=chosen.name, each=each, tests=tests)
    by_sign = [pair for pair, none in zip(family, undefined, strict=True) if none]
    by_rank = [pair for pair, none in zip(family, undefined, strict=True) if not none]
    tests = merged(undefined, pair_tests(scores, by_sign, "sign"), signed_rank_tests(scores, by_rank))
    each = tuple("sign" if none else "wilcoxon" for none in undefined)
    cautions = sign_instead(f"{scores.algorithms[a]} – {scores.algorithms[b]}" for a, b in by_sign)
    return Tested(name="wilcoxon", each=each, tests=tests, cautions=cautions)


def tested_rows(
    rows: list[SharedRows],
    chosen: PairTestChoice,
    forms: tuple[StandardError, StandardError],
    progress: Progress | None,
) -> Tested:
    """All pairs, those that share their problems together; one without a problem has p = 1."""
    parts = [
        None
        if one.units is None
        else tested_pairs(one.units.for_test(chosen.name), one.family, chosen, forms, progress)
        for one in rows
    ]
    if len(parts) == 1 and parts[0] is not None:
        return parts[0]
    each = [name for part in parts for name in ((chosen.name,) if part is None else part.each)]
    columns = (
        np.concatenate([[none] if part is None else getattr(part.tests, name) for part in parts])
        for name, none in (("statistic", 0.0), ("direction", 0.0), ("pvalue", 1.0), ("log_pvalue", 0.0))
    )
    statistic, direction, pvalue, log_pvalue = map(read_only, columns)
    tests = PairTests(statistic=statistic, direction=direction, pvalue=pvalue, log_pvalue=log_pvalue)
    by_sign = [one.units for one, name in zip(rows, each, strict=True) if one.units and name != chosen.name]
    cautions = sign_instead(" – ".join(units.rows.algorithms) for units in by_sign)
    return Tested(name=chosen.name, each=tuple(each), tests=tests, cautions=cautions)


def sign_instead(pairs: Iterable[str]) -> tuple[Caution, ...]:
    """Pairs with an undefined difference."""
    names = list(pairs)
    return tuple(of_pairs("infinite", "undefined-differences", names, pairs=counted(len(names), "pair")))
