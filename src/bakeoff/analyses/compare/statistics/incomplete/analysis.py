"""compare() of a table in which scores are missing: pairs on the problems both have, or bounds over all completions."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from bakeoff.analyses.compare.statistics import catalogue
from bakeoff.analyses.compare.statistics.cautions import omnibus_against_pairs, procedures
from bakeoff.analyses.compare.statistics.corrections import Correction, Wanted, adjusted_pvalues, choose_corrections
from bakeoff.analyses.compare.statistics.decisions import with_evidence
from bakeoff.analyses.compare.statistics.effect_choice import EffectRequest
from bakeoff.analyses.compare.statistics.incomplete import ranks
from bakeoff.analyses.compare.statistics.incomplete.bounds import (
    PvalueExtremes,
    rank_extremes,
    sign_extremes,
    signed_rank_extremes,
    untied_sign_extremes,
)
from bakeoff.analyses.compare.statistics.incomplete.cautions import (
    depends_on_missing,
    missing_cautions,
    of_the_table,
    too_few_common,
)
from bakeoff.analyses.compare.statistics.incomplete.common_problems import (
    CommonProblems,
    TestedPairs,
    common_problems,
    counts_of,
    evidence_tests,
    sizes_of,
    tested_on_common,
)
from bakeoff.analyses.compare.statistics.mean_cautions import doubtful_sizes
from bakeoff.analyses.compare.statistics.pair_test import PairTestChoice
from bakeoff.analyses.compare.statistics.results import Choice, Comparison, EffectScale, Pair, Verdict
from bakeoff.analyses.compare.statistics.verdicts import DECIDED, PairBounds
from bakeoff.checks import choice
from bakeoff.errors import Caution, ParameterError, listing
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.omnibus import SkillingsMackResult, by_quick_permutations
from bakeoff.paired.differences import counts, directions, ordered_differences
from bakeoff.posthoc import POSTHOC
from bakeoff.posthoc.groups import maximal_groups
from bakeoff.posthoc.pairs import PAIRWISE, PairTests
from bakeoff.ranks.table_cautions import without_repetition
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import Family, family_of, shown_better

OMNIBUS = ("iman-davenport", "friedman", "skillings-mack")  # the first two are asked for on a complete table
BOUNDED = ("wilcoxon", "sign", "sign-without-ties", "mean-ranks")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What decides each pair, in the order of the family."""

    each: tuple[str, ...]
    tests: PairTests
    correction: Correction
    verdicts: list[Verdict]
    bounds: list[PairBounds | None]
    unreachable: list[int]  # pairs that no outcome could have told apart


def check_missing(missing: object) -> None:
    """What ``missing=`` of compare() may be."""
    if missing is not None:
        choice("missing", missing, ("bounds",))


