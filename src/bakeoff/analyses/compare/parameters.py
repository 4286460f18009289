"""What decides the verdicts of ``compare``; those of ``sensitivity`` as well."""

from bakeoff.parameter import Parameter

DECIDING = (
    Parameter("control", "Compare every algorithm with this one", usual="all pairs", metavar="NAME"),
    Parameter(
        "omnibus",
        "Test of any difference at all",
        default="iman-davenport",
        choices="comparison.catalogue:omnibus_tests",
    ),
    Parameter(
        "pairwise",
        "Test of each pair, before correction",
        usual="wilcoxon",
        choices="comparison.catalogue:pairwise_tests",
        further="nemenyi implies mean-ranks, tukey and dunnett t. Tests on ranks keep the family-wise error only if no "
        "two algorithms differ.",
    ),
    Parameter(
        "posthoc",
        "",
        choices="comparison.corrections:corrections_of_both",
        words="comparison.corrections:corrections_in_words",
        several=True,
        repeatable=True,
    ),
    Parameter("alpha", "Family-wise error rate", float, default=0.05, metavar="A"),
    Parameter("recipe", "A paper's protocol", choices="comparison.recipes:recipe_names"),
    Parameter(
        "standard_error",
        "Of tests on ranks",
        usual="permutation",
        choices={"permutation": "", "papers": "as printed; for nemenyi the default"},
    ),
    Parameter(
        "transform", "Of the scores", choices={"log": "differences of logarithms, where problems differ in scale"}
    ),
    Parameter(
        "unit",
        "What is independent",
        default="cluster",
        choices={"cluster": "where the problems have clusters: their means are tested", "problem": "each by itself"},
    ),
)
