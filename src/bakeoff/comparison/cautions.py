"""What a reader must know before quoting a comparison: all cautions, the most serious first."""

from collections.abc import Sequence
from typing import Any

from bakeoff import numerals
from bakeoff.comparison import catalogue
from bakeoff.comparison.corrections import Correction, Wanted, adjusted_pvalues
from bakeoff.comparison.decisions import Design, judged
from bakeoff.comparison.recipes import Recipe
from bakeoff.comparison.results import Verdict
from bakeoff.comparison.sizes import too_many_for_signed_ranks, too_many_for_sizes
from bakeoff.errors import Caution, counted, listing
from bakeoff.omnibus import OMNIBUS
from bakeoff.posthoc.pairs import RANKINGS, PairTests, pair_tests
from bakeoff.ranks.table_cautions import DERRAC, has_differences, table_cautions

DEMSAR = "Demšar (2006), section 3"
BENAVOLI = "Benavoli, Corani & Mangili (2016), JMLR 17(5)"


def all_cautions(
    design: Design,
    test: Any,
    tests: PairTests,
    correction: Correction,
    verdicts: list[Verdict],
    reach: float,
    protocol: Recipe | None,
) -> list[Caution]:
    """What the design could not show, what the tests disagree on, then the procedures, then the table."""
    scores, alpha = design.scores, design.alpha
    n, k = scores.values.shape
    closed = protocol is not None and test.pvalue > alpha
    found = []
    if reach > alpha:
        method = correction.primary if len(design.family) > 1 else design.pairwise  # one pair: nothing is corrected
        found.append(unreachable(reach, alpha, method, n))
    if closed and protocol is not None:
        found.append(gate_closed(test.name, test.pvalue, alpha, protocol.paper))
    elif k > 2 and (caution := omnibus_not_rejected(test.name, test.pvalue, alpha)):
        found.append(caution)
    if reach <= alpha and not closed and (caution := _pool_caution(design, correction, verdicts)):
        found.append(caution)
    found += [*correction.cautions, *test.cautions]
    found += procedures(test.name, design.pairwise, correction.methods, float(tests.pvalue.max()))
    found += [*sample_size(n, k, design.pairwise), *table_cautions(scores)]
    if too_many_for_sizes(scores, len(design.family)):
        found.append(sizes_left_out(len(design.family), n))
    return found


def _pool_caution(design: Design, correction: Correction, verdicts: list[Verdict]) -> Caution | None:
    """Do mean ranks, which depend on the whole table, and signed ranks, which do not, agree on each pair?"""
    scores = design.scores
    if design.pairwise not in RANKINGS or scores.n_algorithms == 2 or not has_differences(scores):
        return None
    if too_many_for_signed_ranks(scores, len(design.family)):
        return pool_not_checked(len(design.family), scores.n_problems)
    method = _signed_rank_method(correction.primary, scores.n_algorithms)
    if design.reach(method, "wilcoxon") > design.alpha:
        return None  # signed ranks cannot tell anything here: no disagreement to report
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
    """``SaDE better`` for ``a better``: in a sentence nobody is called a or b."""
    return {"a better": f"{names[a]} better", "b better": f"{names[b]} better"}.get(verdict, verdict)


def _signed_rank_method(primary: str, k: int) -> str:
    """The correction for signed ranks beside ``primary``: where that needs mean ranks, or seconds, a simpler one."""
    if primary == "nemenyi-range":
        return "nemenyi"
    return "shaffer" if k > 12 and primary in ("bergmann-hommel", "shaffer-dynamic") else primary


def sample_size(n: int, k: int, pairwise: str) -> list[Caution]:
    """Too few or too many problems for k algorithms."""
    found = []
    if k > 2 and n < 2 * k:
        found.append(
            Caution(
                code="too-few-problems",
                text=f"{counted(n, 'problem')} for {k} algorithms: n ≥ 2k = {2 * k} is the rule of thumb; with fewer, "
                "tests on ranks have little power and their approximations are rough.",
                reference=DERRAC,
            )
        )
    if k > 2 and n >= 8 * k:
        found.append(
            Caution(
                code="many-problems",
                text=f"{n} problems for {k} algorithms (n ≥ 8k = {8 * k}): even differences too small to matter "
                "become significant; read the effects, not only the p-values.",
                reference=DERRAC,
            )
        )
    if n > 30 and pairwise == "wilcoxon":
        found.append(
            Caution(
                code="many-problems-wilcoxon",
                text=f"{n} problems in Wilcoxon's test (more than 30): even differences too small to matter become "
                "significant; read the effects, not only the p-values.",
                reference=DERRAC,
            )
        )
    return found


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


def unreachable(smallest: float, alpha: float, method: str, n: int) -> Caution:
    return Caution(
        code="unreachable-alpha",
        text=f"With {counted(n, 'problem')} the smallest p-value that {catalogue.word(method)} can give any pair is "
        f"{numerals.pvalue(smallest, None, alpha)}, above alpha = {alpha:g}: no outcome could have shown a difference, "
        "so “not different” is no finding. More problems are needed.",
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
    )


def pool_not_checked(n_pairs: int, n: int) -> Caution:
    return Caution(
        code="pool-not-checked",
        text=f"Whether verdicts depend on which algorithms are in the table was not checked: {n_pairs} Wilcoxon tests "
        f'on {n} problems would take too long. pairwise="wilcoxon" looks at two algorithms alone.',
        reference=BENAVOLI,
    )
