"""Names of other tools that are not served, and the command that answers their question."""

from collections.abc import Callable

from bakeoff.errors import BakeoffError

INDEPENDENT = (
    "takes the groups for independent samples, but algorithms measured on the same problems are paired. All pairs: "
    "bo.compare(scores); runs of one problem: bo.mann_whitney(x, y) or bo.per_problem(scores)"
)
DRAWS = "draws from p-values alone. bo.diagram(bo.compare(scores)), then .draw(ax) or .save('diagram.pdf')"
TABLES = "writes p-values alone. bo.compare(scores), then .groups, .save('pairs.csv') or .save('report.html')"
REPORTS = "writes a result of autorank. result.comparison.save('report.tex') of bakeoff.migrate.autorank has the tables"
TESTS = "is a class of baycomp. Its answers: bo.bayes.signed_rank, .sign_test, .correlated_t or .hierarchical"
OUTLIERS = "removes outliers, which no comparison here does. Whether they decide: bo.sensitivity(scores)"

ORDERED = (
    "tests an order of the algorithms that was named before. Two at a time: bo.compare(scores), whose pairs have a "
    "direction; any difference: bo.friedman(scores)"
)
GLOBAL = "combines p-values into one of all hypotheses. Of a table of scores: bo.friedman(scores) or bo.quade(scores)"

_UNPAIRED = (
    "anderson conover dscf duncan dunn dunnett_t3 games_howell lsd mannwhitney median nemenyi npm_test scheffe snk "
    "steel tamhane ttest tukey vanwaerden"
)
REFUSED: dict[str, str] = {
    **{f"posthoc_{name}": INDEPENDENT for name in _UNPAIRED.split()},
    "posthoc_tukey_hsd": f"{INDEPENDENT}; Tukey's test of paired scores: bo.tukey(scores)",
    "posthoc_dunnett": f"{INDEPENDENT}; Dunnett's test of paired scores: bo.dunnett(scores, control)",
    "sign_plot": DRAWS,
    **dict.fromkeys(("sign_array", "sign_table", "compact_letter_display"), TABLES),
    **dict.fromkeys(("outliers_gesd", "outliers_grubbs", "outliers_iqr", "outliers_tietjen"), OUTLIERS),
    **dict.fromkeys(("test_hartley", "test_median", "test_jonckheere", "test_mackwolfe"), INDEPENDENT),
    **dict.fromkeys(("test_osrt", "test_page"), ORDERED),
    **dict.fromkeys(("global_f_test", "global_simes_test"), GLOBAL),
    "test_durbin": "tests incomplete blocks. bo.skillings_mack(scores), with missing='keep' when scores are read",
    **dict.fromkeys(("create_report", "latex_table", "latex_report", "plot_stats", "plot_posterior_maps"), REPORTS),
    **dict.fromkeys(("SignTest", "SignedRankTest", "CorrelatedTTest", "HierarchicalTest"), TESTS),
    "nemenyi_test": "returns cliques. bo.compare(scores, posthoc='nemenyi').groups",
    "wilcoxon_test": "returns p-values. bo.compare(scores).pairs, each with .pvalue and .adjusted",
    "check_friedman": "is the omnibus test. bo.friedman(scores, ties='corrected').pvalue",
    "scoring": "is a module of Orange. bakeoff.migrate.compute_CD and .graph_ranks",
}
"""Name -> what it does, and what to call instead."""


def refusing(name: str) -> Callable[..., object]:
    """A function of this name that says, when called, why it is none and what to call."""

    def refused(*arguments: object, **options: object) -> object:
        raise BakeoffError(f"{name} {REFUSED[name]}.")

    if REFUSED[name] is TESTS:
        vars(refused).update(dict.fromkeys(("probs", "sample", "plot"), refused))  # methods of the class
    refused.__name__ = refused.__qualname__ = name
    refused.__doc__ = f"Not served: {name} {REFUSED[name]}."
    return refused
