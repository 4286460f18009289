"""compare(): from a table of scores to a verdict, nothing chosen silently."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from bakeoff.analyses.compare.statistics import catalogue, recipes
from bakeoff.analyses.compare.statistics.cautions import all_cautions
from bakeoff.analyses.compare.statistics.clusters.units import (
    Units,
    clusters_ignored,
    each_for_itself,
    sample_phrase,
    unit_cautions,
    units_of,
)
from bakeoff.analyses.compare.statistics.corrections import Correction, Wanted, adjusted_pvalues, choose_corrections
from bakeoff.analyses.compare.statistics.decisions import Design, groups_of, judged, with_evidence
from bakeoff.analyses.compare.statistics.effect_choice import EffectRequest, check_effect, kinds_of
from bakeoff.analyses.compare.statistics.incomplete.analysis import check_missing, compare_incomplete
from bakeoff.analyses.compare.statistics.margins.claims import MarginClaims, asked_margin, margin_claims
from bakeoff.analyses.compare.statistics.mean_cautions import doubtful_sizes, shown_means, tested_means
from bakeoff.analyses.compare.statistics.memory import check_memory
from bakeoff.analyses.compare.statistics.pair_test import (
    PairTestChoice,
    Tested,
    choose_pair_test,
    standard_errors,
    tested_pairs,
)
from bakeoff.analyses.compare.statistics.results import (
    EVIDENCE,
    SIZES,
    Choice,
    Comparison,
    EffectKind,
    EffectScale,
    Pair,
    Step,
    Verdict,
)
from bakeoff.analyses.compare.statistics.sizes import (
    PairEvidence,
    PairSizes,
    PairSource,
    SizesLater,
    pair_sizes,
    read_when_needed,
)
from bakeoff.checks import choice, probability
from bakeoff.effects import contrast_estimation, kendall_w
from bakeoff.errors import Caution
from bakeoff.omnibus import OMNIBUS
from bakeoff.omnibus.evidence import pvalue_floor
from bakeoff.omnibus.result import by_quick_law
from bakeoff.paired.many_pairs import Progress
from bakeoff.posthoc._critical_difference import of_correction
from bakeoff.posthoc.pairs import RANKINGS, rank_sums
from bakeoff.randomness import integer_seed
from bakeoff.ranks.cautions import has_differences, without_repetition
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.clusters import of_units
from bakeoff.scores.pair_family import Family, family_of
from bakeoff.takes_table import takes_table


@takes_table
def compare(
    scores: Scores,
    control: str | int | None = None,
    omnibus: str = "iman-davenport",
    pairwise: str | None = None,
    posthoc: str | Sequence[str] | None = None,
    alpha: float = 0.05,
    recipe: str | None = None,
    *,
    standard_error: Literal["permutation", "papers"] | None = None,
    transform: Literal["log"] | None = None,
    effect: Literal["difference", "percent", "log-ratio", "a12"] = "difference",
    intervals: Literal["simultaneous", "single"] = "simultaneous",
    missing: Literal["bounds"] | None = None,
    margin: float | str | None = None,
    unit: Literal["cluster", "problem"] = "cluster",
    rng: int | np.random.Generator | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Which algorithms differ, which is better, by how much, and could this experiment have told?

    For several algorithms on several independent problems, or clusters of problems; runs are averaged.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms).
    control : str or int, optional
        Compare every algorithm with this one, fixed beforehand; else all pairs.
    omnibus : {"iman-davenport", "friedman", "aligned", "quade", "anova", "skillings-mack"}
        "Does any differ?", tie-corrected. A non-rejecting omnibus is a caution, not a gate.
    pairwise : {"wilcoxon", "sign", "sign-without-ties", "mcnemar", "t", "mean-ranks", "aligned", "quade"}, optional
        The raw test of a pair. Default: Wilcoxon's. Those on ranks look at all algorithms at once.
    posthoc : str, sequence of str, or "all", optional
        Corrections; the first decides. With a control (default Holm): those of :func:`adjust`, and dunnett. All pairs
        (default Bergmann–Hommel; Shaffer beyond 12; Holm for signs): of :func:`adjust_pairwise`, tukey, nemenyi.
    alpha : float
        Family-wise level of the verdicts; default 0.05.
    recipe : {"demsar-2006", "garcia-2010", "derrac-2011"}, optional
        The paper whose statistics, corrections and gate are followed.
    standard_error : {"permutation", "papers"}, optional
        Of tests on ranks: from the observed ranks, ties included (default), or as the papers print it.
    transform : "log", optional
        Take differences of logarithms of the scores.
    effect : {"difference", "percent", "log-ratio", "a12"}
        Scale of the effects.
    intervals : {"simultaneous", "single"}
        Of the effects: all together at 1 − alpha, or each by itself.
    margin : float or str, optional
        The smallest difference that matters: a number in score units, or a percentage such as "5%".
    unit : {"cluster", "problem"}
        Where scores have clusters, means over each cluster are tested (ranks within problems ranked again).
    missing : "bounds", optional
        On kept holes: what holds whatever the missing scores are. Else pairs are compared on the problems both have.
    rng : int or Generator, optional
        Sample the distribution of the omnibus test from this seed where the exact one takes long.
    progress : callable, optional
        Called with (pairs done, pairs in all).

    Returns
    -------
    Comparison
        ``.pairs``, each with a verdict: "a better", "b better" (adjusted p ≤ alpha), "no difference shown", "cannot
        tell" (out of reach); with a margin "practically equal", "a not worse", "b not worse"; ``.omnibus``, ….

    Raises
    ------
    UnknownNameError, ParameterError, InfiniteScoreError, TooLargeError
        An algorithm or name that does not exist or fit; what was asked for by name and cannot be computed.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE")
    >>> [f"{p.b}: {p.verdict}" for p in result.pairs if p.verdict == "a better"]
    ['PSO: a better', 'CHC: a better', 'SSGA: a better']
    """
    scores = check_scores(scores, holes=True)
    alpha = probability("alpha", alpha)
    check_effect(effect, intervals)
    check_missing(missing)
    choice("omnibus", omnibus, OMNIBUS)
    column = None if control is None else scores.index(control, "control")
    check_memory(scores, column is not None, posthoc == "all")
    name = None if column is None else scores.algorithms[column]
    call: dict[str, Any] = {"control": name, "omnibus": omnibus, "pairwise": pairwise, "posthoc": posthoc}
    call |= {"alpha": alpha, "recipe": recipe, "standard_error": standard_error, "transform": transform}
    call |= {"effect": effect, "intervals": intervals, "unit": unit} | ({} if margin is None else {"margin": margin})
    if scores.holes.any():
        return _of_holes(scores, call, integer_seed(rng), missing)
    protocol = None if recipe is None else recipes.find_recipe(recipe, omnibus, pairwise, posthoc, transform, control)
    units = units_of(scores, unit, transform, recipe, pairwise)
    measured, rows = units.measured, units.rows
    chosen = choose_pair_test(rows, pairwise, posthoc, protocol)
    k, seed = scores.n_algorithms, integer_seed(rng)
    planned = choose_corrections(posthoc, column is not None, omnibus, chosen.name, k, protocol)
    against = asked_margin(margin, units, chosen.name, transform, recipe, effect, alpha)
    forms = standard_errors(standard_error, chosen.name, planned.methods[0], protocol)

    test, companion = _omnibus(units, omnibus, protocol is None, seed)
    family = family_of(k, column)
    tested = tested_pairs(units.for_test(chosen.name), family, chosen, forms, progress)
    correction = adjusted_pvalues(measured, family, tested.tests, planned, column)
    design = _design(units, family, column, tested, call, protocol)
    reach = design.reach(correction.primary)
    decided = judged(tested.tests, correction, alpha, reach > alpha, protocol is not None and test.pvalue > alpha)
    verdicts = with_evidence(scores, family, decided)
    scale: EffectScale = "log-ratio" if transform and effect == "difference" else effect
    sizes = _sizes(design, units, omnibus, tested, correction.primary, verdicts, scale, intervals)
    claims = margin_claims(units, family, against, _kinds(units, family, omnibus, tested, sizes), sizes, alpha)
    of_tests = of_units(all_cautions(design, test, tested, correction, decided, reach, protocol), units.unit)
    pairs = _pairs(scores, family, tested, correction, verdicts, sizes, claims)
    of_means = _of_means(units, family, tested, sizes, scale)
    of_sizes = of_units([*sizes.cautions, *of_means, *doubtful_sizes(pairs), *claims.cautions], units.unit)
    cautions = [*of_tests, *unit_cautions(units), *of_sizes]

    ranking, mean_ranks = _mean_ranks(units, chosen.name, omnibus)
    groups, too_many = groups_of(scores, family, verdicts, mean_ranks) if column is None else ((), [])
    law = str(getattr(test, "method", ""))
    result = Comparison(
        scores=scores,
        alpha=alpha,
        control=name,
        recipe=recipe,
        omnibus=test,
        companion=companion,
        ranking="friedman" if ranking == "mean-ranks" else ranking,
        mean_ranks=mean_ranks,
        pairwise=chosen.name,
        posthoc=correction.methods,
        primary=correction.primary,
        pairs=pairs,
        groups=groups,
        standard_error=forms[0] if chosen.name in RANKINGS else None,
        transform=transform,
        effect=scale,
        intervals=intervals,
        margin=claims.margin,
        critical_difference=of_correction(correction.primary, tested.tests, k, alpha) if k > 2 else None,
        contrasts=contrast_estimation(measured).estimates if has_differences(rows) else None,
        kendall_w=kendall_w(units.ranked, ties="none" if protocol else "corrected").statistic,
        unit=units.unit,
        steps=(),
        choices=_choices(units, protocol, omnibus, chosen, law, forms[0], planned),
        cautions=without_repetition([*cautions, *too_many]),
        request=_request(call, planned, seed if law == "permutation" else None),
    )
    return result if protocol is None else replace(result, steps=_steps(result, protocol, column))


