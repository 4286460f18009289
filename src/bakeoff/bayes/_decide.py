"""Decisions by loss: what to declare when a false claim and a missed one cost different amounts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bakeoff.bayes.dirichlet.shares import Pair, Triple
from bakeoff.bayes.statements.verdicts import STATEMENTS
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.scores.cells import Array

DECLARE, KEEP_SILENT, EITHER = "declare", "do not declare", "indeterminate"


class ThreeWay(Protocol):
    """Any posterior that compares a with b."""

    @property
    def p_better(self) -> float: ...
    @property
    def p_equivalent(self) -> float: ...
    @property
    def p_worse(self) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What :func:`bakeoff.bayes.decide` returns."""

    action: str  # one of ``actions``; "indeterminate" where the priors disagree or two actions cost the same
    actions: tuple[str, ...]
    expected_losses: tuple[float, ...]  # of each action; over a set of priors the largest
    least_losses: tuple[float, ...]  # over a set of priors the smallest; else the same
    statement: str  # what was weighed: "a better" | "equivalent" | "b better" | "the hypothesis"
    probability: Pair  # of the statement: lowest and highest over the priors; twice the same for one prior
    threshold: float | None  # the statement is declared above this probability; None with a matrix of losses


def decide(
    posterior: ThreeWay | float | Pair, k0: float = 1.0, k1: float = 19.0, *, losses: npt.ArrayLike | None = None
) -> Decision:
    """Which action has the smallest expected loss, given the posterior?

    Use it when the two errors have known costs. Not to find a threshold that gives the result hoped for.

    Parameters
    ----------
    posterior : result of ``bo.bayes.sign_test``, ``bo.bayes.signed_rank`` and the like, or float, or (low, high)
        Of a result, its most probable statement is weighed. A number is the posterior probability of some hypothesis,
        two numbers are its lower and upper probability over a set of priors.
    k0 : float
        Loss of not declaring what is true.
    k1 : float
        Loss of declaring what is false; with the default the threshold is 0.95.
    losses : array_like, shape (3, 3), optional
        Instead of k0 and k1: loss of declaring (rows) "a better", "equivalent", "b better" when (columns) that is true.
        Needs a result with one prior.

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
    Not declaring (action 0) costs K₀·P, declaring (action 1) costs K₁·(1 − P), so that one declares if
    P > K₁/(K₀ + K₁): Benavoli et al. (2015), equations 10–12. Of equal costs one keeps silent. With lower and
    upper probabilities the action is "indeterminate" if it is not the same for both. With a matrix L the expected loss
    of action i is Σ_j L_ij P_j.

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
    """The action of least expected loss; of several "equivalent", which claims least, else none."""
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
            raise ParameterError(f"posterior: two numbers are a lower and an upper probability; got {posterior!r}")
        low, high = _probability(posterior[0]), _probability(posterior[1])
        if low > high:
            raise ParameterError(f"posterior: the lower probability {low} is above the upper one, {high}")
        return "the hypothesis", (low, high)
    if not hasattr(posterior, "p_better"):
        p = _probability(posterior)
        return "the hypothesis", (p, p)
    shares = _probabilities(posterior)
    top = shares.index(max(shares))
    names = ("p_better_bounds", "p_equivalent_bounds", "p_worse_bounds")
    bounds: Pair | None = getattr(posterior, names[top], None)
    return STATEMENTS[top], bounds or (shares[top], shares[top])


def _three(posterior: object) -> Triple:
    if not hasattr(posterior, "p_better"):
        raise WrongTypeError(
            f"losses needs the three probabilities of a result such as bo.bayes.sign_test's; got {posterior!r}"
        )
    if getattr(posterior, "p_better_bounds", None) is not None:
        raise ParameterError(
            'losses: with prior="ignorance" there is no single probability to weigh; use prior="equal", or k0 and k1'
        )
    return _probabilities(posterior)


def _probabilities(posterior: object) -> Triple:
    names = ("p_better", "p_equivalent", "p_worse")
    better, equivalent, worse = (_probability(getattr(posterior, name)) for name in names)
    return better, equivalent, worse


def _probability(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise WrongTypeError(f"posterior must be a result, a probability or two of them; got {value!r}")
    if not 0.0 <= value <= 1.0:
        raise ParameterError(f"posterior: a probability lies between 0 and 1; got {value!r}")
    return float(value)


def _cost(parameter: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise WrongTypeError(f"{parameter} must be a positive number; got {value!r}")
    if not 0.0 < value <= 1e300:
        raise ParameterError(f"{parameter} must be positive and at most 1e300; got {value!r}")
    return float(value)


def _matrix(losses: npt.ArrayLike) -> Array:
    try:
        matrix = np.asarray(losses, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise WrongTypeError(f"losses must be a 3 by 3 table of numbers: {error}") from None
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all():
        raise ParameterError(
            "losses must be 3 by 3 finite numbers, rows what is declared and columns what is true, each in the order "
            f"{', '.join(map(repr, STATEMENTS))}; got shape {matrix.shape}"
        )
    return matrix
