"""The list of statements "a has the lower mean rank", under an exchangeable prior."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bakeoff.scores import Array, Scores
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_input
from bakeoff.wings.bayes.dirichlet.shrunken_ranks import ShrunkenRanks, shrunken_ranks
from bakeoff.wings.bayes.statements.joint_probability import Draw, Margins
from bakeoff.wings.bayes.statements.sign_bounds import AGAINST
from bakeoff.wings.bayes.statements.sign_statements import SignStatements, list_statements
from bakeoff.wings.bayes.statements.statement import columns_by_name, most_probable_first


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
    """How to draw margins, and how many random numbers that takes."""

    def draw(stream: np.random.Generator, size: int) -> tuple[Margins, Array]:
        drawn = shrunk.draw(stream, size)

        def margins(rows: npt.NDArray[np.intp] | slice, block: slice) -> Array:
            chosen = drawn[rows]
            return np.asarray(chosen[:, listed.worse[block]] - chosen[:, listed.better[block]])

        return margins, np.zeros(size)

    return draw, 2 * len(shrunk.variances)