def _of_holes(scores: Scores, call: dict[str, Any], seed: int | None, missing: Literal["bounds"] | None) -> Comparison:
    """Of a table with missing scores, in which no means over clusters are taken."""
    result = compare_incomplete(each_for_itself(scores, call["unit"]), call, seed, missing)
    if scores.clusters is None:
        return result
    return replace(result, scores=scores, cautions=without_repetition([clusters_ignored(scores), *result.cautions]))


def _design(
    units: Units,
    family: Family,
    control: int | None,
    tested: Tested,
    call: dict[str, Any],
    protocol: recipes.Recipe | None,
) -> Design:
    n, k = units.rows.values.shape
    return Design(
        scores=units.rows,
        family=family,
        control=control,
        pairwise=tested.name,
        alpha=call["alpha"],
        printed_error=tested.printed_error,
        transformed=call["transform"] is not None,
        gate=0.0 if protocol is None else pvalue_floor(n, k),
    )


def _request(call: dict[str, Any], planned: Wanted, seed: int | None) -> dict[str, Any]:
    """The call as JSON can hold it; a seed where something was sampled."""
    posthoc = call["posthoc"]
    if not (posthoc is None or isinstance(posthoc, str)):
        posthoc = list(posthoc) if isinstance(posthoc, Sequence) else list(planned.methods)
    return {**call, "posthoc": posthoc, "rng": seed}


