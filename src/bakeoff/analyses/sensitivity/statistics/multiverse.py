"""The verdict under every sound analysis of the family: each test of pairs with each correction that keeps its rate.

Never used to choose one. Of the tests of pairs: those of two algorithms on all problems, and z tests on ranks, which
keep their level only where no two algorithms differ (errata F19) but are what the papers use. Of the corrections: all
that keep the family-wise error rate whatever holds of the other hypotheses; of signs none by the logic of all pairs.
"""

from __future__ import annotations

from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.analyses.compare.statistics.corrections import QUICK, SIGNS
from bakeoff.analyses.compare.statistics.pair_test import PairTestChoice
from bakeoff.analyses.compare.statistics.results import Verdict
from bakeoff.analyses.sensitivity.statistics.analysis import ExaminedAnalysis, ExaminedTable
from bakeoff.errors import BakeoffError
from bakeoff.posthoc import POSTHOC
from bakeoff.posthoc.pairs import RANKINGS, StandardError

TESTS = ("wilcoxon", "sign", "t", *RANKINGS)
BY_LOGIC = tuple(name for name, method in PAIRWISE_METHODS.items() if method.logic)


Verdicts = dict[str, tuple[Verdict, ...]]
"""(m,) verdicts by analysis."""


def analysis_name(pairwise: str, method: str, n_pairs: int) -> str:
    """As ``pairwise`` and ``posthoc`` of ``bo.compare``; a single hypothesis needs no correction."""
    return pairwise if n_pairs == 1 else f"{pairwise} + {method}"


def multiverse(
    table: ExaminedTable, analysis: ExaminedAnalysis, own: tuple[Verdict, ...]
) -> tuple[Verdicts, dict[str, str]]:
    """The verdicts of every analysis of this table, ``own`` first; and what is no part of it, with the reason."""
    m = len(table.family)
    verdicts: Verdicts = {own_name(analysis, m): own}
    methods, left_out = _corrections(table.control is not None, table.scores.n_algorithms)
    if m == 1:
        methods, left_out = ["holm"], {}
    for test in TESTS:
        try:
            _of_test(table, analysis, test, methods, verdicts, left_out)
        except BakeoffError as error:
            left_out[test] = str(error)
    left_out["sign-without-ties"] = "the sign test stands for it"
    left_out["mcnemar"] = "the sign test stands for it"
    kept = {test for name in verdicts for test in name.split(" + ")}
    return verdicts, {name: why for name, why in left_out.items() if name not in kept}


def own_name(analysis: ExaminedAnalysis, n_pairs: int) -> str:
    name = analysis_name(analysis.chosen.name, analysis.method, n_pairs)
    return name if analysis.recipe is None else f"{name} ({analysis.recipe.name})"


def _of_test(
    table: ExaminedTable,
    analysis: ExaminedAnalysis,
    test: str,
    methods: list[str],
    verdicts: Verdicts,
    left_out: dict[str, str],
) -> None:
    """Adds the verdicts of one test with each correction; the raw tests are made once for all of them."""
    m = len(table.family)
    chosen = PairTestChoice(name=test, reason="", named=test != "wilcoxon")
    form: StandardError = "permutation"
    one = ExaminedAnalysis(chosen=chosen, method="holm", forms=(form, form), alpha=analysis.alpha)
    tested = one.tested(table)
    for method in [*methods, *_family_tests(test, table.control is not None, m)]:
        name = analysis_name(test, method, m)
        if name in verdicts:
            continue
        if test in SIGNS and m > 1 and method in BY_LOGIC:
            left_out[name] = "“as often better as worse” is not transitive, which this correction needs"
            continue
        forms: tuple[StandardError, StandardError] = ("papers", "papers") if method == "nemenyi" else (form, form)
        each = ExaminedAnalysis(chosen=chosen, method=method, forms=forms, alpha=analysis.alpha)
        try:
            verdicts[name] = each.decide(table, tested if forms == one.forms else None).verdicts
        except BakeoffError as error:
            left_out[name] = str(error)


def _corrections(control: bool, k: int) -> tuple[list[str], dict[str, str]]:
    """Those that keep the family-wise error rate; and why others are left out."""
    kept, left_out = [], {}
    for name, method in (CONTROL_METHODS if control else PAIRWISE_METHODS).items():
        if name in POSTHOC:
            continue
        if method.discovery:
            left_out[name] = "controls the false discovery rate"
        elif method.nominal or not method.in_all:
            left_out[name] = "keeps the family-wise error rate under some hypotheses, or for independent tests, only"
        elif k > QUICK and name in ("bergmann-hommel", "shaffer-dynamic"):
            left_out[name] = f"would take long with more than {QUICK} algorithms"
        else:
            kept.append(name)
    return kept, left_out


def _family_tests(test: str, control: bool, n_pairs: int) -> list[str]:
    """Tests of the whole family that belong to this test of pairs."""
    if n_pairs == 1:
        return []
    return [name for name, family in POSTHOC.items() if family.control == control and family.pairwise == test]
