"""All cautions of a comparison, the gravest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bakeoff.comparison import cautions as warn
from bakeoff.comparison.corrections import Correction, Wanted, adjusted_pvalues
from bakeoff.comparison.decisions import Design, decide
from bakeoff.comparison.recipes import Recipe
from bakeoff.comparison.results import Verdict
from bakeoff.comparison.sizes import too_many_for_signed_ranks, too_many_for_sizes
from bakeoff.errors import Caution
from bakeoff.posthoc.pairs import RANKINGS, PairTests, pair_tests


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
        found.append(warn.unreachable(reach, alpha, method, n))
    if closed and protocol is not None:
        found.append(warn.gate_closed(test.name, test.pvalue, alpha, protocol.paper))
    elif k > 2 and (caution := warn.omnibus_not_rejected(test.name, test.pvalue, alpha)):
        found.append(caution)
    if reach <= alpha and not closed and (caution := _pool_caution(design, correction, verdicts)):
        found.append(caution)
    found += [*correction.cautions, *test.cautions]
    found += warn.procedures(test.name, design.pairwise, correction.methods, float(tests.pvalue.max()))
    found += [*warn.sample_size(n, k, design.pairwise), *warn.table_cautions(scores)]
    if too_many_for_sizes(scores, len(design.family)):
        found.append(warn.sizes_left_out(len(design.family), n))
    return found


def _pool_caution(design: Design, correction: Correction, verdicts: list[Verdict]) -> Caution | None:
    """Do mean ranks, which depend on the whole table, and signed ranks, which do not, agree on each pair?"""
    scores = design.scores
    if design.pairwise not in RANKINGS or scores.n_algorithms == 2 or not warn.has_differences(scores):
        return None
    if too_many_for_signed_ranks(scores, len(design.family)):
        return warn.pool_not_checked(len(design.family), scores.n_problems)
    method = _signed_rank_method(correction.primary, scores.n_algorithms)
    if design.reach(method, "wilcoxon") > design.alpha:
        return None  # signed ranks cannot tell anything here: no disagreement to report
    signed = pair_tests(scores, design.family, "wilcoxon")
    wanted = Wanted(methods=(method,), named=False, reason="")
    second = adjusted_pvalues(scores, design.family, signed, wanted, design.control)
    others = decide(signed, second, design.alpha, False, False)
    names = scores.algorithms
    differing = [
        f"{names[a]} – {names[b]} ({_named(mine, a, b, names)} by ranks, {_named(theirs, a, b, names)} by Wilcoxon)"
        for (a, b), mine, theirs in zip(design.family, verdicts, others, strict=True)
        if mine != theirs
    ]
    return warn.pool_dependent(differing, design.pairwise, second.primary)


def _named(verdict: Verdict, a: int, b: int, names: Sequence[str]) -> str:
    """``SaDE better`` for ``a better``: in a sentence nobody is called a or b."""
    return {"a better": f"{names[a]} better", "b better": f"{names[b]} better"}.get(verdict, verdict)


def _signed_rank_method(primary: str, k: int) -> str:
    """The correction for signed ranks beside ``primary``: where that needs mean ranks, or seconds, a simpler one."""
    if primary == "nemenyi-range":
        return "nemenyi"
    return "shaffer" if k > 12 and primary in ("bergmann-hommel", "shaffer-dynamic") else primary