def _omnibus(units: Units, omnibus: str, free: bool, rng: int | None) -> tuple[Any, Any]:
    """The omnibus test, and what is reported beside it: corrected for ties and by the exact distribution where that is
    quick (``free``), or as the papers of a recipe have them."""
    record = OMNIBUS[omnibus]
    scores = units.measured if record.differences else units.ranked
    options = {"ties": "corrected" if free else "none"} if record.takes_ties else {}
    tests = [None if test is None else test(scores, **options) for test in (record.function, record.companion)]
    if free and record.permuted is not None:
        table = record.permuted(scores)
        tests = [None if test is None else by_quick_law(test, table, rng) for test in tests]
    return tests[0], tests[1]


def _sizes(
    design: Design,
    units: Units,
    omnibus: str,
    tested: Tested,
    primary: str,
    verdicts: list[Verdict],
    scale: EffectScale,
    intervals: str,
) -> PairSizes:
    """Effects and intervals beside the verdicts."""
    pooled = (primary, design.control) if primary in ("tukey", "dunnett") else None
    request = EffectRequest(
        scale=scale, intervals=intervals, alpha=design.alpha, n_pairs=len(design.family), pooled=pooled
    )
    by = _effects_by(omnibus, tested)
    return pair_sizes(units, design.family, by, verdicts, request, tested.tests.rank_biserial)


def _of_means(units: Units, family: Family, tested: Tested, sizes: PairSizes, scale: EffectScale) -> list[Caution]:
    """Of t-tests, and of effects that are other means."""
    by_t = tested.name == "t"
    tests = tested_means(units.measured, family, units.unit) if by_t else []
    return tests if by_t and scale == "difference" else [*tests, *shown_means(sizes.means, units.unit)]


def _kinds(units: Units, family: Family, omnibus: str, tested: Tested, sizes: PairSizes) -> list[EffectKind]:
    """Of the effect of each pair: as it is shown, or as it would be in score units."""
    ties = sizes.ties.tolist()
    kinds = kinds_of(units.measured, family, _effects_by(omnibus, tested), ties, "difference")
    each = sizes.each if isinstance(sizes.each, list) else []
    shown: list[EffectKind] = [effect.kind for effect, _, _ in each if effect is not None and effect.kind != "a12"]
    return shown if len(shown) == len(kinds) else kinds


