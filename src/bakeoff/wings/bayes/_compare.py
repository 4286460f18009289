"""As many "a is better than b" as hold together: the joint Bayesian comparison of all pairs."""

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, TooLargeError, counted
from bakeoff.randomness import generator
from bakeoff.ranks.cautions import input_cautions, without_evidence
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_input, posterior_mean
from bakeoff.wings.bayes.dirichlet.weights import check_draws, check_strength, sizes_of
from bakeoff.wings.bayes.statements.cluster_shares import never_a_verdict
from bakeoff.wings.bayes.statements.joint_probability import JointProbabilities
from bakeoff.wings.bayes.statements.sign_statements import (
    SignStatements,
    best_is_beaten,
    draw_margins,
    draw_mean_ranks,
    joint_from_draws,
    joint_undecided,
    list_by_mean_rank,
    list_statements,
)
from bakeoff.wings.bayes.statements.statement import (
    JointStatements,
    Statement,
    StatementPrior,
    best_first,
    joint_fields,
    last_accepted,
    statement_prior,
    tied_caution,
    undecided_caution,
)
from bakeoff.wings.bayes.statements.verdicts import AGAINST

MOST_ALGORITHMS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class JointComparison(JointStatements):
    """The result of :func:`bakeoff.bayes.compare`."""

    prior: str  # "equal" (flat) | "exchangeable" | "ignorance" | "ranking"
    prior_ranking: tuple[str, ...] | None  # of prior="ranking": the algorithms, best first
    spread: float | None  # posterior mean of τ, the standard deviation of the mean ranks; None unless exchangeable
    joint_bounds: tuple[float, float] | None  # of ``joint`` over all prior rankings; None: not requested


@takes_table
def compare(
    scores: Scores,
    prior_strength: float = 1.0,
    gamma: float = 0.05,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
    *,
    prior: StatementPrior | None = None,
) -> JointComparison:
    """Which algorithms are better than which, such that all statements hold jointly with probability above 1 − gamma?

    Use it to order several algorithms: it accepts as many directional statements as their joint posterior probability
    allows. It does not say how much better, and does not control the family-wise error rate.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); at most 1000 algorithms. With clusters, those are the independent draws.
    prior_strength : float
        s: the prior counts as s problems. With ``prior="flat"`` no probability here depends on it (Theorem 2).
    gamma : float
        Accepted statements hold jointly with a probability above 1 − gamma.
    n_draws : int, optional
        At least 100. Absent: 20 000 or more, until every decision is clear by 4 standard errors, at most 1 280 000.
    rng : int or numpy.random.Generator, optional
        Seed 0 if absent.
    prior : {"flat", "exchangeable", "ignorance"} or sequence of str, optional
        "flat" (or "equal"): all algorithms equal, without shrinkage; the default for two. "exchangeable": mean ranks
        shrunk towards each other; the default from three on, because small differences make an unshrunk list mostly
        luck. "ignorance": any ranking; probabilities become bounds. Or one ranking, the names of all algorithms, best
        first: s problems with this ranking are added to those of the table (α* of a prior that favours the first).

    Returns
    -------
    JointComparison
        ``.statements``, most probable first, each with ``.better``, ``.worse``, ``.probability`` (exact), ``.joint``
        and ``.accepted``; ``.order``, the accepted statements not implied by others; ``.joint``.

    Raises
    ------
    ParameterError
        A number out of range.
    TooLargeError
        More than 1000 algorithms.

    Notes
    -----
    Benavoli et al. (2015), section 5.3. Definitions, bounds: docs/methods/bayes-compare.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[0, 1]] * 20 + [[1, 0]] * 10, algorithms=["X3", "X2"], better="lower")
    >>> (found,) = bo.bayes.compare(s).statements
    >>> found.better, round(1 - found.probability, 4), found.accepted  # Table 1: X2 < X3 in 20 of 30
    ('X3', 0.0307, True)
    """
    scores = check_scores(scores)
    s, level = check_strength(prior_strength), 1.0 - probability("gamma", gamma)
    chosen, places = statement_prior(prior, scores)
    draws = None if n_draws is None else check_draws(n_draws)
    if scores.n_algorithms > MOST_ALGORITHMS:
        raise TooLargeError(
            f"bo.bayes.compare: at most {MOST_ALGORITHMS} algorithms, {MOST_ALGORITHMS * (MOST_ALGORITHMS - 1) // 2} "
            f"pairs, can be compared jointly; got {scores.n_algorithms}. Select a subset: "
            "scores.select(algorithms=[…])."
        )
    source, spread = generator(rng), None
    if chosen == "exchangeable":
        listed, failing, shrunk = list_by_mean_rank(scores, s)
        singles, spread = {0: failing}, shrunk.spread
        most = int(np.count_nonzero(failing < 0.5))
        drawing, atom = draw_mean_ranks(listed, shrunk), 0.0
    else:
        listed = list_statements(scores, places, s)
        toward = (0, -1, 1) if chosen == "ignorance" else (0,)
        singles = {t: listed.failing(-s * t) for t in toward}  # the weights of the atom and of losses sum to gamma too
        most = int(np.count_nonzero(singles[0] < 0.5))
        drawing, atom = draw_margins(listed, s), s
    joints, drawn = joint_from_draws(drawing, listed, singles, most, atom, level, draws, source)
    few = np.zeros(len(listed.wins), dtype=bool)
    if chosen != "ignorance":
        few = _certain_from_few(listed, 1.0 - level, joints[0].n_accepted(level, most))
    undone = without_evidence(scores, list(zip(listed.better.tolist(), listed.worse.tolist(), strict=True)))
    statements = _statements(scores, listed, singles, joints, most, level, few, undone, by_signs=spread is None)
    joint, about_order = joint_fields(scores.algorithms, statements)
    bounds = last_accepted(statements).joint_bounds if joint["n_accepted"] else (1.0, 1.0)
    return JointComparison(
        **joint,
        joint_bounds=bounds if chosen == "ignorance" else None,
        gamma=float(gamma),
        prior="equal" if chosen == "flat" else chosen,
        prior_ranking=best_first(scores, places),
        spread=spread,
        prior_strength=s,
        n_draws=drawn,
        **sizes_of(scores),
        method="exact" if drawn == 0 else "Monte Carlo",
        cautions=(
            *input_cautions(scores),
            *_cautions(listed, int(few.sum())),
            *([undecided_caution(drawn, level)] if joint_undecided(joints, level, most) else []),
            *about_order,
            *_conflicts(scores, listed, statements, posterior_mean(posterior_input(scores, s, places)), level),
        ),
    )