def compare_incomplete(
    scores: Scores, arguments: Mapping[str, Any], seed: int | None, missing: Literal["bounds"] | None
) -> Comparison:
    """``arguments``: the arguments of compare(), checked as far as they have a meaning for every table."""
    _refuse(arguments)
    column = None if arguments["control"] is None else scores.index(arguments["control"])
    alpha = arguments["alpha"]
    chosen = _pair_test(arguments["pairwise"], missing)
    planned = _corrections(arguments["posthoc"], column, chosen.name, scores.n_algorithms)
    test = by_quick_permutations(scores, seed)
    family = family_of(scores.n_algorithms, column)
    common = common_problems(scores, family, arguments["transform"])
    tested = _tested(scores, family, common, chosen, test)
    judge = _common_verdicts if missing is None else _bounded_verdicts
    judged = judge(scores, family, common, tested, chosen, planned, column, arguments)
    scale: EffectScale = (
        "log-ratio" if arguments["transform"] and arguments["effect"] == "difference" else arguments["effect"]
    )
    request = EffectRequest(scale=scale, intervals=arguments["intervals"], alpha=alpha, n_pairs=len(family))
    known = missing is None  # missing scores that may be anything leave no effect
    sizes, size_cautions = sizes_of(common, judged.each, judged.verdicts, request) if known else (counts_of(common), [])
    mean_ranks = ranks.estimated_mean_ranks(scores)
    pairs = [_pair(scores, pair, judged, i, *each) for i, (pair, each) in enumerate(zip(family, sizes, strict=True))]
    cautions = [
        *([too_few_common(names, alpha)] if (names := _named(scores, family, judged.unreachable)) else []),
        *missing_cautions(scores, family, [pair.n for pair in common], missing is not None, chosen.name),
        *_depending(scores, family, judged),
        *omnibus_against_pairs(test, judged.verdicts, alpha, gated=missing is not None),
        *judged.correction.cautions,
        *(caution for caution in test.cautions if caution.name != "missing (omnibus)"),
        *procedures(test.name, chosen.name, judged.correction.methods, float(judged.tests.pvalue.max())),
        *size_cautions,
        *doubtful_sizes(pairs),
        *of_the_table(scores),
    ]
    return Comparison(
        scores=scores,
        alpha=alpha,
        control=arguments["control"],
        recipe=None,
        omnibus=test,
        companion=None,
        ranking="skillings-mack",
        mean_ranks=mean_ranks,
        pairwise=chosen.name,
        posthoc=judged.correction.methods,
        primary=judged.correction.primary,
        pairs=tuple(pairs),
        groups=_groups(scores, pairs, mean_ranks.tolist()) if column is None else (),
        standard_error="permutation" if chosen.name == "mean-ranks" else None,
        transform=arguments["transform"],
        effect=request.scale,
        intervals=arguments["intervals"],
        critical_difference=None,
        contrasts=None,
        kendall_w=None,
        steps=(),
        choices=_choices(scores, test, chosen, planned, missing),
        cautions=without_repetition(cautions),
        request={**arguments, **_as_data(arguments, planned), "rng": seed if test.method == "permutation" else None}
        | ({} if missing is None else {"missing": missing}),
        missing="common" if missing is None else missing,
    )


def _as_data(arguments: Mapping[str, Any], planned: Wanted) -> dict[str, Any]:
    posthoc = arguments["posthoc"]
    return {} if posthoc is None or isinstance(posthoc, str) else {"posthoc": list(planned.methods)}


# --- what has a meaning -----------------------------------------------------------------------------------------


def _refuse(arguments: Mapping[str, Any]) -> None:
    if "margin" in arguments:
        rule = "needs a complete table so far; read the scores with missing='drop', or leave it out"
        raise ParameterError(rule, parameter="margin")
    if arguments["omnibus"] not in OMNIBUS:
        rule = f"must be 'skillings-mack' (or left out) where scores are missing; got {arguments['omnibus']!r}"
        raise ParameterError(rule, parameter="omnibus")
    if arguments["recipe"] is not None:
        rule = "needs a complete table, as its paper does; read the scores with missing='drop' or missing='worst'"
        raise ParameterError(rule, parameter="recipe")
    if arguments["standard_error"] == "papers":
        rule = "must be left out where scores are missing: the papers' form is that of complete tables"
        raise ParameterError(rule, parameter="standard_error")


def _pair_test(pairwise: str | None, missing: str | None) -> PairTestChoice:
    if pairwise is not None:
        choice("pairwise", pairwise, PAIRWISE)
    else:
        reason = "the default, the Wilcoxon signed-rank test: it uses only the two algorithms"
        return PairTestChoice(name="wilcoxon", reason=reason, named=False)
    possible = (*BOUNDED[:3], "mcnemar", "t", "mean-ranks") if missing is None else BOUNDED
    if pairwise not in possible:
        why = {"t": ": without limits on the missing scores, p could be anything", "mcnemar": ""}.get(pairwise, "")
        what = "where scores are missing" if missing is None else "with missing='bounds'"
        rule = f"must be one of {', '.join(possible)} {what}; got {pairwise!r}{why}"
        raise ParameterError(rule, parameter="pairwise")
    return PairTestChoice(name=pairwise, reason="asked for", named=True)


def _corrections(posthoc: Any, column: int | None, pairwise: str, k: int) -> Wanted:
    """Holm's procedure unless another is asked for: it needs no logic that connects different problems."""
    if posthoc is None:
        reason = "the default if scores are missing: hypotheses about different problems are not logically related"
        return Wanted(methods=("holm",), named=False, reason=reason)
    chosen = choose_corrections(posthoc, column is not None, "skillings-mack", pairwise, k, None)
    methods = [name for name in chosen.methods if name not in POSTHOC]
    if posthoc == "all":
        return replace(chosen, methods=tuple(dict.fromkeys(["holm", *methods])))
    if len(methods) < len(chosen.methods):
        refused = listing(name for name in chosen.methods if name in POSTHOC)
        rule = f"must adjust the p-values of pairs where scores are missing; {refused} takes a complete table"
        raise ParameterError(rule, parameter="posthoc")
    return chosen


