"""All cautions that a reader must know before quoting a comparison, the most serious first."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import catalogue
from bakeoff.analyses.compare.statistics.corrections import QUICK, Wanted, adjusted_pvalues
from bakeoff.analyses.compare.statistics.incomplete.cautions import (
    NAMED as OF_MISSING,
    missing_cautions,
    table_with_holes,
)
from bakeoff.analyses.compare.statistics.limits import read_later, too_many_for_signed_ranks, too_many_for_sizes
from bakeoff.analyses.compare.statistics.mean_cautions import doubtful_sizes, of_pairs, shown_means, tested_means
from bakeoff.analyses.compare.statistics.reach import POWER, detectable_effect
from bakeoff.analyses.compare.statistics.results import Verdict
from bakeoff.analyses.compare.statistics.state import Comparing
from bakeoff.analyses.compare.statistics.units import ignored_clusters
from bakeoff.analyses.compare.statistics.verdicts import DECIDED, judged
from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted
from bakeoff.means.folds import fold_cautions
from bakeoff.means.serial import serial_cautions
from bakeoff.omnibus import OMNIBUS
from bakeoff.omnibus.result import n_tied_problems
from bakeoff.posthoc.pairs import RANKINGS, pair_tests
from bakeoff.ranks import doubled_ranks
from bakeoff.ranks.cautions import has_differences, table_cautions, without_repetition
from bakeoff.scores import Array
from bakeoff.scores.clusters import of_units
from bakeoff.special import ndtri


def add_cautions(c: Comparing) -> None:
    """Add what the design could not show, what the tests disagree on, the procedures, the table, the sizes."""
    tests = [*_out_of_reach(c), *_missing(c), *_omnibus_and_pairs(c)]
    n, k = c.units.rows.values.shape
    if not c.incomplete:
        tests += _pool(c)
    # the F distribution of means needs no exact one
    if c.recipe is None and getattr(c.test, "method", "") == "f" and c.test.name != "anova" and n <= ROUGH_F:
        tests.append(caution_of("rough", "f", problems=counted(n, "problem")))
    if c.tested.name == "t":
        unvaried = np.flatnonzero(np.isinf(c.tested.tests.statistic)).tolist()
        tests += of_pairs("no-variation", "t-differences", c.names(unvaried))
    if not c.incomplete:
        tests += pair_test_cautions(c)
    tests += [*c.tested.cautions, *c.correction.cautions]
    tests += [caution for caution in c.test.cautions if caution.name != "missing (omnibus)"]
    tests += procedures(c.test.name, c.tested.name, c.correction.methods, float(c.tested.tests.pvalue.max()))
    if not c.incomplete:
        tests += [*sample_size(n, k, len(c.family), c.request.alpha, c.tested.name), *_large(c)]
    effects = [*c.sizes.cautions, *_of_means(c), *doubtful_sizes(c.pairs), *c.margin_cautions]
    units = c.units
    of_tests, of_effects = of_units(tests, units.unit), of_units(effects, units.unit)
    if c.incomplete:  # its cautions of the table are no graver than what the pairs rest on
        in_order = [*ignored_clusters(units), *of_tests, *of_effects, *table_with_holes(units.rows)]
    else:
        in_order = [
            *of_tests,
            *ignored_clusters(units),
            *serial_cautions(units.original, c.request.alpha),
            *fold_cautions(units.rows.n_problems, units.original.folds or 0.0, c.tested.name),
            *_of_table(c),
            *of_effects,
        ]
    c.cautions = without_repetition([*in_order, *c.groups_left_out])


def _of_table(c: Comparing) -> list[Caution]:
    """Cautions on the table itself; folds of one data set are one problem by design."""
    if c.units.unit == "fold":
        return [caution for caution in table_cautions(c.units.original) if caution.code != "one-problem"]
    return table_cautions(c.units.original, None if c.units.unit == "cluster" else c.doubled)


def _out_of_reach(c: Comparing) -> list[Caution]:
    alpha, n = c.request.alpha, c.units.rows.n_problems
    pairs = np.flatnonzero(c.reach > alpha).tolist()
    if not pairs:
        return []
    if c.incomplete:
        number = counted(len(pairs), "pair")
        return of_pairs("out-of-reach", "common-problems", c.names(pairs), OF_MISSING, pairs=number, alpha=alpha)
    method = c.correction.primary if len(c.family) > 1 else c.tested.name  # one pair: nothing is corrected
    least = float(c.reach[0])
    gate = least == c.design.gate
    what = "the omnibus test can have" if gate else f"{catalogue.word(method)} can give any pair"
    smallest, bound = numerals.pvalue(least, None, alpha), " or more" if catalogue.steps_up(method) and not gate else ""
    known: dict[str, Any] = {"what": what, "smallest": smallest, "bound": bound, "alpha": alpha}
    return [caution_of("out-of-reach", "problems", problems=counted(n, "problem"), **known)]


def _missing(c: Comparing) -> list[Caution]:
    if not c.incomplete:
        return []
    missing = missing_cautions(c.units.rows, c.names, [one.n for one in c.rows], c.bounded, c.chosen.name)
    depending = [i for i, verdict in enumerate(c.verdicts) if verdict == "depends on the missing scores"]
    number = counted(len(depending), "pair")
    return [*missing, *of_pairs("missing", "verdicts", c.names(depending), OF_MISSING, pairs=number)]


def _omnibus_and_pairs(c: Comparing) -> list[Caution]:
    """Where the test of all algorithms and those of pairs disagree; what rejects and is gated is in the verdict."""
    alpha, short = c.request.alpha, OMNIBUS[c.test.name].short
    p = f"{numerals.p_phrase(c.test.pvalue, None, alpha)}, alpha = {alpha:g}"
    if c.closed and c.recipe is not None:
        return [caution_of("gate-closed", reference=c.recipe.paper, short=short, pvalue=p)]
    rejects, gated = c.test.pvalue <= alpha, c.recipe is not None or c.bounded
    if len(c.decided) == 1 or (rejects and (gated or set(c.decided) & set(DECIDED))):
        return []
    return [caution_of("omnibus-alone" if rejects else "omnibus-not-rejected", short=short, pvalue=p)]


def _large(c: Comparing) -> list[Caution]:
    """Name what a large family leaves out, or computes when it is read."""
    m, n = len(c.family), c.units.rows.n_problems
    if too_many_for_sizes(n, m):
        return [caution_of("not-computed", "effects", n_pairs=m, n=n)]
    return [caution_of("not-computed", "effects-on-pages", n_pairs=m)] if read_later(m) else []


def _of_means(c: Comparing) -> list[Caution]:
    """Cautions about t-tests, and about other means; none of rows that depend on each other, whose degrees of freedom
    say how few they are."""
    if c.units.depend:
        return []
    by_t = c.tested.name == "t" and not c.incomplete
    tests = tested_means(c.units.measured, c.family, c.units.unit) if by_t else []
    return tests if by_t and c.scale == "difference" else [*tests, *shown_means(c.sizes.means, c.units.unit)]


def _pool(c: Comparing) -> list[Caution]:
    """Do mean ranks, which depend on the whole table, and signed ranks, which do not, agree on each pair?"""
    scores, alpha, (n, k) = c.units.rows, c.request.alpha, c.units.rows.values.shape
    if c.closed or c.reach[0] > alpha or c.tested.name not in RANKINGS or k == 2:
        return []
    method = _signed_rank_method(c.correction.primary, k)
    reason = ""
    if not has_differences(scores.values):
        reason = "infinite scores have no signed ranks"
    elif too_many_for_signed_ranks(n, len(c.family)):
        reason = f"{len(c.family)} Wilcoxon tests on {n} problems take too long"
    elif c.design.reach(method, "wilcoxon") > alpha:
        reason = f"with {counted(n, 'problem')} Wilcoxon tests cannot reach alpha"
    if reason:
        return [caution_of("not-checked", "pool", reason=reason)]
    signed = pair_tests(scores, c.family, "wilcoxon")
    planned = Wanted(methods=(method,), named=False, reason="")
    second = adjusted_pvalues(scores, c.family, signed, planned, c.control)
    others = judged(second.values[second.primary], signed.direction, 0.0, alpha)
    names = scores.algorithms
    differing = [
        f"{names[a]} – {names[b]} ({_named(mine, a, b, names)} by ranks, {_named(theirs, a, b, names)} by Wilcoxon)"
        for (a, b), mine, theirs in zip(c.family, c.decided, others, strict=True)
        if mine != theirs
    ]
    words: dict[str, Any] = {"ranking": catalogue.word(c.tested.name), "method": catalogue.word(second.primary)}
    return of_pairs("pool-dependent", "verdicts", differing, pairs=counted(len(differing), "pair"), **words)


def _named(verdict: Verdict, a: int, b: int, names: Sequence[str]) -> str:
    """``SaDE better`` for ``a better``: the verdict with the names of the algorithms."""
    return {"a better": f"{names[a]} better", "b better": f"{names[b]} better"}.get(verdict, verdict)


def _signed_rank_method(primary: str, k: int) -> str:
    """The correction for signed ranks beside ``primary``: where that needs mean ranks, or seconds, a simpler one."""
    if primary == "nemenyi":
        return "bonferroni"
    return "shaffer" if k > QUICK and primary in ("bergmann-hommel", "shaffer-dynamic") else primary


ROUGH_F = 3
"""Problems up to which F, where the exact distribution takes long (7 algorithms or more), was seen to exceed 0.06 at
0.05."""


def pair_test_cautions(c: Comparing) -> list[Caution]:
    """Say what the pair test does not keep, and on which scale it takes differences."""
    scores, test = c.units.rows, c.tested.name
    k = scores.n_algorithms
    of_test = []
    if test in RANKINGS and k > 2:
        of_test.append(caution_of("assumes-all-alike"))
    if c.tested.printed_error is not None:
        of_test += papers_error(test, k, ties=bool(n_tied_problems(doubled_ranks(scores))))
    if test in ("wilcoxon", "t", "aligned") and c.request.transform is None:
        of_test += scales_differ(scores.values, test)
    return of_test


def papers_error(pairwise: str, k: int, ties: bool) -> list[Caution]:
    """Say what the printed standard errors do, in measured numbers."""
    if pairwise == "aligned":
        return [caution_of("papers-formula", "aligned-ranks", k=k)]
    if pairwise == "quade" and k != 3:
        return [caution_of("papers-formula", "quade", k=(k - 1) / 2, k_2=k)]
    if pairwise == "mean-ranks" and ties:
        return [caution_of("papers-formula", "mean-ranks")]
    return []


WIDE = 100.0
"""Ratio of the ranges of scores (the 90th percentile of the problems to the 10th) from which a caution names it."""


def range_of_scales(values: Array) -> float:
    """The decimal logarithm of that ratio; 0 where there is none."""
    with np.errstate(over="ignore", invalid="ignore"):
        ranges = values.max(axis=1) - values.min(axis=1)
    ranges = ranges[np.isfinite(ranges) & (ranges > 0.0)]
    if len(ranges) < 2:
        return 0.0
    low, high = np.quantile(np.log10(ranges), [0.1, 0.9])
    return float(high - low)


def as_factor(exponent: float) -> str:
    """10 to this power, roughly: ``1300``, ``10¹⁰``."""
    return numerals.power_of_ten(round(exponent)) if exponent >= 4.0 else f"{float(f'{10.0**exponent:.2g}'):.0f}"


def scales_differ(values: Array, pairwise: str) -> list[Caution]:
    """Do a few problems of large scale decide a test on differences?"""
    factor = range_of_scales(values)
    if factor < np.log10(WIDE):
        return []
    signed = (values > 0.0).all(), (values >= 0.0).all() or (values <= 0.0).all()
    log = ', transform="log" (ratios count)' if signed[0] else ""
    signs = "" if any(signed) else " and change sign, so have no ratios"
    words: dict[str, Any] = {"factor": as_factor(factor), "signs": signs, "pairwise": RULED[pairwise], "log": log}
    return [caution_of("scales-differ", "problems", **words)]


RULED = {
    "t": "Problems with large numbers dominate the mean difference",
    "wilcoxon": "Problems with large numbers dominate this test, which assumes symmetric differences",
    "aligned": "Problems with large numbers have the first and last aligned ranks",
}


NEGLIGIBLE = 0.1
"""Standardized differences below this matter to few."""


def sample_size(n: int, k: int, n_pairs: int, alpha: float, pairwise: str = "wilcoxon") -> list[Caution]:
    """Too few problems for k algorithms, or so many that negligible differences are found."""
    of_size = []
    if k > 2 and n < 2 * k:
        of_size.append(caution_of("too-few", "problems", problems=counted(n, "problem"), k=k, twice=2 * k))
    # Wilcoxon's test of normal differences, by its efficiency 3/π; power 0.8 at Bonferroni's level
    detectable = float(ndtri(1.0 - alpha / (2 * n_pairs)) + ndtri(POWER)) * math.sqrt(math.pi / 3.0 / n)
    if detectable < NEGLIGIBLE:  # then to the digits of Comparison.detectable, where the test has one
        detectable = detectable_effect(pairwise, n, alpha / n_pairs) or detectable
    if detectable < NEGLIGIBLE:
        of_size.append(caution_of("many-problems", n=n, detectable=detectable))
    return of_size


def procedures(omnibus: str, pairwise: str, posthoc: Sequence[str], largest_pvalue: float) -> list[Caution]:
    """Known instabilities of the procedures that were used."""
    discovery = any(catalogue.correction(method).discovery for method in posthoc)
    known = {
        ("quade-sensitive", ""): "quade" in (omnibus, pairwise),
        ("error-rate", "finner"): "finner" in posthoc,
        ("pool-dependent", "li"): "li" in posthoc,
        ("error-rate", "combined-f"): pairwise == "5x2cv-f",
        ("error-rate", "five-by-two-t"): pairwise == "5x2cv-t",
        ("papers-formula", "rom"): "rom-printed" in posthoc,
        ("error-rate", "false-discoveries"): discovery,
    }
    return [caution_of(*name, largest_pvalue=largest_pvalue) for name, used in known.items() if used]