def _conflicts(
    scores: Scores, listed: SignStatements, statements: tuple[Statement, ...], mean_ranks: Array, level: float
) -> tuple[Caution, ...]:
    """Whether the algorithm with the best mean rank is beaten by an accepted statement."""
    if scores.n_algorithms == 2:
        return ()
    beats = np.zeros((scores.n_algorithms,) * 2, dtype=bool)
    accepted = np.array([one.accepted for one in statements]) & (listed.failing() < 0.5)
    beats[listed.better[accepted], listed.worse[accepted]] = True
    return best_is_beaten(scores.algorithms, mean_ranks, beats, level)


def _statements(
    scores: Scores,
    listed: SignStatements,
    singles: dict[int, Array],
    joints: dict[int, JointProbabilities],
    most: int,
    level: float,
    few: npt.NDArray[np.bool_],
    undone: npt.NDArray[np.bool_],
    *,
    by_signs: bool,
) -> tuple[Statement, ...]:
    names, joint = scores.algorithms, joints[0]
    accepted = joints[min(joints)].n_accepted(level, most)
    clustered = (listed.failing(AGAINST), listed.failing(-AGAINST)) if listed.clustered else None
    bounded = (singles[0] == 0) | (few & by_signs)
    possible = joints[1].n_accepted(level, len(listed.wins)) if 1 in joints else accepted
    return tuple(
        Statement(
            better=names[listed.better[i]],
            worse=names[listed.worse[i]],
            probability=float(1.0 - singles[0][i]),
            standard_error=0.0,
            joint=float(joint.probability[i]),
            joint_standard_error=float(joint.standard_error[i]),
            accepted=i < accepted and not few[i] and not undone[i],
            verdict="cannot tell"
            if undone[i]
            else "indeterminate"
            if few[i] or accepted <= i < possible
            else "accepted"
            if i < accepted
            else "not accepted",
            wins=int(listed.wins[i]),
            losses=int(listed.losses[i]),
            ties=int(scores.n_problems - listed.wins[i] - listed.losses[i]),
            probability_bounds=_bounds(1.0 - singles[-1][i], 1.0 - singles[1][i]) if 1 in singles else None,
            joint_bounds=_bounds(joints[-1].probability[i], joints[1].probability[i]) if 1 in joints else None,
            certain_bounds=_bounds(1.0 - clustered[0][i], 1.0 - clustered[1][i]) if clustered and bounded[i] else None,
        )
        for i in range(len(listed.wins))
    )


def _certain_from_few(listed: SignStatements, gamma: float, accepted: int) -> npt.NDArray[np.bool_]:
    """(m,) statements that nothing contradicts and one more problem, or cluster, against them would leave undecided.

    With clusters so few that this holds for any statement, all that would be accepted.
    """
    held = listed.unanimous
    if listed.clustered and never_a_verdict(len(listed.signs) + float(np.abs(listed.atom).max()), gamma):
        held = held | (np.arange(len(held)) < accepted)
    return np.asarray(held & (listed.failing(AGAINST) >= gamma))


def _bounds(low: float, high: float) -> tuple[float, float]:
    return float(low), float(high)


def _cautions(listed: SignStatements, few: int) -> list[Caution]:
    cautions = []
    if never := int(listed.never.sum()):
        cautions.append(tied_caution(never))
    if few and listed.clustered:
        cautions.append(caution_of("certainty", "statements-of-clusters", statements=counted(few, "statement")))
    elif few:
        cautions.append(caution_of("certainty", "statements", statements=counted(few, "statement")))
    return cautions
