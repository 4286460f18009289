"""What a reader must know before quoting a comparison: one function per caution, data in, Caution or None out."""

from __future__ import annotations

from collections.abc import Sequence

from bakeoff.comparison.words import beside, in_words
from bakeoff.errors import Caution, counted, listing
from bakeoff.ranks.table_cautions import DERRAC
from bakeoff.ranks.table_cautions import has_differences as has_differences
from bakeoff.ranks.table_cautions import table_cautions as table_cautions

GARCIA = "García et al. (2010), section 5"
DEMSAR = "Demšar (2006), section 3"
BENAVOLI = "Benavoli, Corani & Mangili (2016), JMLR 17(5)"


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
        text=f"The omnibus test ({in_words(name)}) does not reject equality of all algorithms "
        f"(p = {beside(pvalue, alpha)} > {alpha:g}); differences between pairs should be read with that in mind.",
        reference=DERRAC,
    )


def gate_closed(name: str, pvalue: float, alpha: float, paper: str) -> Caution:
    return Caution(
        code="gate-closed",
        text=f"The recipe goes on to pairs only if the omnibus test rejects; {in_words(name)} does not "
        f"(p = {beside(pvalue, alpha)} > {alpha:g}), so no pair is declared different, whatever its adjusted p.",
        reference=paper,
    )


def unreachable(smallest: float, alpha: float, method: str, n: int, what: str = "pair") -> Caution:
    return Caution(
        code="unreachable-alpha",
        text=f"With {counted(n, 'problem')} the smallest p-value that {in_words(method)} can give any {what} is "
        f"{beside(smallest, alpha, 3)}, above alpha = {alpha:g}: no outcome could have shown a difference, so "
        "“not different” is no finding. More problems are needed.",
        reference=DEMSAR,
    )


def pool_dependent(pairs: Sequence[str], ranking: str, method: str) -> Caution | None:
    if not pairs:
        return None
    return Caution(
        code="pool-dependent",
        text=f"The verdict of {counted(len(pairs), 'pair')} may depend on which other algorithms are in the table: "
        f"{in_words(ranking)} and signed ranks (Wilcoxon, which looks at the two algorithms alone; {in_words(method)}) "
        f"disagree on {listing(pairs)}.",
        reference=BENAVOLI,
    )


def procedures(omnibus: str, pairwise: str, posthoc: Sequence[str], largest_pvalue: float) -> list[Caution]:
    """Known instabilities of the procedures that were used."""
    found = []
    if "quade" in (omnibus, pairwise):
        found.append(
            Caution(
                code="quade-sensitive",
                text="Quade's test is very sensitive to the choice of problems: a few with a large range of scores "
                "decide it. Use it only where such problems should count more.",
                reference=DERRAC,
            )
        )
    if "finner" in posthoc:
        found.append(
            Caution(
                code="finner-weak-control",
                text="Finner's correction, as these papers define it, keeps the family-wise error only if no algorithm "
                "differs: its levels are nearly those of a false discovery rate. With 3 of 5 hypotheses false, a true "
                "one is rejected in 8 % of experiments at a nominal 5 %. Prefer Holm or Hommel for claims.",
                reference="Finner (1993), JASA 88, 920–923; simulated in this package's calibration tests",
            )
        )
    if "li" in posthoc:
        found.append(
            Caution(
                code="li-unstable",
                text=f"Li's adjusted p-values all depend on the largest p-value of the family (here "
                f"{largest_pvalue:.3g}): adding or removing one similar algorithm can change every verdict.",
                reference=DERRAC,
            )
        )
    if "rom-printed" in posthoc:
        found.append(
            Caution(
                code="rom-printed-liberal",
                text="The papers' printed sequence for Rom's procedure is off by one: its levels are too large and do "
                "not control the family-wise error. Use it only to reproduce their tables.",
                reference="Rom (1990), Biometrika 77, 663–665",
            )
        )
    if any(method.startswith("fdr") for method in posthoc):
        found.append(
            Caution(
                code="false-discovery-rate",
                text="The false discovery rate is a weaker promise than the family-wise error: an expected share "
                "of alpha of the differences declared may be false.",
                reference="Benjamini & Hochberg (1995), JRSS B 57, 289–300",
            )
        )
    return found


def sizes_left_out(n_pairs: int, n: int) -> Caution:
    return Caution(
        code="sizes-left-out",
        text=f"Differences, intervals and rank-biserial correlations of {n_pairs} pairs on {n} problems would take "
        "too long and are left out; bo.hodges_lehmann computes them for single pairs.",
        reference="",
    )


def pool_not_checked(n_pairs: int, n: int) -> Caution:
    return Caution(
        code="pool-not-checked",
        text=f"Whether verdicts depend on which algorithms are in the table was not checked: {n_pairs} Wilcoxon tests "
        f'on {n} problems would take too long. pairwise="wilcoxon" looks at two algorithms alone.',
        reference=BENAVOLI,
    )


def beyond_limit(method: str, instead: str, reason: str) -> Caution:
    return Caution(
        code="correction-beyond-limit",
        text=f"{method} was not computed ({reason}); {instead}.",
        reference="",
    )
