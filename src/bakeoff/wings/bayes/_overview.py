"""Everything the Bayesian procedures say about one table: joint statements, ranks, "all equal", and every pair."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import count
from typing import Any, ClassVar, Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, probability
from bakeoff.dataclass import dataclass, field, replace
from bakeoff.errors import Caution, InfiniteScoreError, ParameterError, listing
from bakeoff.randomness import DEFAULT_SEED, integer_seed
from bakeoff.ranks.cautions import table_cautions, without_repetition
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores, check_scores, read_only
from bakeoff.scores.margins import beyond_scores
from bakeoff.scores.pair_family import Turning, WithPairs, family_of
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes._compare import JointComparison, compare
from bakeoff.wings.bayes._friedman import FriedmanPosterior, friedman
from bakeoff.wings.bayes._rank_probabilities import RankPosterior, rank_probabilities
from bakeoff.wings.bayes._sign_test import SignPosterior, sign_test
from bakeoff.wings.bayes._signed_rank import SignedRankPosterior, signed_rank
from bakeoff.wings.bayes.dirichlet.weights import DEFAULT_DRAWS, check_draws, check_rope, check_strength, n_units
from bakeoff.wings.bayes.statements.statement import (
    REFERENCE,
    StatementPrior,
    best_first,
    joint_fields,
    statement_prior,
)

MANY_PAIRS = 200  # from here on the joint comparison takes the default number of draws, decided or not
MOST_PAIRS = 1000  # beyond this a pair is only a statement of the joint comparison
MOST_SIGNED_RANKS = 45  # pairs; their draws are kept for the figures, 1 MB each
RECIPES = ("benavoli-2015",)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPosterior(Turning):
    """One pair: by signs, and by signed ranks where differences can be taken."""

    a: str
    b: str
    sign: SignPosterior  # Bayesian sign test; None where it was not computed
    signed_rank: SignedRankPosterior | None  # with its first 50 000 draws

    @property
    def verdict(self) -> str:
        """By signs, which every pair has."""
        return self.sign.verdict

    @property
    def turned(self) -> "PairPosterior":
        """The same pair as b against a."""
        return self._turned(sign=self.sign.turned, signed_rank=self.signed_rank and self.signed_rank.turned)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays inside: == would be ambiguous
class Overview(WithPairs[PairPosterior], Reportable):
    """The result of :func:`bakeoff.bayes.overview`."""

    kind: ClassVar[str] = "bayes"

    scores: Scores
    control: str | None
    rope: float
    prior: str
    prior_strength: float
    gamma: float
    prior_ranking: tuple[str, ...] | None  # of prior="ranking": the algorithms, best first
    joint: JointComparison
    ranks: RankPosterior
    friedman: FriedmanPosterior  # the ellipsoid where it is allowed, otherwise the exact region
    friedman_exact: FriedmanPosterior | None  # the exact region beside the ellipsoid; None for prior="ignorance"
    pairs: tuple[PairPosterior, ...]  # with a control: those of the control; empty if there are too many
    cautions: tuple[Caution, ...]  # of all parts, without duplicates
    added: tuple[Caution, ...] = ()  # of ``cautions`` those that follow not from the table, but from its source
    request: Mapping[str, Any] = field(default_factory=dict)  # the arguments as given: overview(scores, **request)
    recipe: str | None = None  # a paper's protocol

    @property
    def closed(self) -> bool:
        """Does the recipe accept no statement, because the Bayesian Friedman test does not reject equality?"""
        return self.recipe is not None and len(self.joint.algorithms) > 2 and not self.friedman.rejected

    @property
    def decision(self) -> str:
        """The verdict of two algorithms; else "difference" if a statement (about the control) is accepted."""
        verdicts = {pair.verdict for pair in self.pairs}
        if len(self.joint.algorithms) == 2 and self.prior != "exchangeable":
            different = bool(verdicts & {"a better", "b better"})
        else:
            accepted = [s for s in self.joint.statements if s.accepted]
            different = any(self.control in (None, s.better, s.worse) for s in accepted)
        if different:
            return "difference"
        return "equal" if verdicts == {"equivalent"} else "none"


@takes_table
def overview(
    scores: Scores,
    control: str | int | None = None,
    rope: float = 0.0,
    prior_strength: float = 1.0,
    gamma: float = 0.05,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
    *,
    prior: StatementPrior | None = None,
    recipe: Literal["benavoli-2015"] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Overview:
    """How probable is it that one algorithm is better, which statements hold jointly, and which is best?

    The Bayesian counterpart of ``bo.compare``: one call and one report with what ``bo.bayes.compare``,
    ``.rank_probabilities``, ``.friedman``, ``.sign_test`` and ``.signed_rank`` return. It uses means over runs.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); with clusters, those are the independent draws of every part.
    control : str or int, optional
        Show only pairs with this algorithm; joint statements and ranks still cover all algorithms.
    rope : float
        Half the width of the region of practical equivalence, for the pairs; statements and ranks count every
        difference.
    prior_strength : float
        The prior counts as so many problems.
    gamma : float
        Verdicts, and accepted statements jointly, need a probability above 1 − gamma.
    n_draws : int, optional
        Draws of every procedure; absent: their defaults (from 200 pairs on, 50 000 for the joint probabilities).
    rng : int or numpy.random.Generator, optional
        Every procedure starts from this seed, so each part equals the procedure called alone. Seed 0 if absent.
    prior : {"flat", "exchangeable", "ignorance"} or sequence of str, optional
        As in ``compare``, also the default. Exchangeable is for statements and ranks; ignorance not for ranks and
        signed ranks. A ranking, all names best first, leaves signed ranks out, and needs ``rope=0``.
    recipe : {"benavoli-2015"}, optional
        The paper's protocol: the flat prior, and statements only if the Bayesian Friedman test rejects equality.
    progress : callable, optional
        Called with (parts done, parts in all), first with 0.

    Returns
    -------
    Overview
        ``.joint``, ``.ranks``, ``.friedman``, ``.pairs`` (each with ``.sign`` and ``.signed_rank``), ``.cautions``.

    Raises
    ------
    UnknownNameError, ParameterError, WrongTypeError, TooLargeError
        An unknown control or option, a number out of range, or more than 1000 algorithms.

    Examples
    --------
    >>> import bakeoff as bo
    >>> scores = bo.Scores([[0, 1]] * 20 + [[1, 0]] * 10, algorithms=["X3", "X2"], better="lower")
    >>> result = bo.bayes.overview(scores)
    >>> round(result.pairs[0].sign.p_worse, 4), result.joint.n_accepted  # Benavoli et al. (2015), Table 1
    (0.0307, 1)
    """
    scores = check_scores(scores)
    column = None if control is None else scores.index(control, "control")
    chosen, places = statement_prior(_prior_of(recipe, prior), scores)
    ranking = best_first(scores, places)
    width, strength = check_rope(rope), check_strength(prior_strength)
    level = probability("gamma", gamma)
    seed = DEFAULT_SEED if rng is None else integer_seed(rng)
    draws = DEFAULT_DRAWS if n_draws is None else check_draws(n_draws)
    if ranking and width:
        rule = "says who is better, not by how much: leave out the ranking, or the rope"
        raise ParameterError(f"{rule}; got {listing(ranking)} and rope={width:g}", parameter="prior")
    where: Literal["equal", "ignorance"] = "ignorance" if chosen == "ignorance" else "equal"
    same: dict[str, Any] = {"prior_strength": strength, "gamma": level}
    regions = partial(friedman, scores, **same, rng=seed, n_draws=draws, prior=ranking or where)

    def signs(i: int, j: int) -> SignPosterior:
        favoured = (1.0, 0.0, 0.0) if places is not None and places[i] < places[j] else (0.0, 0.0, 1.0)
        return sign_test(scores, i, j, **same, rope=width, prior=where if places is None else favoured)

    sizes = partial(signed_rank, scores, **same, rope=width, n_draws=draws, rng=seed)
    many = scores.n_algorithms * (scores.n_algorithms - 1) // 2 >= MANY_PAIRS
    family = family_of(scores.n_algorithms, column)
    tell = _parts(progress, 3 + (len(family) if len(family) <= MOST_PAIRS else 0))
    prior_of_all: Any = ranking or chosen
    joint = compare(scores, strength, level, draws if many else n_draws, seed, prior=prior_of_all)
    tell()
    ranks = rank_probabilities(scores, strength, draws, seed, prior="flat" if chosen == "ignorance" else prior_of_all)
    tell()
    # the ellipsoid where there are problems enough for its F distribution, and the exact region beside it
    enough = n_units(scores) >= scores.n_algorithms
    test = regions(region="ellipsoid" if enough else "exact")
    exact = regions(region="exact") if enough and where == "equal" else None
    if recipe is not None and scores.n_algorithms > 2 and not test.rejected:
        joint = _without_statements(joint, test)
    tell()
    pairs, left_out = _pair_posteriors(signs, None if ranking else sizes, family, tell)
    codes = {c.code for c in joint.cautions} & {"mean-rank-conflict", "cycle", "certainty"}
    of_ranks = [c for c in ranks.cautions if c.code not in codes]
    cautions = [*table_cautions(scores), *beyond_scores(scores, width, "rope"), *joint.cautions]
    cautions += [*of_ranks, *test.cautions, *left_out]
    cautions += _better_but_equivalent(joint, pairs)
    return Overview(
        scores=scores,
        control=None if column is None else scores.algorithms[column],
        rope=width,
        prior=joint.prior,
        prior_ranking=ranking,
        prior_strength=strength,
        gamma=level,
        joint=joint,
        ranks=ranks,
        friedman=test,
        friedman_exact=exact,
        pairs=pairs,
        cautions=without_repetition(cautions + _pair_cautions(pairs)),
        request={
            "control": None if column is None else scores.algorithms[column],
            "rope": width,
            "prior_strength": strength,
            "gamma": level,
            "n_draws": None if n_draws is None else draws,
            "rng": seed,
            "prior": list(ranking) if ranking else prior,
            "recipe": recipe,
        },
        recipe=recipe,
    )


def _prior_of(recipe: str | None, prior: StatementPrior | None) -> StatementPrior | None:
    """What a recipe fixes cannot be given as well."""
    if recipe is None:
        return prior
    choice("recipe", recipe, RECIPES)
    if prior is not None and not (isinstance(prior, str) and prior in ("flat", "equal")):
        raise ParameterError(f"is fixed by recipe={recipe!r} (flat); leave out one of the two", parameter="prior")
    return "flat"


def _without_statements(joint: JointComparison, test: FriedmanPosterior) -> JointComparison:
    """A recipe's gate: equality of all is not rejected, so nothing is accepted."""
    statements = tuple(
        replace(s, accepted=False, verdict="not accepted" if s.verdict == "accepted" else s.verdict)
        for s in joint.statements
    )
    fields, _ = joint_fields(joint.algorithms, statements)
    kept = [c for c in joint.cautions if c.code not in ("cycle", "path-is-no-statement", "mean-rank-conflict")]
    closed = caution_of("gate-closed", "statements", reference=REFERENCE, level=1.0 - test.gamma)
    return replace(joint, **fields, cautions=(*kept, closed))


