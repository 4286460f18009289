"""What a reader must know before quoting a comparison: all cautions, the most serious first."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri

from bakeoff import numerals
from bakeoff.comparison import catalogue
from bakeoff.comparison.corrections import QUICK, Correction, Wanted, adjusted_pvalues
from bakeoff.comparison.decisions import Design, judged
from bakeoff.comparison.detectable import POWER, detectable_effect
from bakeoff.comparison.pair_test import Tested
from bakeoff.comparison.recipes import Recipe
from bakeoff.comparison.results import Verdict, read_later
from bakeoff.comparison.sizes import too_many_for_signed_ranks, too_many_for_sizes
from bakeoff.errors import Caution, counted, listing
from bakeoff.omnibus import OMNIBUS
from bakeoff.omnibus.result import n_tied_problems
from bakeoff.posthoc.pairs import RANKINGS, pair_tests
from bakeoff.ranks import doubled_ranks
from bakeoff.ranks.table_cautions import DERRAC, has_differences
from bakeoff.scores import Scores

DEMSAR = "Demšar (2006), section 3"
BENAVOLI = "Benavoli, Corani & Mangili (2016), JMLR 17(5)"


def all_cautions(
    design: Design,
    test: Any,
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
    found = []
    if reach > alpha:
        method = correction.primary if len(design.family) > 1 else design.pairwise  # one pair: nothing is corrected
        found.append(unreachable(reach, alpha, method, n, gate=reach == design.gate))
    if closed and protocol is not None:
        found.append(gate_closed(test.name, test.pvalue, alpha, protocol.paper))
    elif k > 2 and (caution := omnibus_not_rejected(test.name, test.pvalue, alpha)):
        found.append(caution)
    if reach <= alpha and not closed and (caution := _pool_caution(design, correction, verdicts)):
        found.append(caution)
    rough = getattr(test, "method", "") == "f" and test.name != "anova"  # whose F distribution needs no exact one
    if protocol is None and rough and n <= ROUGH_F:
        found.append(f_rough(n))
    unvaried = np.isinf(tested.tests.statistic) if tested.name == "t" else np.zeros(len(design.family), dtype=bool)
    if unvaried.any():
        names = [(scores.algorithms[a], scores.algorithms[b]) for a, b in design.family]
        found.append(zero_variance([f"{a} – {b}" for (a, b), one in zip(names, unvaried, strict=True) if one]))
    found += [*pair_test_cautions(design), *tested.cautions, *correction.cautions, *test.cautions]
    found += procedures(test.name, design.pairwise, correction.methods, float(tested.tests.pvalue.max()))
    found += sample_size(n, k, len(design.family), alpha, design.pairwise)
    if too_many_for_sizes(scores, len(design.family)):
        found.append(sizes_left_out(len(design.family), n))
    elif read_later(len(design.family)):
        found.append(sizes_when_read(len(design.family)))
    return found


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
    wanted = Wanted(methods=(method,), named=False, reason="")
    second = adjusted_pvalues(scores, design.family, signed, wanted, design.control)
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


def f_rough(n: int) -> Caution:
    return Caution(
        code="f-rough",
        text=f"With {counted(n, 'problem')} the F distribution of the omnibus statistic is rough: at 0.05 it rejects "
        "5 to 7 % of tables in which nothing differs. rng= samples the exact distribution.",
        reference="Errata F20; docs/trust/calibration.md",
    )


def pair_test_cautions(design: Design) -> list[Caution]:
    """What the pair test asked for does not keep, and on which scale it takes differences."""
    k = design.scores.n_algorithms
    found = []
    if design.pairwise in RANKINGS and k > 2:
        found.append(ASSUMES_ALL_ALIKE)
    if design.printed_error is not None:
        found += papers_error(design.pairwise, k, ties=bool(n_tied_problems(doubled_ranks(design.scores))))
    if design.pairwise in ("wilcoxon", "t", "aligned") and not design.transformed:
        found += scales_differ(design.scores, design.pairwise)
    return found


ASSUMES_ALL_ALIKE = Caution(
    code="assumes-all-alike",
    text="z tests on ranks take all algorithms to be alike: the verdict on two depends on which others are in the "
    "table, and the family-wise error is kept only if none differs. Of two alike algorithms that are each best on half "
    "of the problems and worst on the rest, others between them, 20 to 26 % of tables at alpha = 0.05 declare a "
    "difference. "
    'pairwise="wilcoxon" or pairwise="sign" looks at the two algorithms alone.',
    reference="Errata F19; Benavoli, Corani & Mangili (2016), JMLR 17(5)",
)


def papers_error(pairwise: str, k: int, ties: bool) -> list[Caution]:
    """What the printed standard errors do, in measured numbers."""
    if pairwise == "aligned":
        text = (
            "The papers' standard error of aligned ranks takes them to be independent and is too small: of pairs that "
            "do not differ, 16.5 % (of 2 algorithms), 10 % (3), 8.7 % (4), 7.5 % (5), 6 % (10) are found different at "
            f'a nominal 5 %, here with {k} algorithms. standard_error="permutation" is right.'
        )
        return [Caution(code="papers-standard-error", text=text, reference="Errata F17")]
    if pairwise == "quade" and k != 3:
        text = (
            f"The papers' variance of Quade's ranks is (k − 1)/2 = {(k - 1) / 2:g} times what it should be with {k} "
            "algorithms: right with 3 only; with 2, 16.5 % of pairs that do not differ are found different at a "
            'nominal 5 %, and from 10 on nearly no pair can be. standard_error="permutation" is right.'
        )
        return [Caution(code="papers-standard-error", text=text, reference="Errata F18")]
    if pairwise == "mean-ranks" and ties:
        text = (
            "The papers' standard error of mean ranks allows for no ties, of which this table has some: too large, it "
            "costs power. Of right-or-wrong scores (30 problems, 5 algorithms) a nominal 5 % is 0.35 %, and a third of "
            'the differences are found that standard_error="permutation" finds.'
        )
        return [Caution(code="papers-standard-error", text=text, reference="Errata F19")]
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
    weighs = {"t": "the mean difference is that of", "wilcoxon": "signed ranks give the largest ranks to"}
    log = ', transform="log" (ratios count)' if (values > 0.0).all() else ""
    signs = "" if log or (values >= 0.0).all() or (values <= 0.0).all() else " and change sign, so have no ratios"
    text = (
        f"The ranges of the problems' scores differ by a factor of about {as_factor(factor)}{signs}: "
        f"{weighs.get(pairwise, 'aligned ranks put at the ends')} the problems of large scale, and symmetry, the null "
        "hypothesis, is about differences that mean the same everywhere. Choices to make before looking: "
        f'pairwise="sign" (every problem counts alike){log}, pairwise="mean-ranks" (with its own caution).'
    )
    return [Caution(code="scales-differ", text=text)]


NEGLIGIBLE = 0.1
"""Standardized differences below this matter to few."""


def sample_size(n: int, k: int, n_pairs: int, alpha: float, pairwise: str = "wilcoxon") -> list[Caution]:
    """Too few problems for k algorithms, or so many that negligible differences are found."""
    found = []
    if k > 2 and n < 2 * k:
        found.append(
            Caution(
                code="too-few-problems",
                text=f"{counted(n, 'problem')} for {k} algorithms: n ≥ 2k = {2 * k} is the rule of thumb; with fewer, "
                "tests have little power and approximations on ranks are rough.",
                reference=DERRAC,
            )
        )
    # Wilcoxon's test of normal differences, by its efficiency 3/π; power 0.8 at Bonferroni's level
    detectable = float(ndtri(1.0 - alpha / (2 * n_pairs)) + ndtri(POWER)) * math.sqrt(math.pi / 3.0 / n)
    if detectable < NEGLIGIBLE:  # then to the digits of Comparison.detectable, where the test has one
        detectable = detectable_effect(pairwise, n, alpha / n_pairs) or detectable
    if detectable < NEGLIGIBLE:
        found.append(
            Caution(
                code="many-problems",
                text=f"{n} problems find differences of {detectable:.2g} standard deviations of a difference with "
                "power 0.8, which may be too small to matter: read the sizes, not only the p-values.",
                reference="Cohen (1988), Statistical Power Analysis: 0.2 is small",
                severity="note",
            )
        )
    return found


def zero_variance(pairs: Sequence[str]) -> Caution:
    return Caution(
        code="zero-variance",
        text=f"All differences of {listing(pairs)} are equal, which does not say how they vary: p of the t test is set "
        "to 1. Signed ranks and signs need no error; but perhaps the scores are not independent measurements.",
    )


def omnibus_not_rejected(name: str, pvalue: float, alpha: float) -> Caution | None:
    if pvalue <= alpha:
        return None
    return Caution(
        code="omnibus-not-rejected",
        text=f"The omnibus test ({OMNIBUS[name].short}) does not reject equality of all algorithms "
        f"({_p_beside(pvalue, alpha)}); read the differences between pairs with that in mind.",
        reference=DERRAC,
    )


def _p_beside(pvalue: float, alpha: float) -> str:
    return f"{numerals.p_phrase(pvalue, None, alpha)}, alpha = {alpha:g}"


def gate_closed(name: str, pvalue: float, alpha: float, paper: str) -> Caution:
    return Caution(
        code="gate-closed",
        text=f"The recipe goes on to pairs only if the omnibus test rejects; {OMNIBUS[name].short} does not "
        f"({_p_beside(pvalue, alpha)}), so no pair is declared different, whatever its adjusted p.",
        reference=paper,
    )


def unreachable(smallest: float, alpha: float, method: str, n: int, gate: bool = False) -> Caution:
    what = "the omnibus test can have" if gate else f"{catalogue.word(method)} can give any pair"
    bound = " or more" if catalogue.steps_up(method) and not gate else ""
    return Caution(
        code="unreachable-alpha",
        text=f"With {counted(n, 'problem')} the smallest p-value that {what} is "
        f"{numerals.pvalue(smallest, None, alpha)}{bound}, above alpha = {alpha:g}: no outcome could have shown a "
        "difference, so “not different” is no finding. More problems are needed.",
        reference=DEMSAR,
    )


def pool_dependent(pairs: Sequence[str], ranking: str, method: str) -> Caution | None:
    if not pairs:
        return None
    return Caution(
        code="pool-dependent",
        text=f"The verdict of {counted(len(pairs), 'pair')} may depend on which other algorithms are in the table: "
        f"{catalogue.word(ranking)} and signed ranks (Wilcoxon, which looks at the two algorithms alone; "
        f"{catalogue.word(method)}) disagree on {listing(pairs)}.",
        reference=BENAVOLI,
    )


def procedures(omnibus: str, pairwise: str, posthoc: Sequence[str], largest_pvalue: float) -> list[Caution]:
    """Known instabilities of the procedures that were used."""
    discovery = any(catalogue.correction(method).discovery for method in posthoc)
    known = (
        ("quade" in (omnibus, pairwise), QUADE_SENSITIVE),
        ("finner" in posthoc, FINNER_WEAK),
        ("li" in posthoc, li_unstable(largest_pvalue)),
        ("rom-printed" in posthoc, ROM_LIBERAL),
        (discovery, FALSE_DISCOVERY_RATE),
    )
    return [caution for used, caution in known if used]


QUADE_SENSITIVE = Caution(
    code="quade-sensitive",
    text="Quade's test is very sensitive to the choice of problems: a few with a large range of scores decide it. "
    "Use it only where such problems should count more.",
    reference=DERRAC,
)
FINNER_WEAK = Caution(
    code="finner-weak-control",
    text="Finner's correction, as these papers define it, keeps the family-wise error only if no algorithm differs: "
    "its levels are nearly those of a false discovery rate. With 3 of 5 hypotheses false, a true one is rejected in "
    "8 % of experiments at a nominal 5 %. Prefer Holm or Hommel for claims.",
    reference="Finner (1993), JASA 88, 920–923; simulated in this package's calibration tests",
)
ROM_LIBERAL = Caution(
    code="rom-printed-liberal",
    text="The papers' printed sequence for Rom's procedure is off by one: its levels are too large and do not control "
    "the family-wise error. Use it only to reproduce their tables.",
    reference="Rom (1990), Biometrika 77, 663–665",
)
FALSE_DISCOVERY_RATE = Caution(
    code="false-discovery-rate",
    text="The false discovery rate is a weaker promise than the family-wise error: an expected share of alpha of the "
    "differences declared may be false.",
    reference="Benjamini & Hochberg (1995), JRSS B 57, 289–300",
)


def li_unstable(largest_pvalue: float) -> Caution:
    return Caution(
        code="li-unstable",
        text=f"Li's adjusted p-values all depend on the largest p-value of the family (here {largest_pvalue:.3g}): "
        "adding or removing one similar algorithm can change every verdict.",
        reference=DERRAC,
    )


def sizes_left_out(n_pairs: int, n: int) -> Caution:
    return Caution(
        code="sizes-left-out",
        text=f"Differences, intervals and rank-biserial correlations of {n_pairs} pairs on {n} problems would take "
        "too long and are left out; bo.hodges_lehmann computes them for single pairs.",
        severity="note",
    )


def sizes_when_read(n_pairs: int) -> Caution:
    return Caution(
        code="sizes-when-read",
        text=f"Pages leave out the effects, intervals and rank-biserial correlations of {n_pairs} pairs: they are "
        "computed when they are read (pair.effect, pair.interval) or written (JSON, CSV, XLSX).",
        severity="note",
    )


def pool_not_checked(reason: str) -> Caution:
    return Caution(
        code="pool-not-checked",
        text=f"Whether verdicts depend on which algorithms are in the table was not checked: {reason}. "
        'pairwise="wilcoxon" or pairwise="sign" looks at two algorithms alone.',
        reference=BENAVOLI,
        severity="note",
    )