def _mean_ranks(units: Units, pairwise: str, omnibus: str) -> tuple[str, Array]:
    """The ranking that the report shows, and the mean ranks."""
    ranking = next((name for name in (pairwise, OMNIBUS[omnibus].ranking) if name in RANKINGS), "mean-ranks")
    table = units.ranked if ranking == "mean-ranks" else units.measured
    return ranking, read_only(rank_sums(table, ranking).means)


def _effects_by(omnibus: str, tested: Tested) -> Sequence[str]:
    """The test that the effect of each pair follows: beside an analysis of variance of means, that of means."""
    if omnibus == "anova" and tested.name not in ("sign", "sign-without-ties"):
        return ["t"] * len(tested.each)
    return tested.each


def _pairs(
    scores: Scores,
    family: Family,
    tested: Tested,
    correction: Correction,
    verdicts: list[Verdict],
    sizes: PairSizes,
    claims: MarginClaims,
) -> tuple[Pair, ...]:
    names, tests, each = scores.algorithms, tested.tests, sizes.each
    evidence = PairEvidence(
        columns=(tests.statistic, tests.pvalue, tests.log_pvalue),
        adjusted={method: correction.values[method] for method in correction.methods},
    )
    source = PairSource(sizes=each, evidence=evidence) if isinstance(each, SizesLater) else None
    counts = (column.tolist() for column in (sizes.wins, sizes.ties, sizes.losses))
    pairs = []
    for i, ((a, b), verdict, test, won, tied, lost) in enumerate(
        zip(family, verdicts, tested.each, *counts, strict=True)
    ):
        values = {"a": names[a], "b": names[b], "verdict": claims.verdict(i, verdict), "test": test}
        values |= {"wins": won, "ties": tied, "losses": lost, **claims.values(i)}
        if source is not None:
            pairs.append(read_when_needed(source, i, values))
        else:
            values |= dict(zip((*SIZES, *EVIDENCE), (*each[i], *evidence[i]), strict=True))
            pairs.append(Pair(**values))
    return tuple(pairs)


def _choices(
    units: Units,
    protocol: recipes.Recipe | None,
    omnibus: str,
    chosen: PairTestChoice,
    law: str,
    standard_error: str,
    planned: Wanted,
) -> tuple[Choice, ...]:
    """Everything decided on the way, and why."""
    scores, unit = units.original, units.unit
    choices = [Choice(parameter="omnibus", value=omnibus, reason=OMNIBUS[omnibus].reason)]
    if OMNIBUS[omnibus].permuted and protocol is None:
        value, reason = catalogue.distribution(law)
        choices.append(Choice(parameter="distribution", value=value, reason=reason))
    if OMNIBUS[omnibus].takes_ties:
        value = "uncorrected" if protocol else "tie-corrected"
        why_ties = "as the paper prints it" if protocol else "tied ranks shrink the variance of the omnibus statistic"
        choices.append(Choice(parameter="ties", value=value, reason=why_ties))
    choices.append(Choice(parameter="pairwise", value=chosen.name, reason=chosen.reason))
    if chosen.name in RANKINGS:
        why_error = "as the papers print it" if standard_error == "papers" else "from the observed ranks, ties included"
        choices.append(Choice(parameter="standard_error", value=standard_error, reason=why_error))
    choices.append(Choice(parameter="posthoc", value=", ".join(planned.methods), reason=planned.reason))
    if scores.runs is not None:
        low, high = int(scores.n_runs.min()), int(scores.n_runs.max())
        runs = f"{low if low == high else f'{low} to {high}'} runs per cell"
        choices.append(Choice(parameter="runs", value="averaged", reason=f"{runs}; {unit}s are the sample"))
    if scores.clusters is not None:
        known = f"the table has clusters ({sample_phrase(scores, 'cluster')})"
        why = f"{known}: means over their problems are tested, and clusters count equally"
        choices.append(Choice(parameter="unit", value=unit, reason=why if unit == "cluster" else f"asked for; {known}"))
    return tuple(choices)


def _steps(result: Comparison, protocol: recipes.Recipe, control: int | None) -> tuple[Step, ...]:
    different = tuple(f"{p.a} – {p.b}" for p in result.pairs if p.verdict in ("a better", "b better"))
    context = recipes.Context(
        scores=result.scores,
        alpha=result.alpha,
        control=control,
        omnibus=result.omnibus,
        companion=result.companion,
        primary=result.primary,
        posthoc=result.posthoc,
        different=different,
        n_pairs=len(result.pairs),
    )
    steps = protocol.steps_pairs if control is None else protocol.steps_control
    return tuple(step(context) for step in steps)
