"""The stages of a comparison: each adds what its name says to the state, from what the stages before it found."""

import math
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

import numpy as np

from bakeoff.analyses.compare.statistics import recipes
from bakeoff.analyses.compare.statistics.corrections import (
    Correction,
    Wanted,
    adjusted_pvalues,
    beyond_limit,
    choose_corrections,
    choose_corrections_with_holes,
)
from bakeoff.analyses.compare.statistics.dependent_rows import (
    choose_dependent,
    dependence_of,
    dependent_units,
    refuse_holes,
    refuse_without_folds,
)
from bakeoff.analyses.compare.statistics.effect_choice import INTERVALS, SCALES, EffectRequest
from bakeoff.analyses.compare.statistics.incomplete import ranks as incomplete_ranks
from bakeoff.analyses.compare.statistics.incomplete.bounds import (
    PvalueExtremes,
    bounded_verdicts,
    bounds_of_pairs,
    pvalue_extremes,
    with_pvalues,
)
from bakeoff.analyses.compare.statistics.incomplete.cautions import missing_gathered
from bakeoff.analyses.compare.statistics.limits import check_memory
from bakeoff.analyses.compare.statistics.margins.claims import requested_margin
from bakeoff.analyses.compare.statistics.pair_test import (
    BOUNDED,
    Tested,
    choose_pair_test,
    choose_pair_test_with_holes,
    standard_errors,
    tested_rows,
)
from bakeoff.analyses.compare.statistics.reach import ExperimentDesign
from bakeoff.analyses.compare.statistics.sizes import PairColumns, PairSizes, pair_sizes
from bakeoff.analyses.compare.statistics.state import Comparing, Request
from bakeoff.analyses.compare.statistics.units import shared_rows, units_of, units_with_holes
from bakeoff.analyses.compare.statistics.verdicts import DECIDED, DEPENDS, Verdict, groups_of, judged, with_evidence
from bakeoff.checks import choice, probability
from bakeoff.errors import ParameterError, TooLargeError
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.omnibus import OMNIBUS, by_quick_permutations
from bakeoff.omnibus.evidence import pvalue_floor
from bakeoff.omnibus.result import Ties, by_quick_law
from bakeoff.posthoc.pairs import PAIR_TESTS, RANKINGS, PairTests, rank_sums
from bakeoff.randomness import integer_seed
from bakeoff.ranks import Ints, doubled_ranks
from bakeoff.scores import Array, check_scores, read_only
from bakeoff.scores.cells import column_means
from bakeoff.scores.pair_family import family_of
from bakeoff.scores.runs import single_processes

MISSING = ("bounds", "common")
WITH_HOLES = ("iman-davenport", "friedman", "skillings-mack")  # the first two are asked for on a complete table


def add_tables(c: Comparing) -> None:
    """The tables that tests take, a row per unit, the family, and the rows on which each pair is compared."""
    request = c.request
    c.scores = scores = check_scores(c.scores, holes=True)
    request.alpha = probability("alpha", request.alpha)
    choice("effect", request.effect, SCALES)
    choice("intervals", request.intervals, INTERVALS)
    if request.missing is not None:
        choice("missing", request.missing, MISSING)
    choice("omnibus", request.omnibus, OMNIBUS)
    c.control = None if request.control is None else scores.index(request.control, "control")
    request.control = None if c.control is None else scores.algorithms[c.control]
    n, k = scores.values.shape
    check_memory(n, k, c.control is not None, request.posthoc == "all")
    c.incomplete = bool(scores.holes.any())
    c.recipe, c.dependence = None, dependence_of(scores)
    recipes.refuse_also(request, c.incomplete)
    if c.incomplete:
        refuse_holes(c.dependence)
        c.units = units_with_holes(scores, request.unit)
        _refuse_beside_holes(request)
    else:
        request.missing = None  # nothing is
        if request.recipe is not None:
            c.recipe = recipes.find_recipe(request)
        if c.dependence is not None:
            c.units = dependent_units(scores, c.dependence, request)
        else:
            refuse_without_folds(request.pairwise)
            c.units = units_of(scores, request.unit, request.transform, request.recipe, request.pairwise)
    c.family = family_of(scores.n_algorithms, c.control)
    c.rows = shared_rows(c.units, c.family, request.transform, c.incomplete)
    lone = single_processes(scores).tolist()
    c.undone = [lone[a] or lone[b] for a, b in c.family]