# --- verdicts ---------------------------------------------------------------------------------------------------


def _tested(
    scores: Scores, family: Family, common: list[CommonProblems], chosen: PairTestChoice, test: SkillingsMackResult
) -> TestedPairs:
    if chosen.name != "mean-ranks":
        return tested_on_common(common, chosen)
    tests, smallest = ranks.score_contrasts(test, family), ranks.least_contrast_pvalues(scores, family)
    return TestedPairs(each=("mean-ranks",) * len(family), tests=tests, smallest=smallest)


def _common_verdicts(
    scores: Scores,
    family: Family,
    common: list[CommonProblems],
    tested: TestedPairs,
    chosen: PairTestChoice,
    planned: Wanted,
    column: int | None,
    arguments: Mapping[str, Any],
) -> Judged:
    """By the scores that are there."""
    alpha = arguments["alpha"]
    correction = adjusted_pvalues(scores, family, tested.tests, planned, column)
    only = replace(planned, methods=(correction.primary,))
    with np.errstate(divide="ignore"):
        smallest = replace(tested.tests, pvalue=tested.smallest, log_pvalue=np.log(tested.smallest))
    reach = adjusted_pvalues(scores, family, smallest, only, column).values[correction.primary]
    values = zip(correction.values[correction.primary], tested.tests.direction, reach, strict=True)
    verdicts: list[Verdict] = [
        "cannot tell" if least > alpha else shown_better(p <= alpha, direction) for p, direction, least in values
    ]
    return Judged(
        each=tested.each,
        tests=tested.tests,
        correction=correction,
        verdicts=with_evidence(scores, family, verdicts),
        bounds=[None] * len(family),
        unreachable=[i for i, verdict in enumerate(verdicts) if verdict == "cannot tell"],
    )


def _bounded_verdicts(
    scores: Scores,
    family: Family,
    common: list[CommonProblems],
    tested: TestedPairs,
    chosen: PairTestChoice,
    planned: Wanted,
    column: int | None,
    arguments: Mapping[str, Any],
) -> Judged:
    """By all completions: every correction grows with every p, so that the extremes of all raw p-values bound it."""
    alpha, n = arguments["alpha"], scores.n_problems
    extremes = _extremes(scores, family, common, tested, chosen.name)
    most = evidence_tests(tested.tests, [one.largest for one in extremes])
    least = evidence_tests(tested.tests, [one.smallest for one in extremes])
    highest = adjusted_pvalues(scores, family, most, planned, column)
    lowest = adjusted_pvalues(scores, family, least, replace(planned, methods=highest.methods), column)
    p_low, p_high = lowest.values[highest.primary], highest.values[highest.primary]
    if chosen.name == "mean-ranks":
        possible = np.full(len(family), float(normal_two_sided(math.sqrt(n * (scores.n_algorithms - 1)))[0]))
    else:
        possible = np.array([PAIRWISE[test].smallest(n) for test in tested.each])
    with np.errstate(divide="ignore"):
        smallest = replace(most, pvalue=possible, log_pvalue=np.log(possible))
    reach = adjusted_pvalues(scores, family, smallest, replace(planned, methods=(highest.primary,)), column)
    verdicts: list[Verdict] = []
    for one, low, high, least_p in zip(extremes, p_low, p_high, reach.values[highest.primary], strict=True):
        if least_p > alpha:
            verdicts.append("cannot tell")
        elif high <= alpha and one.lowest == one.highest != 0.0:
            verdicts.append("a better" if one.lowest > 0 else "b better")
        else:
            verdicts.append("no difference shown" if low > alpha else "depends on the missing scores")
    bounds: list[PairBounds | None] = [
        PairBounds(
            smallest=one.smallest[0],
            largest=one.largest[0],
            adjusted={
                method: (float(lowest.values[method][i]), float(highest.values[method][i]))
                for method in highest.methods
            },
            kind="exact" if one.exact else "bound",
            n_missing=common[i].n_missing,
        )
        for i, one in enumerate(extremes)
    ]
    return Judged(
        each=tested.each,
        tests=most,
        correction=highest,
        verdicts=with_evidence(scores, family, verdicts),
        bounds=bounds,
        unreachable=[i for i, verdict in enumerate(verdicts) if verdict == "cannot tell"],
    )


