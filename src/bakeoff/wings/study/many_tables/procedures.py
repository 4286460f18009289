"""The procedures that a study knows, by name: what is called how, and what it does to many tables at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from bakeoff.analyses.compare.statistics.corrections import QUICK
from bakeoff.procedures import Term, by_name
from bakeoff.wings.study.many_tables import omnibus_tests, pooled_error, two_algorithms
from bakeoff.wings.study.many_tables.table_batch import TableBatch, TestOutcome

Looks = Literal["pair", "table", "control", "pairs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudiedProcedure(Term):
    """``looks``: at the pair alone, at the whole table (does any differ?), at all comparisons with a, at all pairs."""

    function: Callable[[TableBatch], TestOutcome]
    looks: Looks
    most: int = 1_000_000  # algorithms


def _with_control(
    name: str, short: str, phrase: str, method: str, cite: str, ranking: str = "mean-ranks"
) -> StudiedProcedure:
    function = partial(omnibus_tests.with_control, method=method, ranking=ranking)
    return StudiedProcedure(name, short, phrase, function=function, looks="control", cite=(cite,))


TESTS: dict[str, StudiedProcedure] = by_name(
    StudiedProcedure(
        "t",
        "Paired t",
        "the paired t-test",
        function=two_algorithms.t_test_of_many,
        looks="pair",
        cite=("student1908",),
    ),
    StudiedProcedure(
        "t-relative",
        "Paired t, relative",
        "the paired t-test on relative differences",
        function=two_algorithms.relative_t_test_of_many,
        looks="pair",
        cite=("student1908",),
    ),
    StudiedProcedure(
        "wilcoxon",
        "Wilcoxon",
        "the Wilcoxon signed-rank test",
        function=two_algorithms.wilcoxon_of_many,
        looks="pair",
        cite=("wilcoxon1945",),
    ),
    StudiedProcedure(
        "sign",
        "Sign",
        "the sign test",
        function=two_algorithms.sign_test_of_many,
        looks="pair",
        cite=("dixonmood1946",),
    ),
    StudiedProcedure(
        "bayes-sign",
        "Bayesian sign",
        "the Bayesian sign test",
        function=two_algorithms.bayesian_sign_test_of_many,
        looks="pair",
        cite=("benavoli2015",),
    ),
    StudiedProcedure(
        "bayes-signed-rank",
        "Bayesian signed-rank",
        "the Bayesian signed-rank test",
        function=two_algorithms.bayesian_signed_rank_of_many,
        looks="pair",
        cite=("benavoli2014",),
    ),
    StudiedProcedure(
        "anova",
        "ANOVA",
        "repeated-measures ANOVA",
        function=pooled_error.anova_of_many,
        looks="table",
        cite=("fisher1925",),
    ),
    StudiedProcedure(
        "friedman",
        "Friedman",
        "the Friedman test",
        function=omnibus_tests.friedman_of_many,
        looks="table",
        cite=("friedman1937",),
    ),
    StudiedProcedure(
        "iman-davenport",
        "Iman–Davenport",
        "the Iman–Davenport test",
        function=omnibus_tests.iman_davenport_of_many,
        looks="table",
        cite=("imandavenport1980",),
    ),
    StudiedProcedure(
        "aligned",
        "Aligned ranks",
        "the Friedman aligned ranks test",
        function=omnibus_tests.aligned_friedman_of_many,
        looks="table",
        cite=("hodgeslehmann1962",),
    ),
    StudiedProcedure(
        "quade", "Quade", "the Quade test", function=omnibus_tests.quade_of_many, looks="table", cite=("quade1979",)
    ),
    StudiedProcedure(
        "tukey", "Tukey", "Tukey's test", function=pooled_error.tukey_of_many, looks="pairs", cite=("tukey1949",)
    ),
    StudiedProcedure(
        "nemenyi",
        "Nemenyi",
        "the Nemenyi test",
        function=omnibus_tests.nemenyi_of_many,
        looks="pairs",
        cite=("nemenyi1963",),
    ),
    StudiedProcedure(
        "shaffer",
        "Shaffer",
        "Shaffer's procedure",
        function=partial(omnibus_tests.all_pairs, method="shaffer"),
        looks="pairs",
        cite=("shaffer1986",),
    ),
    StudiedProcedure(
        "bergmann-hommel",
        "Bergmann–Hommel",
        "Bergmann and Hommel's procedure",
        function=partial(omnibus_tests.all_pairs, method="bergmann-hommel"),
        looks="pairs",
        cite=("bergmannhommel1988",),
        most=QUICK,
    ),
    _with_control("bonferroni-dunn", "Bonferroni–Dunn", "the Bonferroni–Dunn test", "bonferroni", "dunn1961"),
    _with_control("holm", "Holm", "Holm's procedure", "holm", "holm1979"),
    _with_control("holland", "Holland", "Holland's procedure", "holland", "holland1987"),
    _with_control("hochberg", "Hochberg", "Hochberg's procedure", "hochberg", "hochberg1988"),
    _with_control("rom", "Rom", "Rom's procedure", "rom", "rom1990"),
    _with_control("hommel", "Hommel", "Hommel's procedure", "hommel", "hommel1988"),
    _with_control("finner", "Finner", "Finner's procedure", "finner", "finner1993"),
    _with_control("li", "Li", "Li's procedure", "li", "li2008"),
    _with_control(
        "aligned-holm", "Holm, aligned", "Holm's procedure on aligned ranks", "holm", "garcia2010", "aligned"
    ),
    _with_control("quade-holm", "Holm, Quade", "Holm's procedure on Quade's ranks", "holm", "garcia2010", "quade"),
    StudiedProcedure(
        "compare",
        "compare",
        "bakeoff's compare() of all pairs",
        function=omnibus_tests.compare_all,
        looks="pairs",
        cite=("wilcoxon1945", "bergmannhommel1988"),
    ),
    StudiedProcedure(
        "compare-control",
        "compare, control",
        "bakeoff's compare() with a control",
        function=omnibus_tests.compare_with_control,
        looks="control",
        cite=("wilcoxon1945", "holm1979"),
    ),
)
"""In the order in which reports list them."""