def _refuse_beside_holes(request: Request) -> None:
    """Refuse what needs a complete table."""
    if request.omnibus not in WITH_HOLES:
        rule = f"must be 'skillings-mack' (or left out) where scores are missing; got {request.omnibus!r}"
        raise ParameterError(rule, parameter="omnibus")
    if request.recipe is not None:
        rule = "needs a complete table, as its paper does; read the scores with missing='drop' or missing='worst'"
        raise ParameterError(rule, parameter="recipe")
    if request.transform == "minmax":
        rule = "'minmax' needs a complete table: the smallest and the largest score of each problem must be known"
        raise ParameterError(rule, parameter="transform")
    if request.standard_error == "papers":
        rule = "must be left out where scores are missing: the papers' form is that of complete tables"
        raise ParameterError(rule, parameter="standard_error")


def add_choices(c: Comparing) -> None:
    """The test of pairs, the corrections, the margin with its unit, the standard errors, the scale of the effects."""
    request, k, control = c.request, c.scores.n_algorithms, c.control is not None
    if c.incomplete:
        c.chosen = choose_pair_test_with_holes(request.pairwise, c.bounded)
        c.planned = choose_corrections_with_holes(request.posthoc, control, c.chosen.name, k)
    elif c.dependence is not None:
        c.chosen, c.planned = choose_dependent(c.scores, request, c.dependence, control)
    else:
        c.chosen = choose_pair_test(c.units.rows.values, request.pairwise, request.posthoc, c.recipe)
        c.planned = choose_corrections(request.posthoc, control, request.omnibus, c.chosen.name, k, c.recipe)
    c.seed = integer_seed(request.rng)
    c.margin = requested_margin(request, c.units, c.chosen.name)
    c.forms = standard_errors(request.standard_error, c.chosen.name, c.planned.methods[0], c.recipe)
    c.scale = "log-ratio" if request.transform == "log" and request.effect == "difference" else request.effect


def add_omnibus(c: Comparing) -> None:
    """The omnibus test, and what is reported beside it: corrected for ties and by the exact distribution where that is
    quick, or as the papers of a recipe have them."""
    if c.incomplete:
        c.test, c.companion = by_quick_permutations(c.units.rows, c.seed), None
        return
    record, free = OMNIBUS[c.omnibus], c.recipe is None
    ties: Ties = "corrected" if free else "none"
    scores = c.units.measured if record.differences else c.units.ranked
    if record.of_ranks:
        table: Ints | None = c.doubled
        tests = [test(c.doubled, ties, len(scores.dropped)) for test in record.of_ranks]
    else:
        table = record.permuted(scores) if record.permuted else None
        tests = [record.function(scores, ties=ties) if record.takes_ties else record.function(scores)]
    if free and table is not None:
        tests = [by_quick_law(test, table, c.seed) for test in tests]
    c.test, c.companion = tests[0], tests[1] if len(tests) > 1 else None


def add_ranks(c: Comparing) -> None:
    """The mean ranks that the report shows, and which ranking they are of."""
    if c.incomplete:
        c.ranking, c.mean_ranks = "skillings-mack", incomplete_ranks.estimated_mean_ranks(c.units.rows)
        return
    c.doubled = doubled_ranks(c.units.ranked)
    of_tests = (c.chosen.name, OMNIBUS[c.omnibus].ranking)
    ranking = next((name for name in of_tests if name in RANKINGS), "mean-ranks")
    if ranking == "mean-ranks":
        c.ranking, means = "friedman", c.doubled.sum(axis=0) / (2 * len(c.doubled))
    else:
        c.ranking, means = ranking, rank_sums(c.units.measured, ranking).means
    c.mean_ranks = read_only(means)


