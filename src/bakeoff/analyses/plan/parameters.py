"""The parameters of ``bakeoff plan``, of which each function of ``bo.plan`` takes some."""

from bakeoff.parameter import Parameter, alpha

_EFFECT = (
    "The smallest effect that matters, in standard deviations of the differences between two algorithms over problems. "
    "With --test friedman: means such as 0,0,0.5, or one number, in residual standard deviations"
)
_MARGIN = (
    "Plan to show that two algorithms are equal up to M, in the same unit; --effect is then the true difference "
    "(default: 0)"
)
_METHOD = (
    "wilcoxon: simulation (default), exact-variance, noether, are; sign: exact, are; with --questions: normal, t, "
    "mcnemar (answers that are right or wrong)"
)
_QUESTIONS = (
    "Plan an evaluation of two models on the same questions: from --delta (or --n, --margin, in the unit of the "
    "scores) and --pilot, --accuracy or --between"
)

TESTING = (
    Parameter("effect", _EFFECT, metavar="D"),
    Parameter("margin", _MARGIN, metavar="M"),
    Parameter("claim", "With --margin", default="equal", choices={"equal": "", "not-worse": ""}),
    Parameter("power", "Probability of detecting it", float, default=0.8, metavar="P"),
    alpha("Family-wise level"),
    Parameter("n", "Number of problems, if it is fixed", int),
    Parameter("n_algorithms", "Algorithms compared", int, default=2, option="--algorithms", metavar="K"),
    Parameter(
        "comparisons",
        "Comparisons",
        default="all-pairs",
        choices={"all-pairs": "", "control": "each against one algorithm"},
    ),
    Parameter(
        "alternative",
        "Alternative",
        default="two-sided",
        choices={"two-sided": "", "greater": "", "less": "", "one-sided": ""},
    ),
    Parameter("test", "Test", default="t", choices={"t": "", "wilcoxon": "", "sign": "", "friedman": ""}),
    Parameter(
        "target",
        "Which comparison the power is for, if there are several",
        default="worst",
        choices={"worst": "", "mean": "", "median": ""},
    ),
    Parameter("method", _METHOD),
    Parameter("cluster_size", "Problems come in clusters of M on average: N counts those", float, metavar="M"),
    Parameter("icc", "Intraclass correlation of the differences within a cluster, 0 to 1", float, metavar="R"),
    Parameter("cluster_cv", "Coefficient of variation of the cluster sizes", float, usual="0", metavar="C"),
    Parameter("rng", "Seed of simulations", int, option="--seed", usual="0", metavar="S"),
    Parameter(
        "pilot",
        "Scores with several runs per cell, or a store of runs: would more problems or more runs help? With "
        "--questions one answer to each is enough",
        metavar="FILE",
    ),
)
OF_PILOT = (
    Parameter("control", "With --pilot: compare every algorithm with this one"),
    Parameter(
        "difference",
        "With --pilot, differences",
        default="simple",
        choices={"simple": "", "percent": "", "log-ratio": ""},
    ),
    Parameter(
        "form", "Standard error of percent differences", default="corrected", choices={"corrected": "", "paper": ""}
    ),
    Parameter("delta", "With --pilot: the smallest mean difference that matters", float),
    Parameter("se", "With --pilot: runs for this standard error on each problem", float),
    Parameter("min_runs", "With --se: fewest runs per cell", int, default=20),
    Parameter("questions", _QUESTIONS, bool),
    Parameter("omega2", "With --questions: variance of the true differences", float, option="--between"),
    Parameter(
        "sigma2",
        "With --questions: variance of one answer to a question; X,Y for the two models",
        option="--within",
        usual="0",
        metavar="X",
    ),
    Parameter("accuracy", "With --questions, without a pilot: the share that the models answer right", float),
    Parameter(
        "agreement",
        "With --accuracy: share of questions on which both models are right or both are wrong",
        float,
        usual="as if their errors were independent",
    ),
    Parameter(
        "answers",
        "With --questions: answers of each model to a question; K,L for the two models",
        usual="1",
        metavar="K",
    ),
)
