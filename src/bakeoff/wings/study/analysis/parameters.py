"""The parameters of ``bakeoff study``: draws of problems from a table."""

from bakeoff.parameter import Parameter, alpha


def tests() -> str:
    """The tests, listed for help."""
    from bakeoff.wings.study.many_tables.procedures import TESTS

    return f"{', '.join(TESTS)}. Repeatable or comma-separated. Default: all that fit the table."


OF_POWER = (
    Parameter("a", "The algorithm that a larger bias favours; also the control. Required"),
    Parameter("b", "The one it is compared with. Required"),
    Parameter(
        "tests", "Procedures", option="--test", registered="wings.study.analysis.parameters:tests", repeatable=True
    ),
    Parameter("size", "Problems in each draw", int, default=10),
    Parameter(
        "bias", "How strongly problems on which a is better are preferred", usual="0,5,10,15,20", metavar="K,K,…"
    ),
    Parameter(
        "shift", "Known truth instead: scores made equal, then a better by this much; must include 0", metavar="D,D,…"
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
