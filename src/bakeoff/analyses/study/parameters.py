"""What ``bakeoff study`` is asked: about simulated races, and about draws of problems from a table."""

from bakeoff.parameter import Parameter, alpha


def methods() -> str:
    """Of help."""
    from bakeoff.racing.rules import RULES

    first, *others = RULES
    return f"{first} (default), {', '.join(others)}. Repeatable or comma-separated; one row each."


def tests() -> str:
    """Of help."""
    from bakeoff.study.many_tables.procedures import TESTS

    return f"{', '.join(TESTS)}. Repeatable or comma-separated. Default: all that fit the table."


OF_CHOICES = (
    Parameter("rho", "Standard deviation of every score; means lie in [0, 1]", float, metavar="SD"),
    Parameter("rounds", "At most M blocks", int, default=300, metavar="M"),
)
OF_ERRORS = (
    Parameter("n_best", "N candidates are equal and best", int, option="--best", usual="all"),
    Parameter("chance", "Probability that a best candidate beats one of the others", float, default=0.5, metavar="P"),
    Parameter("n_problems", "At most N problems", int, option="--problems", default=500),
    Parameter("noise", "Of the scores", default="normal", choices={"normal": "", "t2": "heavy tails"}),
)
OF_RACES = (
    Parameter(
        "methods", "Racing rules", option="--method", registered="analyses.study.parameters:methods", repeatable=True
    ),
    Parameter(
        "n_candidates", "Candidates per race", int, option="--candidates", usual="30; race-errors: 10", metavar="Q"
    ),
    alpha("Level of the rule"),
    Parameter("block", "Problems between two decisions", int, default=5),
    Parameter("budget", "Evaluations that sequential-halving spends", float, metavar="B"),
    Parameter(
        "settings",
        "An option for the methods that have it, for example strict=true or gate=false. Repeatable",
        option="--option",
        metavar="NAME=VALUE",
        repeatable=True,
    ),
)
SEED = Parameter("rng", "Seed of the races", int, option="--seed", usual="0", metavar="S")
OF_POWER = (
    Parameter("a", "The algorithm that a larger bias favours; also the control. Required"),
    Parameter("b", "The one it is compared with. Required"),
    Parameter("tests", "Procedures", option="--test", registered="analyses.study.parameters:tests", repeatable=True),
    Parameter("size", "Problems in each draw", int, default=10),
    Parameter(
        "bias", "How strongly problems on which a is better are preferred", usual="0,5,10,15,20", metavar="K,K,…"
    ),
    Parameter(
        "shift",
        "Known truth instead: scores made equal, then a better by so much. 0 must be among them",
        metavar="D,D,…",
    ),
    Parameter(
        "null", "With --shift, which are made equal: pair (default), all, or algorithms. Repeatable", repeatable=True
    ),
    Parameter("draws", "Draws at each bias or shift", int, default=1000, metavar="R"),
    Parameter(
        "scale",
        "Unit of the bias or shift: a number in score units, or sd. Needed with a bias unless scores lie in [0, 1]",
        metavar="S",
    ),
    Parameter(
        "lead",
        "Which problems are preferred",
        default="pair",
        choices={"pair": "on which a is better than b", "average": "than the average"},
    ),
    alpha("Level"),
    Parameter("rng", "Seed of the draws", int, option="--seed", usual="0", metavar="S"),
)