def _parts(progress: Callable[[int, int], object] | None, total: int) -> Callable[[], None]:
    """Return what is called after each part; it tells ``progress``, also that nothing is done yet."""
    done = count(1)
    if progress is not None:
        progress(0, total)

    def tell() -> None:
        if progress is not None:
            progress(next(done), total)

    return tell


def _better_but_equivalent(joint: JointComparison, pairs: Iterable[PairPosterior]) -> list[Caution]:
    """A small difference can be certain: then a statement is accepted about a pair that is practically equivalent."""
    alike = {frozenset((pair.a, pair.b)): pair.sign.rope for pair in pairs if pair.sign.verdict == "equivalent"}
    statements = [s for s in joint.statements if s.accepted and frozenset((s.better, s.worse)) in alike]
    if not statements:
        return []
    names = listing(f"{s.better} better than {s.worse}" for s in statements)
    return [caution_of("better-but-equivalent", alike=max(alike.values()), names=names)]


# --- pair by pair ------------------------------------------------------------------------------------------------


def _pair_posteriors(
    signs: Callable[[int, int], SignPosterior],
    sizes: Callable[[int, int], SignedRankPosterior] | None,
    family: list[tuple[int, int]],
    tell: Callable[[], None],
) -> tuple[tuple[PairPosterior, ...], list[Caution]]:
    """Each pair of the family; and what was left out."""
    if len(family) > MOST_PAIRS:
        return (), [caution_of("not-computed", "pairs", family=len(family), most_pairs=MOST_PAIRS)]
    signed = len(family) <= MOST_SIGNED_RANKS
    pairs = []
    for i, j in family:
        sign = signs(i, j)
        ranked = _ranked(sizes, i, j) if signed and sizes is not None else None
        pairs.append(PairPosterior(a=sign.a, b=sign.b, sign=sign, signed_rank=ranked))
        tell()
    if sizes is None:
        return tuple(pairs), [caution_of("not-computed", "signed-ranks-of-a-ranking")]
    return tuple(pairs), _left_out(pairs, signed)


