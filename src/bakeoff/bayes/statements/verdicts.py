"""From probabilities to a verdict: what is said when its probability is above 1 − gamma."""

from __future__ import annotations

from bakeoff.bayes.dirichlet.shares import Pair, Triple
from bakeoff.errors import Caution

STATEMENTS = ("a better", "equivalent", "b better")


def three_way_verdict(p: Triple, gamma: float) -> str:
    """The statement whose probability (better, equivalent, worse) is above 1 − gamma, else "undecided".

    Of two such (gamma above 1/2) the more probable one.
    """
    top = max(p)
    sure = [statement for statement, share in zip(STATEMENTS, p, strict=True) if share == top]
    return sure[0] if len(sure) == 1 and top > 1.0 - gamma else "undecided"


def verdict_of_bounds(bounds: tuple[Pair, Pair, Pair], gamma: float) -> str:
    """The same for lower and upper probabilities over a set of priors; "indeterminate" where the priors disagree."""
    possible = [s for s, (_, high) in zip(STATEMENTS, bounds, strict=True) if high > 1.0 - gamma]
    certain = [s for s, (low, _) in zip(STATEMENTS, bounds, strict=True) if low > 1.0 - gamma]
    if not possible:
        return "undecided"
    return certain[0] if certain == possible and len(certain) == 1 else "indeterminate"


def near_the_level(p: Triple, error: float, gamma: float, n_draws: int) -> tuple[Caution, ...]:
    """Shares of draws too near to 1 − gamma: other draws could give another verdict."""
    if not abs(max(p) - (1.0 - gamma)) < 4 * error:
        return ()
    text = (
        f"The largest probability is within four Monte Carlo errors ({error:.2g}) of {1 - gamma:g}: "
        f"another seed could give another verdict; take more than {n_draws} draws."
    )
    return (Caution(code="more-draws", text=text),)