def add_pair_tests(c: Comparing) -> None:
    """The raw test of each pair."""
    if c.incomplete and c.chosen.name == "mean-ranks":
        tests = incomplete_ranks.score_contrasts(c.test, c.family)
        c.tested = Tested(name="mean-ranks", each=("mean-ranks",) * len(c.family), tests=tests)
    else:
        c.tested = tested_rows(c.rows, c.chosen, c.forms, c.progress)


def add_corrections(c: Comparing) -> None:
    """Adjusted p-values, and the smallest that any outcome could have given."""
    c.correction = adjusted_pvalues(c.units.measured, c.family, c.tested.tests, c.planned, c.control)
    if c.incomplete:
        c.reach = _reach(c, c.tested.tests, _smallest_pvalues(c))
        return
    n, k = c.units.rows.values.shape
    c.design = ExperimentDesign(
        n=n,
        k=k,
        control=c.control is not None,
        pairwise=c.tested.name,
        printed_error=c.tested.printed_error,
        gate=0.0 if c.recipe is None else pvalue_floor(n, k),
    )
    c.reach = np.full(len(c.family), c.design.reach(c.correction.primary))


def _smallest_pvalues(c: Comparing) -> Array:
    """(m,) raw ones, of as many problems as each pair shares."""
    if c.chosen.name == "mean-ranks":
        return incomplete_ranks.least_contrast_pvalues(c.units.rows, c.family)
    smallest = (
        PAIR_TESTS[test].smallest(one.n) if one.n else 1.0 for one, test in zip(c.rows, c.tested.each, strict=True)
    )
    return np.array([*smallest])


def _reach(c: Comparing, tests: PairTests, smallest: Array) -> Array:
    """(m,) the smallest raw p-values, adjusted by the correction that decides."""
    with np.errstate(divide="ignore"):
        tests = replace(tests, pvalue=smallest, log_pvalue=np.log(smallest))
    primary = c.correction.primary
    only: Wanted = replace(c.planned, methods=(primary,))
    return adjusted_pvalues(c.units.measured, c.family, tests, only, c.control).values[primary]


def add_verdicts(c: Comparing) -> None:
    """Decide each pair by its adjusted p-value."""
    adjusted, directions = c.correction.values[c.correction.primary], c.tested.tests.direction
    c.decided = judged(adjusted, directions, c.reach, c.request.alpha, c.closed)
    c.verdicts = with_evidence(c.undone, c.decided)
    c.bounds = [None] * len(c.family)


def add_bounds(c: Comparing) -> None:
    """With ``missing="bounds"``, p-values and verdicts over all completions take the place of those on common problems.
    Without it, they withhold a verdict where missing scores gather, unless ``missing="common"`` takes them for chance.

    Every correction grows with every p, so that the extremes of all raw p-values bound it.
    """
    if not c.bounded:
        _withhold(c)
        return
    extremes, most, least = _extremes(c)
    c.tested = replace(c.tested, tests=most)
    c.correction = adjusted_pvalues(c.units.measured, c.family, most, c.planned, c.control)
    c.reach, lowest = _bounded_reach(c, most), _lowest(c, least)
    c.decided = bounded_verdicts(extremes, lowest, c.correction, c.reach, c.request.alpha)
    c.verdicts = with_evidence(c.undone, c.decided)
    c.bounds = bounds_of_pairs(extremes, lowest, c.correction, [one.n_missing for one in c.rows])


def _extremes(c: Comparing) -> tuple[Sequence[PvalueExtremes], PairTests, PairTests]:
    """The extremes of each pair over all completions; the tests with the largest p-values, and with the smallest."""
    extremes = pvalue_extremes(c.units.rows, c.family, c.rows, c.tested.each)
    most, least = (
        with_pvalues(c.tested.tests, ends)
        for ends in zip(*((one.largest, one.smallest) for one in extremes), strict=True)
    )
    return extremes, most, least


def _lowest(c: Comparing, least: PairTests) -> Correction:
    only = replace(c.planned, methods=c.correction.methods)
    return adjusted_pvalues(c.units.measured, c.family, least, only, c.control)


