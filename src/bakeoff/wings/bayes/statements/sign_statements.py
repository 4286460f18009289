"""Sign statements and statements by mean rank, most probable first, their joint probability, and majorities.

A statement "a is better than b" holds if Σ_l w_l d_l > 0, with signs d_l = +1, −1, 0 on problem l and the weights of a
Dirichlet process (Benavoli et al. 2015, section 5.3 and Theorem 2). With clusters d_l is the share of the problems of
cluster l won less that lost, and the probability of a single statement is that of ``gamma_sums`` instead of Theorem 2.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, listing
from bakeoff.randomness import product
from bakeoff.ranks.problem_order import problem_order
from bakeoff.scores import Array, Scores
from bakeoff.special import betainc
from bakeoff.wings.bayes.dirichlet.gamma_sums import positive_probability
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_input
from bakeoff.wings.bayes.dirichlet.shrunken_ranks import ShrunkenRanks, shrunken_ranks
from bakeoff.wings.bayes.dirichlet.weights import alike, check_clusters, cluster_rows, gammas
from bakeoff.wings.bayes.statements.joint_probability import (
    Draw,
    Ints,
    JointProbabilities,
    Margins,
    count_failures,
    joint_probabilities,
    n_sure,
)
from bakeoff.wings.bayes.statements.statement import columns_by_name, most_probable_first, pair_signs
from bakeoff.wings.bayes.statements.verdicts import AGAINST

FIRST_DRAWS, MOST_DRAWS = 20_000, 1_280_000
FEWEST_DRAWS = 4_000  # where the table is so large that more would take minutes
MOST_WORK = 40_000_000_000  # multiplications: some seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SignStatements:
    """The statements in their order: (n, m) signs of the better one, counts of problems, and who is meant."""

    signs: npt.NDArray[np.int8] | Array  # with clusters (G, m) shares won − lost
    wins: Ints
    losses: Ints
    better: npt.NDArray[np.intp]
    worse: npt.NDArray[np.intp]
    clustered: bool
    atom: Array  # (m,) strength of a prior ranking: above 0 it supports the statement, below 0 it contradicts it

    @property
    def never(self) -> npt.NDArray[np.bool_]:
        return np.asarray((self.wins + self.losses == 0) & (self.atom == 0))

    @property
    def unanimous(self) -> npt.NDArray[np.bool_]:
        """(m,) problems, or clusters as wholes, or the prior support the statement, and nothing contradicts it."""
        if not self.clustered:
            return np.asarray((self.wins + self.atom > 0) & (self.losses == 0) & (self.atom >= 0))
        signs: Array = np.vstack([self.signs, self.atom]).astype(np.float64)
        return np.asarray((signs > 0).any(axis=0) & (signs >= 0).all(axis=0))

    def failing(self, more: float = 0.0) -> Array:
        """(m,) probability that each statement fails; ``more`` is the strength of an atom against (< 0: for) it."""
        if not self.clustered:
            wins, losses = np.maximum(self.atom, 0.0), np.maximum(-self.atom, 0.0)
            return failure_probability(self.wins + wins + max(-more, 0.0), self.losses + losses + max(more, 0.0))
        return failing_margins(self.signs, more, self.atom)


def failing_margins(margins: npt.NDArray[np.generic], more: float = 0.0, own: npt.ArrayLike = 0.0) -> Array:
    """(m,) P(Σ v_g margins_g < 0) of (G, m) margins, with an atom of strength |more| against it, or for it.

    ``own``: (m,) strength of a prior ranking, the same for all except for its sign, which is + where it supports.
    """
    own = np.broadcast_to(np.asarray(own, dtype=np.float64), margins.shape[1])
    atoms = np.column_stack([-np.sign(own), np.full(len(own), np.sign(more))])
    shapes = np.append(np.ones(len(margins)), [np.abs(own).max(initial=0.0), abs(more)])
    return positive_probability(np.hstack([-margins.T.astype(np.float64), atoms]), shapes)


def list_statements(scores: Scores, places: Ints | None = None, s: float = 0.0) -> SignStatements:
    """Each pair in its more probable direction (at a draw the first name is "better"), most probable first.

    ``places``: (k,) of the algorithms in a prior ranking, which counts as s problems, or clusters.
    """
    clusters = cluster_rows(check_clusters(scores, "bo.bayes.compare"))
    rows = problem_order(scores) if clusters is None else np.arange(scores.n_problems)
    columns = columns_by_name(scores)
    cells = np.ix_(rows, columns)
    signs = pair_signs(scores.costs[cells], None if scores.runs is None else scores.scales[cells])
    first, second = np.triu_indices(len(columns), 1)
    up, down = (signs > 0).sum(axis=0), (signs < 0).sum(axis=0)
    by_name = np.zeros(len(columns)) if places is None else places[columns]
    own = s * np.sign(by_name[second] - by_name[first])
    atoms: npt.NDArray[np.int8] | Array = signs
    fails: Array | None = None
    if clusters is None:
        turned = down - up > own
    else:
        shares = clusters.means(signs)
        fails = failing_margins(shares, own=own)
        turned = fails > 0.5
        fails[turned] = failing_margins(-shares[:, turned], own=-own[turned])
        atoms = shares
    better, worse = np.where(turned, second, first), np.where(turned, first, second)
    wins, losses = np.where(turned, down, up), np.where(turned, up, down)
    own = np.where(turned, -own, own)
    lead = wins - losses + own if fails is None else np.abs(atoms.sum(axis=0) + np.where(turned, -own, own)).round(9)
    if fails is None:
        fails = failure_probability(wins + np.maximum(own, 0.0), losses + np.maximum(-own, 0.0))
    at = most_probable_first(fails, lead, better, worse)
    return SignStatements(
        signs=atoms[:, at] * np.where(turned, -1, 1).astype(np.int8)[at],
        wins=wins[at],
        losses=losses[at],
        better=columns[better[at]],
        worse=columns[worse[at]],
        clustered=clusters is not None,
        atom=own[at],
    )


def failure_probability(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
    """Probability that a statement fails: I_½(wins, losses), Theorem 2; 1/2 without any win or loss."""
    wins, losses = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    inner = (wins > 0) & (losses > 0) & (wins != losses)
    probability = np.where(wins > losses, 0.0, np.where(wins < losses, 1.0, 0.5))
    return np.where(inner, betainc(np.where(inner, wins, 1.0), np.where(inner, losses, 1.0), 0.5), probability)


def draw_margins(listed: SignStatements, s: float) -> tuple[Draw, int]:
    """Return what draws margins, and how many random numbers that takes.

    Problems with the same signs are one atom with their common weight, gamma(how many): with few algorithms and many
    problems there are few different ones.
    """
    first, counts = alike(listed.signs)
    signs: npt.NDArray[np.generic] = listed.signs[first]

    def draw(stream: np.random.Generator, size: int) -> tuple[Margins, Array]:
        weights, prior = gammas(stream, size, len(signs), s, counts)

        def margins(rows: npt.NDArray[np.intp] | slice, block: slice) -> Array:
            return product(weights[rows], signs[:, block].astype(np.float64))

        return margins, prior

    return draw, len(signs)


def joint_from_draws(
    drawing: tuple[Draw, int],
    listed: SignStatements,
    singles: dict[int, Array],
    most: int,
    s: float,
    level: float,
    n_draws: int | None,
    rng: np.random.Generator,
) -> tuple[dict[int, JointProbabilities], int]:
    """Joint probabilities for each prior, with as many draws as their decisions need, and how many those were.

    ``drawing``: how to draw the margins, and how many random numbers that takes.
    """
    m = len(listed.wins)
    never, toward = listed.never, {t: t if s > 0 else 0 for t in singles}
    counts = {t: np.zeros(m + 1, dtype=np.int64) for t in singles}
    starts = {t: min(n_sure(single), m) for t, single in singles.items()}
    if m == 1:  # nothing is joint: Theorem 2 is the whole answer
        counts = {t: np.array([0, 1]) for t in singles}
        return {t: joint_probabilities(counts[t], never, singles[t], toward[t]) for t in singles}, 0
    draw, n = drawing
    work = n * sum(m - start for start in starts.values())  # multiplications per draw, in bounded time
    limit = min(MOST_DRAWS, max(FEWEST_DRAWS, MOST_WORK // max(1, work)))
    batch, drawn = n_draws or min(FIRST_DRAWS, limit), 0
    while True:
        seed = rng.integers(0, 2**63)  # the same draws for every prior: their bounds cannot cross
        for t, start in starts.items():
            counts[t] += count_failures(
                draw,
                n,
                batch,
                np.random.default_rng(seed),
                columns=(start, m),
                never=never,
                toward=toward[t] + np.sign(listed.atom).astype(np.int64),
            )
        drawn += batch
        joints = {t: joint_probabilities(counts[t], never, singles[t], toward[t]) for t in singles}
        if n_draws is not None or drawn >= limit or not joint_undecided(joints, level, most):
            return joints, drawn
        batch = min(drawn, limit - drawn)


def joint_undecided(joints: dict[int, JointProbabilities], level: float, most: int) -> bool:
    """Accepted is decided by the lower joint probability, indeterminate by the upper one."""
    if joints[min(joints)].undecided(level, most):
        return True
    return 1 in joints and joints[1].undecided(level, len(joints[1].probability))


# The list of statements "a has the lower mean rank", under an exchangeable prior.


def list_by_mean_rank(scores: Scores, strength: float) -> tuple[SignStatements, Array, ShrunkenRanks]:
    """Each pair in its more probable direction, most probable first; (m,) exact probabilities that they fail; the law.

    Wins and losses are still those of scores. A pair that ties on every problem is never decided, and one without a
    loss fails as often as by signs with one more problem against it at least (½^wins), as the normal distribution of
    few mean ranks is no evidence of more.
    """
    listed, shrunk = list_statements(scores), shrunken_ranks(posterior_input(scores, strength))
    fails = np.where(listed.never, 0.5, shrunk.failures(listed.better, listed.worse))
    turned = fails > 0.5
    fails[turned] = shrunk.failures(listed.worse[turned], listed.better[turned])
    better, worse = np.where(turned, listed.worse, listed.better), np.where(turned, listed.better, listed.worse)
    middle = shrunk.moments()[0]
    # no problem, or cluster, contradicts it: no more certain than by signs with one more of them against it
    against = np.minimum(listed.failing(AGAINST), 0.5)
    fails = np.where(listed.unanimous & ~turned, np.maximum(fails, against), fails)
    by_name = np.argsort(columns_by_name(scores))
    at = most_probable_first(fails, middle[worse] - middle[better], by_name[better], by_name[worse])
    ordered = replace(
        listed,
        signs=(listed.signs * np.where(turned, -1, 1).astype(np.int8))[:, at],
        wins=np.where(turned, listed.losses, listed.wins)[at],
        losses=np.where(turned, listed.wins, listed.losses)[at],
        better=better[at],
        worse=worse[at],
    )
    return ordered, fails[at], shrunk


def draw_mean_ranks(listed: SignStatements, shrunk: ShrunkenRanks) -> tuple[Draw, int]:
    """Return what draws margins, and how many random numbers that takes."""

    def draw(stream: np.random.Generator, size: int) -> tuple[Margins, Array]:
        drawn = shrunk.draw(stream, size)

        def margins(rows: npt.NDArray[np.intp] | slice, block: slice) -> Array:
            chosen = drawn[rows]
            return np.asarray(chosen[:, listed.worse[block]] - chosen[:, listed.better[block]])

        return margins, np.zeros(size)

    return draw, 2 * len(shrunk.variances)


# Where mean ranks and majorities disagree: the best mean rank is beaten by another, or majorities run in a circle.
#
# "Best" by mean rank (Borda) depends on who else is in the table; "beaten by nobody more often than not" (Condorcet)
# does
# not, but there may be no such algorithm. Both are reported where the posterior is sure of it.


MOST_IN_CYCLES = 300  # algorithms; with more, circles are looked for among those with the best mean ranks


def sure_majorities(listed: SignStatements, k: int, level: float) -> npt.NDArray[np.bool_]:
    """(k, k): the row beats the column more often than not with probability above ``level``, by signs."""
    sure = (listed.failing() < 1.0 - level) & ~listed.never
    majorities = np.zeros((k, k), dtype=bool)
    majorities[listed.better[sure], listed.worse[sure]] = True
    return majorities


def best_is_beaten(
    algorithms: Sequence[str], mean_ranks: Array, beats: npt.NDArray[np.bool_], level: float
) -> tuple[Caution, ...]:
    """Whether the algorithm with the best mean rank is beaten more often than not by one with a worse."""
    best = int(np.argmin(mean_ranks))
    rivals = [j for j in np.flatnonzero(beats[:, best]).tolist() if mean_ranks[j] > mean_ranks[best]]
    if not rivals:
        return ()
    shown = listing(f"{algorithms[j]!r} ({mean_ranks[j]:.2f})" for j in sorted(rivals, key=mean_ranks.__getitem__))
    of_best = {"algorithms": algorithms[best], "mean_ranks": mean_ranks[best]}
    return (caution_of("mean-rank-conflict", "statements", level=level, shown=shown, **of_best),)


def majority_circle(
    algorithms: Sequence[str], mean_ranks: Array, beats: npt.NDArray[np.bool_], level: float
) -> tuple[Caution, ...]:
    """Whether a beats b, b beats c and c beats a, each with probability above ``level``."""
    chosen = np.sort(np.argsort(mean_ranks, kind="stable")[:MOST_IN_CYCLES])
    inner = beats[np.ix_(chosen, chosen)]
    circles = (inner.astype(np.float32) @ inner.astype(np.float32)) * inner.T
    if not circles.any():
        return ()
    a, c = (int(i) for i in np.unravel_index(int(np.argmax(circles > 0)), circles.shape))
    b = int(np.argmax(inner[a] & inner[:, c]))
    one, two, three = (repr(algorithms[chosen[i]]) for i in (a, b, c))
    n = round(float(circles.sum()) / 3.0)
    more = f" There are {n} such cycles." if n > 1 else ""
    return (caution_of("cycle", "majorities", one=one, two=two, three=three, level=level, more=more),)
