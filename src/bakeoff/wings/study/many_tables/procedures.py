"""The procedures that a study knows, by name: what is called how, and what it does to many tables at once."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from bakeoff.analyses.compare.statistics.corrections import QUICK
from bakeoff.dataclass import dataclass
from bakeoff.procedures import Term, by_name
from bakeoff.wings.study.many_tables import omnibus_tests as many, pooled_error, two_algorithms as two
from bakeoff.wings.study.many_tables.table_batch import TableBatch, TestOutcome

Looks = Literal["pair", "table", "control", "pairs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudiedProcedure(Term):
    """``looks``: at the pair alone, at the whole table (does any differ?), at all comparisons with a, at all pairs."""

    function: Callable[[TableBatch], TestOutcome]
    looks: Looks
    most: int = 1_000_000  # algorithms


def _of(
    looks: Looks, name: str, short: str, phrase: str, function: Callable[[TableBatch], TestOutcome], *cite: str
) -> StudiedProcedure:
    return StudiedProcedure(name, short, phrase, function=function, looks=looks, cite=cite, most=_MOST.get(name, 10**6))


def _control(name: str, short: str, phrase: str, cite: str, method: str = "", ranking: str = "") -> StudiedProcedure:
    function = partial(many.with_control, method=method or name, ranking=ranking or "mean-ranks")
    return _of("control", name, short, phrase, function, cite)


def _all_pairs(method: str, short: str, phrase: str, cite: str) -> StudiedProcedure:
    return _of("pairs", method, short, phrase, partial(many.all_pairs, method=method), cite)


_MOST = {"bergmann-hommel": QUICK}
_RELATIVE = "the paired t-test on relative differences"
_SIGNED_RANK = "the Bayesian signed-rank test"
_IMAN_DAVENPORT, _ALIGNED_RANKS = "the Iman–Davenport test", "the Friedman aligned ranks test"
_OF_PAIRS, _OF_CONTROL = "bakeoff's compare() of all pairs", "bakeoff's compare() with a control"
_WORKS = ("wilcoxon1945",)
_ALIGNED, _QUADE = "Holm's procedure on aligned ranks", "Holm's procedure on Quade's ranks"

TESTS: dict[str, StudiedProcedure] = by_name(
    _of("pair", "t", "Paired t", "the paired t-test", two.t_test_of_many, "student1908"),
    _of("pair", "t-relative", "Paired t, relative", _RELATIVE, two.relative_t_test_of_many, "student1908"),
    _of("pair", "wilcoxon", "Wilcoxon", "the Wilcoxon signed-rank test", two.wilcoxon_of_many, "wilcoxon1945"),
    _of("pair", "sign", "Sign", "the sign test", two.sign_test_of_many, "dixonmood1946"),
    _of("pair", "bayes-sign", "Bayesian sign", "the Bayesian sign test", two.bayesian_signs, "benavoli2015"),
    _of("pair", "bayes-signed-rank", "Bayesian signed-rank", _SIGNED_RANK, two.bayesian_signed_ranks, "benavoli2014"),
    _of("table", "anova", "ANOVA", "repeated-measures ANOVA", pooled_error.anova_of_many, "fisher1925"),
    _of("table", "friedman", "Friedman", "the Friedman test", many.friedman_of_many, "friedman1937"),
    _of("table", "iman-davenport", "Iman–Davenport", _IMAN_DAVENPORT, many.iman_davenport_of_many, "imandavenport1980"),
    _of("table", "aligned", "Aligned ranks", _ALIGNED_RANKS, many.aligned_friedman_of_many, "hodgeslehmann1962"),
    _of("table", "quade", "Quade", "the Quade test", many.quade_of_many, "quade1979"),
    _of("pairs", "tukey", "Tukey", "Tukey's test", pooled_error.tukey_of_many, "tukey1949"),
    _of("pairs", "nemenyi", "Nemenyi", "the Nemenyi test", many.nemenyi_of_many, "nemenyi1963"),
    _all_pairs("shaffer", "Shaffer", "Shaffer's procedure", "shaffer1986"),
    _all_pairs("bergmann-hommel", "Bergmann–Hommel", "Bergmann and Hommel's procedure", "bergmannhommel1988"),
    _control("bonferroni-dunn", "Bonferroni–Dunn", "the Bonferroni–Dunn test", "dunn1961", "bonferroni"),
    _control("holm", "Holm", "Holm's procedure", "holm1979"),
    _control("holland", "Holland", "Holland's procedure", "holland1987"),
    _control("hochberg", "Hochberg", "Hochberg's procedure", "hochberg1988"),
    _control("rom", "Rom", "Rom's procedure", "rom1990"),
    _control("hommel", "Hommel", "Hommel's procedure", "hommel1988"),
    _control("finner", "Finner", "Finner's procedure", "finner1993"),
    _control("li", "Li", "Li's procedure", "li2008"),
    _control("aligned-holm", "Holm, aligned", _ALIGNED, "garcia2010", "holm", "aligned"),
    _control("quade-holm", "Holm, Quade", _QUADE, "garcia2010", "holm", "quade"),
    _of("pairs", "compare", "compare", _OF_PAIRS, many.compare_all, *_WORKS, "bergmannhommel1988"),
    _of("control", "compare-control", "compare, control", _OF_CONTROL, many.compare_with_control, *_WORKS, "holm1979"),
)
"""In the order in which reports list them."""
