"""The parameters that decide the verdicts of ``compare``; those of ``sensitivity`` as well."""

from bakeoff.parameter import Parameter, alpha

WITH_CONTROL = (
    *("holm", "bonferroni", "sidak", "holland", "finner", "hochberg", "hommel", "rom", "rom-printed", "li"),
    *("fdr-bh", "fdr-by", "dunnett"),
)
OF_PAIRS = (
    *("bergmann-hommel", "bonferroni", "holm", "hochberg", "hommel", "shaffer", "shaffer-dynamic"),
    *("nemenyi", "tukey"),
)
RECIPE = Parameter(
    "recipe",
    "A paper's protocol",
    choices={"demsar-2006": "", "garcia-2010": "", "derrac-2011": ""},
    registered="analyses.compare.statistics.recipes:recipe_names",
)
DECIDING = (
    Parameter("control", "Compare only with this one", usual="all pairs", metavar="NAME"),
    Parameter(
        "omnibus",
        "Test of any difference at all",
        default="iman-davenport",
        choices=dict.fromkeys(("iman-davenport", "friedman", "aligned", "quade", "anova", "skillings-mack"), ""),
        registered="analyses.compare.statistics.catalogue:omnibus_tests",
    ),
    Parameter(
        "pairwise",
        "Test of each pair, before correction",
        usual="wilcoxon",
        choices=dict.fromkeys(
            (
                *("wilcoxon", "mean-ranks", "aligned", "quade", "sign", "sign-without-ties", "mcnemar", "t"),
                *("resampled-t", "repeated-t", "calibrated-t", "5x2cv-t", "5x2cv-f"),
            ),
            "",
        ),
        registered="analyses.compare.statistics.catalogue:pairwise_tests",
    ),
    Parameter(
        "posthoc",
        "Correction",
        choices=dict.fromkeys(("all", *OF_PAIRS, *WITH_CONTROL), ""),
        registered="analyses.compare.statistics.corrections:corrections_in_words",
        several=True,
        repeatable=True,
    ),
    alpha("Family-wise error rate"),
    RECIPE,
    Parameter(
        "standard_error",
        "Standard error of tests on ranks",
        usual="permutation",
        choices={"permutation": "", "papers": "as printed; for nemenyi the default"},
        detail=True,
    ),
    Parameter(
        "transform",
        "Of the scores",
        choices={
            "log": "differences of logarithms, if problems differ in scale",
            "minmax": "normalised to [0, 1] in each problem",
        },
    ),
    Parameter(
        "unit",
        "Independent units",
        default="cluster",
        choices={"cluster": "if the problems have clusters: tests cluster means", "problem": "each by itself"},
        detail=True,
    ),
)
