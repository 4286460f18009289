"""Bradley–Terry with ties: strengths of algorithms from a table of who beat whom."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bakeoff.bayes.dirichlet.weights import check_draws, check_strength
from bakeoff.bayes.mcmc.bradley_terry_model import contest
from bakeoff.bayes.mcmc.bradley_terry_sampler import sample_strengths
from bakeoff.bayes.mcmc.diagnostics import Diagnostic, check_chains, convergence_caution
from bakeoff.bayes.mcmc.strength_pairs import largest_share_error, pair_probabilities
from bakeoff.bayes.mcmc.win_table import WinTable, beaten_back, components, count_wins
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, probability
from bakeoff.errors import Caution, ParameterError, TooLargeError, WrongTypeError, counted, listing
from bakeoff.nulls.binomial import drawn_share
from bakeoff.randomness import generator
from bakeoff.scores import Scores, check_scores, read_only
from bakeoff.scores.cells import Array
from bakeoff.takes_table import takes_table

MOST_ALGORITHMS = 300
LEAST_STRENGTH = 1e-9
"""Below, the common level of all strengths, which games say nothing about, has no scale left in floats."""
LEAST_ALONE = 0.02
"""The same where only the prior bounds some strength: it is spread over 1/s, and chains no longer cross it."""
_SOURCE = "Bradley & Terry (1952), Biometrika 39, 324–345"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class StrengthPosterior:
    """What :func:`bakeoff.bayes.bradley_terry` returns; arrays are in the order of ``algorithms``."""

    algorithms: tuple[str, ...]
    strengths: Array  # (k,) posterior means of the log strengths, which sum to 0; larger is better
    sds: Array  # (k,) their posterior standard deviations
    intervals: Array  # (k, 2) equal tails, each holds its log strength with probability 1 − gamma
    p_best: Array  # (k,) probability of being the strongest
    p_stronger: Array  # (k, k) P(row stronger than column); diagonal 0
    p_beats: Array  # (k, k) P(row beats column in the next game); diagonal 0
    p_beats_standard_error: Array  # (k, k) Monte Carlo, from the spread between chains
    p_tie: Array  # (k, k) P(the next game is a tie); diagonal 0
    p_tie_standard_error: Array  # (k, k)
    tie_share: float | None  # posterior mean of P(tie) between equals; None if ties are not modelled
    tie_interval: tuple[float, float] | None
    standard_error: float  # largest Monte Carlo error of the p_best and p_stronger
    diagnostics: tuple[Diagnostic, ...]  # of every log strength, and of η, the tie parameter, last
    draws: Array  # (n_draws, k) log strengths
    n_draws: int
    n_chains: int
    prior_strength: float
    gamma: float
    n_games: float
    n_ties: float
    n_problems: int | None  # None for a table of wins
    n_dropped: int  # problems left out when the scores were read
    method: str  # "davidson" or "bradley-terry"
    cautions: tuple[Caution, ...]


@takes_table
def bradley_terry(
    scores: Scores | WinTable,
    prior_strength: float = 1.0,
    *,
    ties: Literal["auto", "davidson", "split"] = "auto",
    n_draws: int = 8_000,
    n_chains: int = 16,
    gamma: float = 0.05,
    rng: int | np.random.Generator | None = None,
) -> StrengthPosterior:
    """How strong is each algorithm, and how probably does one beat another in the next game?

    Use it for games, matches or judges' comparisons, given as a ``bo.bayes.WinTable``: only wins count, and not every
    pair need have met. For ordinary scores ``bo.bayes.compare`` and ``bo.bayes.rank_probabilities`` assume less.

    Parameters
    ----------
    scores : Scores or WinTable
        A table of wins and ties, or scores. Each problem is one game of each pair (infinite scores allowed); a cluster
        of problems is one game, divided among their outcomes.
    prior_strength : float
        s > 0: a priori each algorithm has s wins and s losses against an average opponent.
    ties : {"auto", "davidson", "split"}
        Model ties by Davidson's parameter, or count each as half a win for both; "auto": Davidson if there are any.
    n_draws : int
        Least number of draws; up to 16 times as many until the diagnostics are good.
    n_chains : int
        Independent chains.
    gamma : float
        Intervals contain 1 − gamma.
    rng : None, int or numpy.random.Generator
        None is a fixed seed. The order of problems and algorithms does not change the answer.

    Returns
    -------
    StrengthPosterior
        ``.strengths``, ``.intervals``, ``.p_best``, ``.p_stronger``, ``.p_beats``, ``.p_tie``, ``.diagnostics``.

    Raises
    ------
    ParameterError
        A prior strength of 0 or below 1e-9; below 0.02 if some algorithms never lost to, nor tied with, the others.
    TooLargeError
        More than 300 algorithms.

    Notes
    -----
    Bradley & Terry (1952) with the ties of Davidson (1970) and the prior of Mease (2003): docs/guides/bayes.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> games = bo.bayes.WinTable([[0, 9, 12], [3, 0, 8], [1, 4, 0]], algorithms=["new", "old", "older"])
    >>> found = bo.bayes.bradley_terry(games, n_draws=2000)
    >>> found.method, found.algorithms[found.p_best.argmax()], bool(found.p_best[0] > 0.9)
    ('bradley-terry', 'new', True)
    """
    wins = _as_wins(scores)
    s, gamma = check_strength(prior_strength), probability("gamma", gamma)
    _check_prior(s, wins)
    choice("ties", ties, ("auto", "davidson", "split"))
    n_draws, n_chains = check_draws(n_draws), check_chains(n_chains)
    if wins.n_algorithms > MOST_ALGORITHMS:
        raise TooLargeError(
            f"bradley_terry is limited to {MOST_ALGORITHMS} algorithms; got {wins.n_algorithms}. Select some of them."
        )
    davidson = ties == "davidson" or (ties == "auto" and wins.n_ties > 0)
    order = np.array(sorted(range(wins.n_algorithms), key=wins.algorithms.__getitem__))
    back = np.argsort(order)
    data = contest(wins.wins[np.ix_(order, order)][None], wins.ties[np.ix_(order, order)][None], s, davidson)
    names = [f"the strength of {wins.algorithms[i]}" for i in order] + ["the tie parameter"] * davidson
    chains, diagnostics = sample_strengths(generator(rng), data, tuple(names), n_draws, n_chains)
    theta = chains[:, :, back]
    best = (theta == theta.max(axis=2, keepdims=True)).astype(float)
    flat = np.ascontiguousarray(theta.reshape(-1, theta.shape[2]))
    eta = chains[:, :, -1].reshape(-1) if davidson else None
    stronger, beats, tied = pair_probabilities(theta, chains[:, :, -1] if davidson else None)
    share = None if eta is None else 1.0 / (1.0 + 2.0 * np.exp(-eta))
    tail = (gamma / 2, 1 - gamma / 2)
    return StrengthPosterior(
        algorithms=wins.algorithms,
        strengths=read_only(flat.mean(axis=0)),
        sds=read_only(flat.std(axis=0)),
        intervals=read_only(np.quantile(flat, tail, axis=0).T.copy()),
        p_best=read_only(drawn_share(best.sum(axis=(0, 1)), len(flat), best.shape[2])),
        p_stronger=read_only(stronger),
        p_beats=read_only(beats[0].copy()),
        p_beats_standard_error=read_only(beats[1].copy()),
        p_tie=read_only(tied[0].copy()),
        p_tie_standard_error=read_only(tied[1].copy()),
        tie_share=None if share is None else float(share.mean()),
        tie_interval=None if share is None else _pair(np.quantile(share, tail)),
        standard_error=largest_share_error(theta, best),
        diagnostics=(*(diagnostics[i] for i in back), *diagnostics[len(back) :]),
        draws=read_only(flat),
        n_draws=len(flat),
        n_chains=n_chains,
        prior_strength=s,
        gamma=gamma,
        n_games=wins.n_games,
        n_ties=wins.n_ties,
        n_problems=scores.n_problems if isinstance(scores, Scores) else None,
        n_dropped=len(scores.dropped) if isinstance(scores, Scores) else 0,
        method="davidson" if davidson else "bradley-terry",
        cautions=_cautions(wins, isinstance(scores, Scores), diagnostics),
    )


def _check_prior(s: float, wins: WinTable) -> None:
    """The prior must bound what the games leave open, and leave something that can be sampled."""
    if s == 0:
        raise ParameterError(
            "must be larger than 0 here: without a prior an algorithm that never lost would be "
            "infinitely strong; got 0. Use 1, or a small number such as 0.1",
            parameter="prior_strength",
        )
    least = LEAST_STRENGTH if beaten_back(wins) else LEAST_ALONE
    if s < least:
        why = "" if least == LEAST_STRENGTH else " where some algorithms never lost to the others, nor tied with them"
        raise ParameterError(
            f"must be at least {least:g} here{why}: strengths that the prior hardly bounds cannot be "
            f"sampled; got {s:g}. Use 1, or a small number such as 0.1",
            parameter="prior_strength",
        )


def _as_wins(scores: Scores | WinTable) -> WinTable:
    if isinstance(scores, WinTable):
        return scores
    if isinstance(scores, Scores):
        return count_wins(check_scores(scores))
    raise WrongTypeError(
        f"must be a bakeoff.Scores or a bo.bayes.WinTable, got {type(scores).__name__}; wrap counts of wins: "
        "bo.bayes.WinTable(wins, ties=…, algorithms=[…]), or scores: bo.Scores(values, algorithms=[…], "
        'better="lower" or "higher")',
        parameter="scores",
    )


def _pair(two: Array) -> tuple[float, float]:
    return float(two[0]), float(two[1])


def _cautions(wins: WinTable, from_scores: bool, diagnostics: Sequence[Diagnostic]) -> tuple[Caution, ...]:
    out = list(convergence_caution(diagnostics))
    k = wins.n_algorithms
    if from_scores and k > 2:
        out.append(caution_of("dependent-games", games=k * (k - 1) // 2, k=k))
    groups = components(wins.games)
    if len(groups) > 1:
        text = "; ".join(listing(wins.algorithms[i] for i in group) for group in groups[:5])
        out.append(caution_of("not-connected", "bradley-terry", groups=len(groups), text=text))
    won, lost = wins.wins.sum(axis=1), wins.wins.sum(axis=0)
    drew = wins.ties.sum(axis=1)
    one_sided = [wins.algorithms[i] for i in range(k) if drew[i] == 0 and (won[i] == 0) != (lost[i] == 0)]
    if one_sided:
        out.append(
            caution_of(
                "one-sided", "bradley-terry", algorithms=counted(len(one_sided), "algorithm"), names=listing(one_sided)
            )
        )
    return tuple(out)
