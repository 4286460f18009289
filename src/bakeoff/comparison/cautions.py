"""What a reader must know before quoting a comparison: one function per caution, data in, Caution or None out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.comparison.words import beside, in_words
from bakeoff.errors import Caution, counted, listing
from bakeoff.ranks import TIE_ULPS, doubled_ranks
from bakeoff.scores import Array, Scores

DERRAC = "Derrac et al. (2011), section 6"
GARCIA = "García et al. (2010), section 5"
DEMSAR = "Demšar (2006), section 3"
BENAVOLI = "Benavoli, Corani & Mangili (2016), JMLR 17(5)"


def table_cautions(scores: Scores) -> list[Caution]:
    """Of the table itself, before any test."""
    found = (
        transposed(scores),
        dropped(scores),
        filled(scores),
        infinite(scores),
        overflowing(scores),
        tied(scores),
        nearly_tied(scores),
    )
    return [caution for caution in found if caution]


def transposed(scores: Scores) -> Caution | None:
    n, k = scores.values.shape
    if k <= n or n == 1:
        return None
    return Caution(
        code="transposed",
        text=f"There are more algorithms ({k}) than problems ({n}): is the table transposed? "
        "Rows must be problems and columns algorithms.",
        reference=DERRAC,
    )


def dropped(scores: Scores) -> Caution | None:
    if not scores.dropped:
        return None
    return Caution(
        code="dropped-problems",
        text=f"Left out for a missing score: {counted(len(scores.dropped), 'problem')} ({listing(scores.dropped)}). "
        "If scores are missing because an algorithm failed, this favours it.",
        reference=DERRAC,
    )


def filled(scores: Scores) -> Caution | None:
    if not scores.filled:
        return None
    cells = listing(f"{problem} / {algorithm}" for problem, algorithm in scores.filled)
    return Caution(
        code="filled-cells",
        text=f"Counted as the worst possible: {counted(len(scores.filled), 'missing score')} ({cells}).",
        reference=DERRAC,
    )


def infinite(scores: Scores) -> Caution | None:
    count = int(np.isinf(scores.values).sum())
    if not count:
        return None
    return Caution(
        code="infinite-scores",
        text=f"Ranked, but infinite: {counted(count, 'score')}. Differences with them (effects, intervals, "
        "contrasts, Wilcoxon) cannot be computed and are left out.",
        reference="",
    )


def has_differences(scores: Scores) -> bool:
    """Are all scores, and all differences within a problem, finite numbers?"""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(scores.values.max(axis=1) - scores.values.min(axis=1)).all())


def overflowing(scores: Scores) -> Caution | None:
    if has_differences(scores) or np.isinf(scores.values).any():
        return None
    return Caution(
        code="overflowing-differences",
        text="Some scores are so large that their differences are beyond 1e308: they are ranked; what needs their "
        "differences is left out. Rescale the table.",
        reference="",
    )


def tied(scores: Scores) -> Caution | None:
    ranks = doubled_ranks(scores)
    n, k = ranks.shape
    rows = int((np.sort(ranks, axis=1) != 2 * np.arange(1, k + 1)).any(axis=1).sum())
    if not rows:
        return None
    return Caution(
        code="rounding-ties",
        text=f"Scores are tied in {rows} of {n} problems. If the ties come from rounding, give more digits: "
        "tied ranks cost power and blur differences.",
        reference="Derrac et al. (2011), section 3.2",
    )


def nearly_tied(scores: Scores) -> Caution | None:
    """Single scores are compared exactly; differences in the last bits are probably no differences."""
    if scores.runs is not None:
        return None
    values, chunk = scores.values, 8192  # a chunk stays in the processor's cache
    rows = np.flatnonzero(np.concatenate([_last_bits(values[i : i + chunk]) for i in range(0, len(values), chunk)]))
    if not rows.size:
        return None
    return Caution(
        code="near-ties",
        text=f"In {counted(rows.size, 'problem')} two scores differ only in their last bits "
        f"({listing(scores.problems[i] for i in rows)}) and are ranked as different. "
        "If that is rounding error of a computation, round the scores first.",
        reference="",
    )


def _last_bits(values: Array) -> npt.NDArray[np.bool_]:
    """(n,) do two scores of the problem differ by no more than the tolerance of derived quantities?"""
    ordered = np.sort(values, axis=1)
    finite = np.isfinite(ordered[:, 1:]) & np.isfinite(ordered[:, :-1])
    low, high = np.where(finite, ordered[:, :-1], 0.0), np.where(finite, ordered[:, 1:], 1.0)
    with np.errstate(over="ignore"):
        gap = high - low
    near = finite & (gap > 0) & (gap <= TIE_ULPS * np.spacing(np.maximum(np.abs(low), np.abs(high))))
    return np.asarray(near.any(axis=1))


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
