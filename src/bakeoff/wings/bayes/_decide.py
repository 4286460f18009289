"""Decisions by expected loss, when a false claim and a missed one have different costs."""

import math

import numpy as np
import numpy.typing as npt

from bakeoff.checks import number
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.scores.cells import Array
from bakeoff.wings.bayes.dirichlet.shares import Pair, Triple
from bakeoff.wings.bayes.statements.verdicts import STATEMENTS, ThreeWay

DECLARE, KEEP_SILENT, EITHER = "declare", "do not declare", "indeterminate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The result of :func:`bakeoff.bayes.decide`."""

    action: str  # one of ``actions``; "indeterminate" if the priors disagree or two actions cost the same
    actions: tuple[str, ...]
    expected_losses: tuple[float, ...]  # of each action; for a set of priors the largest
    least_losses: tuple[float, ...]  # for a set of priors the smallest; otherwise the same
    statement: str  # the statement decided on: "a better" | "equivalent" | "b better" | "the hypothesis"
    probability: Pair  # of the statement: lowest and highest over the priors; equal for a single prior
    threshold: float | None  # declare the statement above this probability; None with a matrix of losses


def decide(
    posterior: ThreeWay | float | Pair, k0: float = 1.0, k1: float = 19.0, *, losses: npt.ArrayLike | None = None
) -> Decision:
    """Which action has the smallest expected loss, given the posterior?

    Use it when the costs of both errors are known. Do not use it to search for a threshold that gives a desired result.

    Parameters
    ----------
    posterior : result of ``bo.bayes.sign_test``, ``bo.bayes.signed_rank`` and the like, or float, or (low, high)
        For a result, the decision is about its most probable statement. A number is the posterior probability of a
        hypothesis; two numbers are its lower and upper probability over a set of priors. A probability of 1 that no
        problem contradicts is taken with its bounds over priors of one problem: from 1 − ½ⁿ to 1.
    k0 : float
        Loss of not declaring a true statement.
    k1 : float
        Loss of declaring a false statement; with the defaults the threshold is 0.95.
    losses : array_like, shape (3, 3), optional
        Instead of k0 and k1: the loss of declaring "a better", "equivalent", "b better" (rows) when each of them is
        true (columns). Requires a result with a single prior.

    Returns
    -------
    Decision
        ``.action`` and the ``.expected_losses`` of all ``.actions``; ``.threshold``.

    Raises
    ------
    ParameterError, WrongTypeError
        Losses that are not positive numbers, a matrix of another shape, a probability outside 0..1.

    Notes
    -----
    Not declaring (action 0) costs K₀·P, declaring (action 1) costs K₁·(1 − P), so the statement is declared if
    P > K₁/(K₀ + K₁): Benavoli et al. (2015), equations 10–12. At equal costs it is not declared. With lower and upper
    probabilities the action is "indeterminate" if the two differ. With a matrix L the expected loss of action i is
    Σ_j L_ij P_j.

    Examples
    --------
    >>> import bakeoff as bo
    >>> scores = bo.Scores([[0, 1]] * 20 + [[1, 0]] * 10, algorithms=["X2", "X3"], better="lower")
    >>> result = bo.bayes.decide(bo.bayes.sign_test(scores, "X2", "X3"))
    >>> result.action, result.statement, round(result.probability[0], 4)  # Benavoli et al. (2015), Table 1
    ('declare', 'a better', 0.9693)
    >>> bo.bayes.decide(0.9693, k1=99).action  # a false claim costs 99 times as much: the threshold is 0.99
    'do not declare'
    """
    cost_missed, cost_false = _cost("k0", k0), _cost("k1", k1)
    if losses is not None:
        return _by_matrix(_three(posterior), _matrix(losses))
    statement, (low, high) = _weighed(posterior)
    threshold = cost_false / (cost_missed + cost_false)
    chosen = {DECLARE if p > threshold else KEEP_SILENT for p in (low, high)}
    return Decision(
        action=chosen.pop() if len(chosen) == 1 else EITHER,
        actions=(KEEP_SILENT, DECLARE),
        expected_losses=(cost_missed * high, cost_false * (1.0 - low)),
        least_losses=(cost_missed * low, cost_false * (1.0 - high)),
        statement=statement,
        probability=(low, high),
        threshold=threshold,
    )


def _by_matrix(p: Triple, matrix: Array) -> Decision:
    """The action with the smallest expected loss; among equals "equivalent", which claims least, otherwise none."""
    expected = tuple(math.fsum(cost * share for cost, share in zip(row, p, strict=True)) for row in matrix.tolist())
    scale = max(abs(x) for x in expected)
    least = [s for s, cost in zip(STATEMENTS, expected, strict=True) if cost - min(expected) <= 1e-12 * scale]
    action = least[0] if len(least) == 1 else "equivalent" if "equivalent" in least else EITHER
    top = p.index(max(p)) if action == EITHER else STATEMENTS.index(action)
    return Decision(
        action=action,
        actions=STATEMENTS,
        expected_losses=expected,
        least_losses=expected,
        statement=STATEMENTS[top],
        probability=(p[top], p[top]),
        threshold=None,
    )


def _weighed(posterior: object) -> tuple[str, Pair]:
    """The statement and its lowest and highest probability."""
    if isinstance(posterior, tuple | list):
        if len(posterior) != 2:
            raise ParameterError(
                f"must be a result, a probability, or two numbers, a lower and an upper probability; got {posterior!r}",
                parameter="posterior",
            )
        low, high = _probability(posterior[0]), _probability(posterior[1])
        if low > high:
            raise ParameterError(f": the lower probability {low} is above the upper one, {high}", parameter="posterior")
        return "the hypothesis", (low, high)
    if not isinstance(posterior, ThreeWay):
        p = _probability(posterior)
        return "the hypothesis", (p, p)
    shares = posterior.shares
    top = shares.index(max(shares))
    if posterior.verdict == "cannot tell" and not _of_several_priors(posterior):
        return STATEMENTS[top], (0.0, 1.0)
    return STATEMENTS[top], posterior.bounds[top] or (shares[top], shares[top])


def _of_several_priors(posterior: ThreeWay) -> bool:
    return getattr(posterior, "p_better_bounds", None) is not None


def _three(posterior: object) -> Triple:
    if not isinstance(posterior, ThreeWay):
        raise WrongTypeError(
            f"needs the three probabilities of a result such as bo.bayes.sign_test's; got {posterior!r}",
            parameter="losses",
        )
    if _of_several_priors(posterior):
        raise ParameterError(
            ': prior="ignorance" gives no single probability; use prior="equal", or k0 and k1', parameter="losses"
        )
    return posterior.shares


def _probability(value: object) -> float:
    return number(
        "posterior", value, least=0.0, most=1.0, what="a result, a probability between 0 and 1, or two of them"
    )


def _cost(parameter: str, value: object) -> float:
    return number(parameter, value, above=0.0, most=1e300, what="a positive number, at most 1e300")


def _matrix(losses: npt.ArrayLike) -> Array:
    try:
        matrix = np.asarray(losses, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongTypeError(f"must be a 3 by 3 table of numbers: {error}", parameter="losses") from None
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all():
        raise ParameterError(
            "must be 3 by 3 finite numbers, rows what is declared and columns what is true, each in the order "
            f"{', '.join(map(repr, STATEMENTS))}; got shape {matrix.shape}",
            parameter="losses",
        )
    return matrix