def _extremes(
    scores: Scores, family: Family, common: list[CommonProblems], tested: TestedPairs, pairwise: str
) -> list[PvalueExtremes]:
    if pairwise == "mean-ranks":
        present = ranks.present_ranks(scores)
        return [rank_extremes(present, a, b) for a, b in family]
    return [_of_pair(pair, test) for pair, test in zip(common, tested.each, strict=True)]


def _of_pair(pair: CommonProblems, test: str) -> PvalueExtremes:
    free = pair.n_missing
    if pair.scores is None or pair.measured is None:
        return sign_extremes(0, 0, 0, free)  # every p-value, as for signed ranks
    wins, losses, ties = counts(directions(pair.scores, 0, 1))
    if test == "sign":
        return sign_extremes(wins, losses, ties, free)
    if test == "sign-without-ties":
        return untied_sign_extremes(wins, losses, free)
    return signed_rank_extremes(ordered_differences(pair.measured, 0, 1), free)


# --- the result -------------------------------------------------------------------------------------------------


def _pair(
    scores: Scores, pair: tuple[int, int], judged: Judged, i: int, counted: tuple[int, int, int], size: Any
) -> Pair:
    tests, correction = judged.tests, judged.correction
    effect, interval, rank_biserial = size
    return Pair(
        a=scores.algorithms[pair[0]],
        b=scores.algorithms[pair[1]],
        statistic=float(tests.statistic[i]),
        pvalue=float(tests.pvalue[i]),
        log_pvalue=float(tests.log_pvalue[i]),
        adjusted={method: float(correction.values[method][i]) for method in correction.methods},
        verdict=judged.verdicts[i],
        wins=counted[0],
        ties=counted[1],
        losses=counted[2],
        test=judged.each[i],
        effect=effect,
        interval=interval,
        rank_biserial=rank_biserial,
        bounds=judged.bounds[i],
    )


def _groups(scores: Scores, pairs: list[Pair], mean_ranks: list[float]) -> tuple[tuple[str, ...], ...]:
    """Largest sets without a shown difference; a verdict that depends on the missing scores shows none."""
    k = scores.n_algorithms
    alike = np.ones((k, k), dtype=bool)
    for pair in pairs:
        a, b = scores.algorithms.index(pair.a), scores.algorithms.index(pair.b)
        alike[a, b] = alike[b, a] = pair.verdict not in DECIDED
    best_first = sorted(range(k), key=mean_ranks.__getitem__)
    return tuple(tuple(scores.algorithms[j] for j in group) for group in maximal_groups(alike, best_first))


def _named(scores: Scores, family: Family, places: list[int]) -> list[str]:
    return [f"{scores.algorithms[family[i][0]]} – {scores.algorithms[family[i][1]]}" for i in places]


def _depending(scores: Scores, family: Family, judged: Judged) -> list[Caution]:
    places = [i for i, verdict in enumerate(judged.verdicts) if verdict == "depends on the missing scores"]
    return [depends_on_missing(_named(scores, family, places))] if places else []


def _choices(
    scores: Scores, test: SkillingsMackResult, chosen: PairTestChoice, planned: Wanted, missing: str | None
) -> tuple[Choice, ...]:
    how = {
        None: ("pairs on common problems", "each pair is compared on the problems that both have"),
        "bounds": ("bounds", "requested: which verdicts hold whatever the missing scores are"),
    }[missing]
    choices = [
        ("omnibus", "skillings-mack", "takes missing scores; without any it is Friedman's test corrected for ties"),
        ("distribution", *catalogue.distribution(test.method)),
        ("pairwise", chosen.name, chosen.reason),
        ("posthoc", ", ".join(planned.methods), planned.reason),
        ("missing", *how),
    ]
    if scores.runs is not None:
        filled = scores.n_runs[~scores.holes]
        low, high = int(filled.min()), int(filled.max())
        runs = f"{low}" if low == high else f"{low} to {high}"
        choices.append(("runs", "averaged", f"{runs} runs per cell; problems are the sample"))
    return tuple(Choice(parameter=parameter, value=value, reason=reason) for parameter, value, reason in choices)