def _ranked(sizes: Callable[[int, int], SignedRankPosterior], i: int, j: int) -> SignedRankPosterior | None:
    try:
        ranked = sizes(i, j)
    except InfiniteScoreError:  # a difference that does not exist; said in a caution
        return None
    if len(ranked.draws) > DEFAULT_DRAWS:  # enough for a figure; all of them would fill the memory
        ranked = replace(ranked, draws=read_only(ranked.draws[:DEFAULT_DRAWS].copy()))
    return ranked


def _left_out(pairs: list[PairPosterior], signed: bool) -> list[Caution]:
    if not signed:
        return [caution_of("not-computed", "signed-ranks", pairs=len(pairs), most_signed_ranks=MOST_SIGNED_RANKS)]
    missing = [f"{pair.a} and {pair.b}" for pair in pairs if pair.signed_rank is None]
    if not missing:
        return []
    return [caution_of("not-computed", "infinite-signed-ranks", names=listing(missing))]


def _pair_cautions(pairs: Iterable[PairPosterior]) -> list[Caution]:
    """Keep one caution about pairs of each kind, which names a pair and says how many it is about."""
    by_name: dict[str, list[tuple[PairPosterior, Caution]]] = {}
    for pair in pairs:
        cautions = [*pair.sign.cautions, *(pair.signed_rank.cautions if pair.signed_rank else ())]
        for name, caution in {c.name: c for c in reversed(cautions) if c.code != "one-process"}.items():
            by_name.setdefault(name, []).append((pair, caution))
    merged = []
    for cases in by_name.values():
        pair, caution = cases[0]
        more = f" (the same holds for {len(cases) - 1} more of the pairs)" if len(cases) > 1 else ""
        text = f"{pair.a} against {pair.b}{more}: {caution.text}"
        merged.append(replace(caution, text=text))
    return merged
