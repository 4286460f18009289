"""The parameters of ``bakeoff race``."""

from bakeoff.parameter import Parameter
from bakeoff.wings.run.racing.rules import RULES


def methods() -> str:
    """The rules, listed for help."""
    first, *others = RULES
    return (
        f"{first} (default), {', '.join(others)}. e-sign and e-choose eliminate a given best candidate with "
        "probability at most alpha at any number of looks. E-choose ends with a claim about the chosen candidate."
    )


OF_RULES = (
    Parameter(
        "method", "Racing rule", choices=dict.fromkeys(RULES, ""), registered="wings.run.race.parameters:methods"
    ),
    Parameter("alpha", "Level of the rule", float, usual="the experiment's alpha, or 0.05", metavar="A"),
    Parameter("budget", "At most B evaluations (of a candidate on a problem)", float, metavar="B"),
    Parameter(
        "tolerance", "With e-choose: no other beats the chosen one with probability P or more", float, metavar="P"
    ),
    Parameter("block", "Problems between two decisions", int, default=5),
    Parameter(
        "settings",
        "An option of the method, for example strict=true or equivalence=0.05. Repeatable",
        option="--option",
        metavar="NAME=VALUE",
        repeatable=True,
    ),
)
REPLAY = Parameter("replay", "FILE is a finished table (the default unless .toml): nothing is run", bool)
BETTER = Parameter("better", "With a table: which scores are good. Required there", metavar="lower|higher")
ORDER = Parameter("order", "With a table: as its rows, or shuffled", usual="shuffled, seed 0", metavar="given|SEED")
