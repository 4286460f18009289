"""``bayes``: probabilities without a model, or (``plackett-luce``) by a model of whole rankings."""

from bakeoff.analysis import RANKS, Analysis
from bakeoff.parameter import Parameter, n_draws, seed

_GAMMA = Parameter(
    "gamma", "Accept statements with probability above 1 − G", float, default=0.05, metavar="G", label="γ"
)
_SEED = seed("Seed of the draws")

ABOUT = """How probable is it that one algorithm is better, and who is best?

FILE is a table of scores: wide (problem names, then a column per algorithm) or long (columns problem, algorithm,
score, perhaps run). A store of runs (.sqlite) needs no --better. "-" reads standard input. A prior that favours
algorithms names all of them, best first.

\b
bakeoff bayes results.csv --better lower
bakeoff bayes results.csv --better higher --rope 0.01 --report report.html
bakeoff bayes results.csv --better lower --method plackett-luce
bakeoff bayes results.csv --better lower --recipe benavoli-2015
bakeoff bayes results.csv --better lower --prior B --prior A --prior C
bakeoff bayes folds.csv --better higher --folds fold --rope 0.01
"""

_METHOD = Parameter(
    "method",
    "Method",
    choices={
        "overview": "who is better than whom, without a model",
        "plackett-luce": "who comes first on the next problem, who is strongest, by a model of whole rankings",
    },
    usual="overview",
)
_TWO = (
    Parameter("a", "With --b: compare these two and drop all others from the table", metavar="NAME"),
    Parameter("b", "See --a", metavar="NAME"),
)
RECORDS = (
    Analysis(
        kind="bayes",
        respects=RANKS,
        estimates="ranks of clusters",
        function="bo.bayes.overview",
        command="bayes",
        planned="raise",
        help="How probable is it that one is better, and who is best?",
        about=ABOUT,
        before=(_METHOD,),
        after=_TWO,
        hook="wings.bayes.analysis.options:call_bayes",
        progress="parts computed",
        patience=0.0,
        writes_scores=True,
        schema="bakeoff.bayes/1",
        computes="wings.bayes:overview",
        describes="wings.bayes.analysis.reporting.document:REPORT",
        drawn_by={
            "wings.bayes:Overview": "wings.bayes.analysis.figure.diagrams:draw_overview",
            "wings.bayes:JointComparison": "wings.bayes.analysis.figure.diagrams:draw_joint",
            "wings.bayes:RankPosterior": "wings.bayes.analysis.figure.diagrams:draw_ranks",
            "wings.bayes:SignedRankPosterior": "wings.bayes.analysis.figure.diagrams:draw_shares",
        },
        diagrams="wings.bayes.analysis.figure.diagrams:diagrams",
        parameters=(
            Parameter("control", "Show only the pairs of this algorithm", usual="all pairs", metavar="NAME"),
            Parameter(
                "rope", "Differences up to R score units are practical equivalence", float, default=0.0, metavar="R"
            ),
            Parameter(
                "prior_strength",
                "The prior counts as S problems; of plackett-luce: Dirichlet(S, …, S)",
                float,
                default=1.0,
                metavar="S",
            ),
            _GAMMA,
            Parameter("n_draws", "Posterior draws", int, usual="enough to decide", option="--draws", metavar="N"),
            _SEED,
            Parameter(
                "prior",
                "Prior",
                choices={
                    "exchangeable": "mean ranks shrunk towards each other",
                    "flat": "no shrinkage",
                    "ignorance": "any ranking; gives bounds",
                    "equal": "as flat",
                },
                usual="exchangeable from three algorithms on, flat for two",
                text_too=True,
                several=True,
                repeatable=True,
            ),
            Parameter(
                "recipe",
                "A paper's protocol",
                choices={"benavoli-2015": "statements only if the Bayesian Friedman test rejects; flat prior"},
                usual="none",
            ),
        ),
    ),
    Analysis(
        kind="bayes-folds",
        respects=frozenset(("runs", "unequal runs", "sized folds", "one data set")),
        estimates="means",
        function="bo.bayes.folds",
        schema="bakeoff.bayes-folds/1",
        computes="wings.bayes:folds",
        describes="wings.bayes.analysis.reporting.folds:REPORT",
        parameters=(
            Parameter("control", "Show only the pairs of this algorithm", usual="all pairs", metavar="NAME"),
            Parameter(
                "rope", "Differences up to R score units are practical equivalence", float, default=0.0, metavar="R"
            ),
            _GAMMA,
        ),
    ),
    Analysis(
        kind="bayes-plackett-luce",
        respects=RANKS,
        estimates="ranks",
        function="bo.bayes.plackett_luce",
        schema="bakeoff.bayes-plackett-luce/1",
        computes="wings.bayes:plackett_luce",
        describes="wings.bayes.analysis.reporting.plackett_luce:REPORT",
        drawn_by={"wings.bayes:PlackettLucePosterior": "wings.bayes.analysis.figure.strengths:draw_strengths"},
        parameters=(
            Parameter("prior_strength", "Strengths are Dirichlet(S, …, S)", float, default=1.0, metavar="S"),
            n_draws("Posterior draws", 4000),
            Parameter("n_chains", "Chains of the sampler", int, default=16, on_command=False),
            _GAMMA,
            _SEED,
        ),
    ),
)
