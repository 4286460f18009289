"""What a reader must know before quoting a comparison: all cautions, the most serious first."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import catalogue
from bakeoff.analyses.compare.statistics.corrections import QUICK, Correction, Wanted, adjusted_pvalues
from bakeoff.analyses.compare.statistics.decisions import Design, judged
from bakeoff.analyses.compare.statistics.detectable import POWER, detectable_effect
from bakeoff.analyses.compare.statistics.pair_test import Tested
from bakeoff.analyses.compare.statistics.recipes import Recipe
from bakeoff.analyses.compare.statistics.results import Verdict, read_later
from bakeoff.analyses.compare.statistics.sizes import too_many_for_signed_ranks, too_many_for_sizes
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.omnibus import OMNIBUS
from bakeoff.omnibus.result import OmnibusResult, n_tied_problems
from bakeoff.posthoc.pairs import RANKINGS, pair_tests
from bakeoff.ranks import doubled_ranks
from bakeoff.ranks.table_cautions import has_differences
from bakeoff.scores import Scores


def all_cautions(
    design: Design,
    test: OmnibusResult,
    tested: Tested,
    correction: Correction,
    verdicts: list[Verdict],
    reach: float,
    protocol: Recipe | None,
) -> list[Caution]:
    """What the design could not show, what the tests disagree on, then the procedures; not of the table."""
    scores, alpha = design.scores, design.alpha
    n, k = scores.values.shape
    closed = protocol is not None and test.pvalue > alpha
    cautions = []
    if reach > alpha:
        method = correction.primary if len(design.family) > 1 else design.pairwise  # one pair: nothing is corrected
        cautions.append(unreachable(reach, alpha, method, n, gate=reach == design.gate))
    if closed and protocol is not None:
        cautions.append(gate_closed(test.name, test.pvalue, alpha, protocol.paper))
    else:
        cautions += omnibus_against_pairs(test, verdicts, alpha, gated=protocol is not None)
    if reach <= alpha and not closed and (caution := _pool_caution(design, correction, verdicts)):
        cautions.append(caution)
    rough = getattr(test, "method", "") == "f" and test.name != "anova"  # whose F distribution needs no exact one
    if protocol is None and rough and n <= ROUGH_F:
        cautions.append(caution_of("rough", "f", problems=counted(n, "problem")))
    unvaried = np.isinf(tested.tests.statistic) if tested.name == "t" else np.zeros(len(design.family), dtype=bool)
    if unvaried.any():
        names = [(scores.algorithms[a], scores.algorithms[b]) for a, b in design.family]
        equal = [f"{a} – {b}" for (a, b), one in zip(names, unvaried, strict=True) if one]
        cautions.append(caution_of("no-variation", "t-differences", names=listing(equal)))
    cautions += [*pair_test_cautions(design), *tested.cautions, *correction.cautions, *test.cautions]
    cautions += procedures(test.name, design.pairwise, correction.methods, float(tested.tests.pvalue.max()))
    cautions += sample_size(n, k, len(design.family), alpha, design.pairwise)
    if too_many_for_sizes(scores, len(design.family)):
        cautions.append(caution_of("not-computed", "effects", n_pairs=len(design.family), n=n))
    elif read_later(len(design.family)):
        cautions.append(caution_of("not-computed", "effects-on-pages", n_pairs=len(design.family)))
    return cautions


def _pool_caution(design: Design, correction: Correction, verdicts: list[Verdict]) -> Caution | None:
    """Do mean ranks, which depend on the whole table, and signed ranks, which do not, agree on each pair?"""
    scores = design.scores
    if design.pairwise not in RANKINGS or scores.n_algorithms == 2:
        return None
    if not has_differences(scores):
        return pool_not_checked("infinite scores have no signed ranks")
    if too_many_for_signed_ranks(scores, len(design.family)):
        return pool_not_checked(f"{len(design.family)} Wilcoxon tests on {scores.n_problems} problems take too long")
    method = _signed_rank_method(correction.primary, scores.n_algorithms)
    if design.reach(method, "wilcoxon") > design.alpha:
        return pool_not_checked(f"with {counted(scores.n_problems, 'problem')} Wilcoxon tests cannot reach alpha")
    signed = pair_tests(scores, design.family, "wilcoxon")
    planned = Wanted(methods=(method,), named=False, reason="")
    second = adjusted_pvalues(scores, design.family, signed, planned, design.control)
    others = judged(signed, second, design.alpha, False, False)
    names = scores.algorithms
    differing = [
        f"{names[a]} – {names[b]} ({_named(mine, a, b, names)} by ranks, {_named(theirs, a, b, names)} by Wilcoxon)"
        for (a, b), mine, theirs in zip(design.family, verdicts, others, strict=True)
        if mine != theirs
    ]
    return pool_dependent(differing, design.pairwise, second.primary)


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


def pair_test_cautions(design: Design) -> list[Caution]:
    """What the pair test asked for does not keep, and on which scale it takes differences."""
    k = design.scores.n_algorithms
    cautions = []
    if design.pairwise in RANKINGS and k > 2:
        cautions.append(caution_of("assumes-all-alike"))
    if design.printed_error is not None:
        cautions += papers_error(design.pairwise, k, ties=bool(n_tied_problems(doubled_ranks(design.scores))))
    if design.pairwise in ("wilcoxon", "t", "aligned") and not design.transformed:
        cautions += scales_differ(design.scores, design.pairwise)
    return cautions


def papers_error(pairwise: str, k: int, ties: bool) -> list[Caution]:
    """What the printed standard errors do, in measured numbers."""
    if pairwise == "aligned":
        return [caution_of("papers-formula", "aligned-ranks", k=k)]
    if pairwise == "quade" and k != 3:
        return [caution_of("papers-formula", "quade", k=(k - 1) / 2, k_2=k)]
    if pairwise == "mean-ranks" and ties:
        return [caution_of("papers-formula", "mean-ranks")]
    return []


WIDE = 100.0
"""Ratio of the ranges of scores (the 90th percentile of the problems to the 10th) from which a caution names it."""


def range_of_scales(scores: Scores) -> float:
    """The decimal logarithm of that ratio; 0 where there is none."""
    values = scores.values
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


def scales_differ(scores: Scores, pairwise: str) -> list[Caution]:
    """Do a few problems of large scale decide a test on differences?"""
    values, factor = scores.values, range_of_scales(scores)
    if factor < np.log10(WIDE):
        return []
    ruled = {
        "t": "Problems with large numbers dominate the mean difference",
        "wilcoxon": "Problems with large numbers dominate this test, which assumes symmetric differences",
    }
    log = ', transform="log" (ratios count)' if (values > 0.0).all() else ""
    signs = "" if log or (values >= 0.0).all() or (values <= 0.0).all() else " and change sign, so have no ratios"
    return [
        caution_of(
            "scales-differ",
            "problems",
            factor=as_factor(factor),
            signs=signs,
            pairwise=ruled.get(pairwise, "Problems with large numbers have the first and last aligned ranks"),
            log=log,
        )
    ]


NEGLIGIBLE = 0.1
"""Standardized differences below this matter to few."""


def sample_size(n: int, k: int, n_pairs: int, alpha: float, pairwise: str = "wilcoxon") -> list[Caution]:
    """Too few problems for k algorithms, or so many that negligible differences are found."""
    cautions = []
    if k > 2 and n < 2 * k:
        cautions.append(caution_of("too-few", "problems", problems=counted(n, "problem"), k=k, twice=2 * k))
    # Wilcoxon's test of normal differences, by its efficiency 3/π; power 0.8 at Bonferroni's level
    detectable = float(ndtri(1.0 - alpha / (2 * n_pairs)) + ndtri(POWER)) * math.sqrt(math.pi / 3.0 / n)
    if detectable < NEGLIGIBLE:  # then to the digits of Comparison.detectable, where the test has one
        detectable = detectable_effect(pairwise, n, alpha / n_pairs) or detectable
    if detectable < NEGLIGIBLE:
        cautions.append(caution_of("many-problems", n=n, detectable=detectable))
    return cautions


def omnibus_against_pairs(
    test: OmnibusResult, verdicts: Sequence[str], alpha: float, gated: bool = False
) -> list[Caution]:
    """Where the test of all algorithms and those of pairs disagree; what rejects and is ``gated`` is in the verdict."""
    rejects = test.pvalue <= alpha
    if len(verdicts) == 1 or (rejects and (gated or set(verdicts) & set(DECIDED))):
        return []
    code = "omnibus-alone" if rejects else "omnibus-not-rejected"
    return [caution_of(code, short=OMNIBUS[test.name].short, pvalue=_p_beside(test.pvalue, alpha))]


def _p_beside(pvalue: float, alpha: float) -> str:
    return f"{numerals.p_phrase(pvalue, None, alpha)}, alpha = {alpha:g}"


def gate_closed(name: str, pvalue: float, alpha: float, paper: str) -> Caution:
    return caution_of("gate-closed", reference=paper, short=OMNIBUS[name].short, pvalue=_p_beside(pvalue, alpha))


def unreachable(smallest: float, alpha: float, method: str, n: int, gate: bool = False) -> Caution:
    what = "the omnibus test can have" if gate else f"{catalogue.word(method)} can give any pair"
    bound = " or more" if catalogue.steps_up(method) and not gate else ""
    return caution_of(
        "out-of-reach",
        "problems",
        problems=counted(n, "problem"),
        what=what,
        smallest=numerals.pvalue(smallest, None, alpha),
        bound=bound,
        alpha=alpha,
    )


def pool_dependent(pairs: Sequence[str], ranking: str, method: str) -> Caution | None:
    if not pairs:
        return None
    return caution_of(
        "pool-dependent",
        "verdicts",
        pairs=counted(len(pairs), "pair"),
        ranking=catalogue.word(ranking),
        method=catalogue.word(method),
        names=listing(pairs),
    )


def procedures(omnibus: str, pairwise: str, posthoc: Sequence[str], largest_pvalue: float) -> list[Caution]:
    """Known instabilities of the procedures that were used."""
    discovery = any(catalogue.correction(method).discovery for method in posthoc)
    known = {
        ("quade-sensitive", ""): "quade" in (omnibus, pairwise),
        ("error-rate", "finner"): "finner" in posthoc,
        ("pool-dependent", "li"): "li" in posthoc,
        ("papers-formula", "rom"): "rom-printed" in posthoc,
        ("error-rate", "false-discoveries"): discovery,
    }
    return [caution_of(*name, largest_pvalue=largest_pvalue) for name, used in known.items() if used]


def pool_not_checked(reason: str) -> Caution:
    return caution_of("not-checked", "pool", reason=reason)