def _bounded_reach(c: Comparing, most: PairTests) -> Array:
    """(m,) the smallest adjusted p-values that any completion could have given."""
    n, k = c.units.rows.values.shape
    by_rank = float(normal_two_sided(math.sqrt(n * (k - 1)))[0])
    possible = [by_rank if test == "mean-ranks" else PAIR_TESTS[test].smallest(n) for test in c.tested.each]
    return _reach(c, most, np.array(possible))


def _withhold(c: Comparing) -> None:
    """Where missing scores gather, being missing is probably related to the score. A verdict then stands only if it
    holds whatever these scores are; of t, whose p could be anything, only without any."""
    c.gathers = c.incomplete and c.request.missing != "common" and missing_gathered(c.units.rows) is not None
    if not c.gathers or not set(c.decided) & set(DECIDED):
        return
    bounds: list[Verdict] = [DEPENDS] * len(c.family)
    if set(c.tested.each) <= set(BOUNDED):
        extremes, most, least = _extremes(c)
        highest = adjusted_pvalues(c.units.measured, c.family, most, c.planned, c.control)
        bounds = bounded_verdicts(extremes, _lowest(c, least), highest, _bounded_reach(c, most), c.request.alpha)
    c.decided = [
        DEPENDS if verdict in DECIDED and one.n_missing and verdict != bound else verdict
        for verdict, bound, one in zip(c.decided, bounds, c.rows, strict=True)
    ]
    c.verdicts = with_evidence(c.undone, c.decided)


def add_sizes(c: Comparing) -> None:
    """Sizes of all pairs, of those that share their problems together; cautions of those with the fewest.

    Missing scores that may be anything leave no effects.
    """
    primary, tests, verdicts = c.correction.primary, c.effects_by, c.verdicts
    pooled = (primary, c.control) if primary in ("tukey", "dunnett") else None
    effects = EffectRequest(
        scale=c.scale, intervals=c.request.intervals, alpha=c.request.alpha, n_pairs=len(c.family), pooled=pooled
    )
    request = None if c.bounded else effects
    known = c.tested.tests.rank_biserial if len(c.rows) == 1 else None
    parts = [
        pair_sizes(one, [tests[i] for i in one.places], [verdicts[i] for i in one.places], request, known)
        for one in c.rows
    ]
    if len(parts) == 1:
        c.sizes = parts[0]
        return
    cautions = [(one.n, part.cautions) for one, part in zip(c.rows, parts, strict=True) if part.cautions]
    c.sizes = PairSizes(
        **{name: np.concatenate([getattr(part, name) for part in parts]) for name in ("wins", "ties", "losses")},
        each=[part.each[i] for part in parts for i in range(len(part.wins))],
        cautions=min(cautions, key=itemgetter(0), default=(0, ()))[1],
        means=tuple(mean for part in parts for mean in part.means),
    )


def add_pairs(c: Comparing) -> None:
    """The records of the pairs, which look up most of their fields when these are read."""
    names, tests, sizes = c.scores.algorithms, c.tested.tests, c.sizes
    columns = PairColumns(
        known={
            "a": [names[a] for a, _ in c.family],
            "b": [names[b] for _, b in c.family],
            "statistic": tests.statistic,
            "pvalue": tests.pvalue,
            "log_pvalue": tests.log_pvalue,
            "adjusted": c.correction.values,
            "verdict": c.verdicts,
            "wins": sizes.wins,
            "ties": sizes.ties,
            "losses": sizes.losses,
            "test": c.tested.each,
            "bounds": c.bounds,
            **c.of_margin,
        },
        sizes=sizes.each,
    )
    c.pairs = columns.pairs()


def add_groups(c: Comparing) -> None:
    """The largest sets that are not shown to differ; none with a control."""
    c.groups, c.groups_left_out = (), []
    if c.control is None:
        try:
            standing = column_means(c.units.problems.costs) if c.units.depend else c.mean_ranks
            c.groups = groups_of(c.scores.algorithms, c.family, c.verdicts, standing)
        except TooLargeError as error:
            c.groups_left_out = [beyond_limit("The list of groups", "read the pairs instead", str(error))]
