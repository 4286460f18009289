"""One board: a model's fit to battles, errors of its strengths, and all its pairs and ranks at once.

Errors come from the information, or from a cluster bootstrap of log strengths, with the largest studentized difference
of all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, ScoreError, listing
from bakeoff.means.cautions import ENOUGH, UNEVEN
from bakeoff.means.strata import drawn_units, effective_clusters
from bakeoff.nulls.tails import chi2_sf, normal_two_sided, t_two_sided
from bakeoff.posthoc.groups import rank_intervals
from bakeoff.randomness import generator
from bakeoff.ranks.cautions import alone_undecided
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.pair_family import Adjusted, WithPairs, shown_better
from bakeoff.scores.win_table import components
from bakeoff.special import ndtri, stdtrit
from bakeoff.wings.boards.ratings._read_battles import Battles, Places, ordered_battles
from bakeoff.wings.boards.ratings.fit import (
    BradleyTerryFit,
    RowFit,
    bounded,
    fitted,
    fitted_by_row,
    jackknife,
    linked,
    scales_of,
    strongly_connected,
)

ELO = 400.0 / math.log(10.0)
"""Points of a log strength of 1: at 400 points more, the odds of winning are 10 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPair(Adjusted):
    """One pair."""

    a: str
    b: str
    difference: float  # of log strengths, positive where a is stronger
    standard_error: float
    interval: tuple[float, float]  # simultaneous over all pairs
    pvalue: float
    adjusted: float  # single-step max-|t| over all pairs
    verdict: str  # "a better", "b better", "no difference shown" or "cannot tell"
    p_beats: float  # P(a beats b | one of them wins), as estimated
    battles: float  # in which the two met

    @property
    def turned(self) -> RatedPair:
        """The same pair as b against a."""
        return self._turned(p_beats=1.0 - self.p_beats)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedCovariate:
    """The effect of a covariate: how much a difference between the two sides moves the odds of winning."""

    covariate: str  # its name; of words, with the word
    scale: float  # effects are of this difference: the root mean square over battles, 1 of indicators
    effect: float  # on the log odds
    standard_error: float
    interval: tuple[float, float]  # of this one by itself
    pvalue: float  # that it does nothing, by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedChange:
    """One pair in the two categories between which its distance differs most surely."""

    a: str
    b: str
    first: str  # a category
    second: str  # another one
    difference_first: float  # of log strengths in the first category, positive where a is stronger
    difference_second: float  # in the second
    change: float  # the first of these less the second
    standard_error: float  # of the change
    pvalue: float  # that both categories have one distance: Welch's t
    adjusted: float  # by Holm over all pairs and all pairs of categories
    verdict: str  # "order changes", "distance changes" or "no change shown"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RatedBoard(WithPairs[RatedPair]):
    """Strengths by some battles; arrays are in the order of ``algorithms``."""

    category: str | None  # None: all battles
    battles: Battles
    algorithms: tuple[str, ...]
    reference: str | None  # None also where it has no battle in the category
    strengths: Array  # (k,) log strengths; they sum to 0, or are relative to the reference
    standard_errors: Array  # (k,) of these
    intervals: Array  # (k, 2) of these, each by itself
    covariance: Array  # (k, k) of log strengths that sum to 0: var(θ_i − θ_j) = C_ii + C_jj − 2·C_ij
    pairs: tuple[RatedPair, ...]
    rank_intervals: npt.NDArray[np.int64]  # (k, 2) simultaneous: 1 + surely better ones, k − surely worse ones
    covariates: tuple[RatedCovariate, ...]  # strengths are those of sides that do not differ in them
    tie_parameter: float | None  # Davidson's ν; None where ties are not modelled
    deviance: float | None  # None where ties count as half wins, or with covariates
    deviance_df: int | None  # degrees of freedom of the deviance
    deviance_pvalue: float | None  # of the fit
    log_likelihood: float  # at the estimate
    method: str  # "bradley-terry" or "davidson"
    penalty: str  # "none" or "firth"
    errors: str  # "information", "bootstrap", or "jackknife" of clusters beside covariates
    df: float | None  # of Student's t, G − 1; None: normal distribution
    critical: float  # simultaneous intervals reach so many standard errors
    n_resamples: int
    resamples_left_out: int
    cautions: tuple[Caution, ...]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.category!r}: {self.battles!r}>"

    @property
    def elo(self) -> Array:
        """(k,) strengths on Elo's scale, 400/ln 10 points each: of the fitted model, not updated battle by battle."""
        return np.asarray(self.strengths * ELO)

    @property
    def leaders(self) -> tuple[str, ...]:
        """Those that may be the strongest."""
        return tuple(n for n, low in zip(self.algorithms, self.rank_intervals[:, 0], strict=True) if low == 1)

    def _algorithms(self) -> tuple[str, ...]:
        return self.algorithms


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ratings(RatedBoard, Reportable):
    """The result of :func:`bakeoff.ratings`: of all battles, and of each category in ``boards``."""

    kind: ClassVar[str] = "ratings"

    scores: Scores | None  # that the battles were made from
    boards: tuple[RatedBoard, ...]  # of the categories, if battles have any
    n_boards: int  # judged at once, with the one of all battles
    unrated: tuple[tuple[str, str], ...]  # categories without a board, and why
    changes: tuple[RatedChange, ...]  # of each pair that two categories have, the surest first
    n_changes: int  # pairs of algorithms and of categories that were compared
    alpha: float
    request: Mapping[str, object]
    added: tuple[Caution, ...] = ()

    __repr__ = Reportable.__repr__


CELLS = 1 << 21  # of the tables that are fitted at once
DRAWS = 40_000
MANY, DRAWN = 60, 20  # degrees of freedom, and algorithms, up to which errors are drawn pair by pair
VECTORS = 20  # of which an error is drawn; up to so many degrees of freedom exactly
PAIR_DRAWS = 1 << 23  # differences of all pairs drawn at once; changing it changes the draws
IN_CACHE = 512  # draws that are compared at once


def bootstrap_covariance(
    battles: Battles, n_resamples: int, davidson: bool, firth: bool, rng: np.random.Generator
) -> tuple[Array, int]:
    """(k, k) covariance of log strengths over n_resamples of clusters, times G/(G − 1); and how many were left out.

    A resample in which some algorithms did not meet, even through others, gives no estimate and is left out; one in
    which the estimate would be infinite is fitted with Firth's penalty.
    """
    wins, ties = battles.cluster_tables()
    groups, k = wins.shape[0], len(battles.algorithms)
    at_once = max(1, CELLS // (k * k))
    drawn_strengths: list[Array] = []
    for start in range(0, n_resamples, at_once):
        b = min(at_once, n_resamples - start)
        weights = drawn_units(groups, b, rng)
        some_wins, some_ties = ((weights @ table).reshape(b, k, k) for table in (wins, ties))
        met = linked(some_wins, some_ties)
        finite = bounded(some_wins, some_ties, davidson)
        for rows, penalised in ((met & finite, firth), (met & ~finite, True)):
            if rows.any():
                drawn_strengths.append(fitted(some_wins[rows], some_ties[rows], davidson, penalised).theta)
    theta = np.concatenate(drawn_strengths) if drawn_strengths else np.empty((0, k))
    if len(theta) < 2:
        return np.full((k, k), np.nan), n_resamples - len(theta)
    away = theta - theta.mean(axis=0)
    return away.T @ away / (len(theta) - 1) * groups / (groups - 1), n_resamples - len(theta)


def difference_variances(covariance: Array, low: Places, high: Places) -> Array:
    """The variances of differences of these log strengths."""
    own = np.diagonal(covariance)
    return np.asarray(own[low] + own[high] - 2 * covariance[low, high])


def cluster_df(sizes: Array) -> float:
    """G* − 1, and half a degree of freedom where one cluster has nearly all battles."""
    return max(effective_clusters(sizes) - 1.0, 0.5)


def unequal_share(sizes: Array) -> float:
    """The variance over the bootstrap's times G/(G − 1), of unlike clusters of these sizes.

    With shares w it is Σ w², of which residuals from the common estimate show Σ w²(1 − 2w + Σ w²).
    """
    w = sizes / sizes.sum()
    whole, groups = float((w**2).sum()), len(w)
    seen = float((w**2 * (1.0 - 2.0 * w + whole)).sum()) * groups / (groups - 1)
    return max(1.0, whole / seen)


def one_battle_each(battles: Battles, davidson: bool, firth: bool) -> tuple[Array, Array]:
    """(k, k) covariance of the information if each pair had one battle, its mean outcome, in a cluster where it met.

    And its part between groups of which one never lost to another: no resample of clusters shows the error of their
    difference, as the gap is in all of them. 0 without such groups.
    """
    met = battles.counts.sum(axis=1, keepdims=True)
    wins, ties = replace(battles, counts=battles.counts / np.where(met > 0, met, 1.0)).tables()
    k = len(battles.algorithms)
    covariance = fitted(wins[None], ties[None], davidson, firth).covariance[0, :k, :k]
    group = connected_components(wins + ties > 0, connection="strong")[1]
    mean = (group[:, None] == group).astype(np.float64)
    mean /= mean.sum(axis=1, keepdims=True)
    return covariance, mean @ covariance @ mean.T


def largest_differences(covariance: Array, df: float | None, seed: int | None) -> Array:
    """Sorted draws of the largest |θ_i − θ_j|/SE of all pairs where no two strengths differ; of many pairs over few
    clusters infinite, which leaves Bonferroni.

    Multivariate normal, or t with ``df``. Over few clusters the errors of two pairs vary nearly by themselves: of q
    further vectors Z_l the variance is V + √(q/df)·(Σ_l (Z_li − Z_lj)²/q − V), as variable as one with ``df``. The
    common denominator of the multivariate t makes intervals too short there.
    """
    rng = generator(seed)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    k, own = len(covariance), np.diagonal(covariance)
    q = 0 if df is None or df > MANY else max(1, min(VECTORS, int(df)))
    if q and k > DRAWN:
        return np.full(1, np.inf)
    share = 0.0 if df is None or not q else math.sqrt(min(q / df, 1.0))
    variances = [(own[i] + own[i + 1 :] - 2 * covariance[i, i + 1 :])[:, None] for i in range(k - 1)]
    largest = []
    at_once = max(1, min(DRAWS, PAIR_DRAWS // (k * (k - 1) // 2)))
    for start in range(0, DRAWS, at_once):
        b = min(at_once, DRAWS - start)
        drawn, *others = (np.ascontiguousarray((rng.standard_normal((b, k)) @ root.T).T) for _ in range(1 + q))
        maxima = np.zeros(b)  # squares
        for part in (slice(first, first + IN_CACHE) for first in range(0, b, IN_CACHE)):
            for i, variance in enumerate(variances):
                t = drawn[i, part] - drawn[i + 1 :, part]
                t *= t
                squares = sum((z[i, part] - z[i + 1 :, part]) ** 2 for z in others)
                t /= variance + share * (squares / q - variance) if q else variance
                np.maximum(maxima[part], t.max(axis=0), out=maxima[part])
        largest.append(np.sqrt(maxima if df is None or q else maxima / (rng.chisquare(df, b) / df)))
    return np.sort(np.concatenate(largest))


FEW_CLUSTERS = 10
ALIKE = 1e-3  # of the variance of independent battles: a smaller one between clusters is no estimate
_DAVIDSON = "Davidson (1970), J. Amer. Statist. Assoc. 65, 317–328"
_ACROSS = " Across such a gap clusters show no error: that of one battle of each pair in a cluster is added."


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """The checked arguments of ``ratings``; ``boards``: how many are judged at once."""

    ties: str
    penalty: str
    reference: str | None
    alpha: float
    n_resamples: int
    seed: int | None
    boards: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Model:
    """``theta`` sums to 0."""

    fit: BradleyTerryFit
    wins: Array
    ties: Array
    davidson: bool
    firth: bool
    finite: bool  # is the plain estimate finite?
    by_row: RowFit | None = None  # beside covariates

    @property
    def theta(self) -> Array:
        return np.asarray(self.fit.theta[0, : len(self.wins)])

    @property
    def effects(self) -> Array:
        """(p,) of covariates."""
        return np.asarray(self.fit.theta[0, len(self.wins) :])

    @property
    def information(self) -> Array:
        """The inverse: covariance of strengths and effects, were the battles independent."""
        q = self.fit.theta.shape[1]
        return np.asarray(self.fit.covariance[0, :q, :q])


def rated_board(
    table: Battles, how: How, scores: Scores | None = None, category: str | None = None
) -> tuple[RatedBoard, Model]:
    """``scores`` are those that the battles were made from. The model's algorithms are in the order of their names."""
    k, seed = len(table.algorithms), how.seed
    played, places = ordered_battles(table)
    model = _fitted(played, how.ties, how.penalty)
    covariance, errors, left_out = model.information, "information", 0
    if played.clusters is not None:
        covariance, errors, left_out = _clustered(played, model, how.n_resamples, seed)
    df = None if table.clusters is None else cluster_df(played.sizes())
    covariance = (covariance + covariance.T) / 2
    own_of_covariates, covariance = np.sqrt(np.diagonal(covariance)[k : k + len(model.effects)]), covariance[:k, :k]
    largest = largest_differences(covariance, df, seed)
    reference = how.reference if how.reference in played.algorithms else None
    centre = None if reference is None else played.algorithms.index(reference)
    strengths, own = (part[places] for part in _relative(model.theta, covariance, centre))
    covariance = covariance[np.ix_(places, places)]
    pairs, critical = _pairs(table, model.theta[places], covariance, df, how, largest)
    pairs = pairs if scores is None else alone_undecided(scores, pairs)
    critical_of_one = -float(ndtri(how.alpha / 2) if df is None else stdtrit(df, how.alpha / 2))
    reach = critical_of_one * own
    deviance, deviance_df, deviance_pvalue = fit = _deviance(played, model)
    return RatedBoard(
        category=category,
        battles=table,
        algorithms=table.algorithms,
        reference=reference,
        strengths=read_only(strengths),
        standard_errors=read_only(own),
        intervals=read_only(np.column_stack([strengths - reach, strengths + reach])),
        covariance=read_only(covariance),
        pairs=pairs,
        rank_intervals=_ranks(table.algorithms, pairs),
        covariates=_covariates(played, model, own_of_covariates, df, critical_of_one),
        tie_parameter=None if model.fit.eta is None else math.exp(float(model.fit.eta[0])),
        deviance=deviance,
        deviance_df=deviance_df,
        deviance_pvalue=deviance_pvalue,
        log_likelihood=float(model.fit.log_likelihood[0]),
        method="davidson" if model.davidson else "bradley-terry",
        penalty="firth" if model.firth else "none",
        errors=errors,
        df=df,
        critical=critical,
        n_resamples=how.n_resamples if table.clusters is not None and errors != "jackknife" else 0,
        resamples_left_out=left_out,
        cautions=tuple(_cautions(table, model, fit, left_out, how.n_resamples, errors)),
    ), model


def _clustered(battles: Battles, model: Model, n_resamples: int, seed: int | None) -> tuple[Array, str, int]:
    """Covariance over clusters, where it comes from, and resamples left out."""
    assert battles.clusters is not None
    if len(battles.clusters) < 2:
        raise ScoreError(f"are all in one cluster, {battles.clusters[0]!r}; at least 2 are needed", parameter="battles")
    if model.by_row is not None:
        q = model.fit.theta.shape[1]
        covariance = jackknife(model.by_row, battles.cluster)[:q, :q]
        if _smallest_share(covariance, model.information, len(model.theta)) < ALIKE:
            return model.information, "information", 0
        return covariance if model.finite else covariance + model.information, "jackknife", 0
    covariance, left_out = bootstrap_covariance(battles, n_resamples, model.davidson, model.firth, generator(seed))
    if not np.isfinite(covariance).all():
        raise ScoreError(
            "are so few that in no resample of their clusters all algorithms meet; leave the clusters out, or get "
            "more battles",
            parameter="battles",
        )
    covariance = covariance * unequal_share(battles.sizes())
    independent, between = one_battle_each(battles, model.davidson, model.firth)
    if _smallest_share(covariance, independent, len(model.theta)) < ALIKE:
        return independent, "information", left_out
    return covariance + between, "bootstrap", left_out


def _covariates(
    battles: Battles, model: Model, errors: Array, df: float | None, critical: float
) -> tuple[RatedCovariate, ...]:
    if not battles.covariates:
        return ()
    t = model.effects / errors
    p = normal_two_sided(t)[0] if df is None else t_two_sided(t, df)[0]
    columns = (scales_of(battles).tolist(), model.effects.tolist(), errors.tolist(), p.tolist())
    return tuple(
        RatedCovariate(
            covariate=name,
            scale=scale,
            effect=effect,
            standard_error=error,
            interval=(effect - critical * error, effect + critical * error),
            pvalue=pvalue,
        )
        for name, scale, effect, error, pvalue in zip(battles.covariates, *columns, strict=True)
    )


def _fitted(battles: Battles, ties: str, penalty: str) -> Model:
    wins, drawn = (table[None] for table in battles.tables())
    if not linked(wins, drawn)[0]:
        groups = components((wins + wins.transpose(0, 2, 1) + drawn)[0])
        parts = "; ".join(listing([battles.algorithms[i] for i in group]) for group in groups[:5])
        raise ScoreError(
            f"leave {len(groups)} groups of algorithms that never met, even through others ({parts}): their strengths "
            "cannot be compared. Rate each group by itself",
            parameter="battles",
        )
    davidson = ties == "davidson" or (ties == "auto" and battles.n_ties > 0)
    row = fitted_by_row(battles, davidson, penalty) if battles.covariates else None
    finite = bool(bounded(wins, drawn, davidson)[0]) if row is None else row.finite
    if row is None and penalty == "none" and not finite:
        raise ParameterError(
            "must be 'auto' or 'firth' here: some algorithms never lost to the others, nor tied with them, so that "
            "their estimated strength is infinite without a penalty; got 'none'",
            parameter="penalty",
        )
    firth = penalty == "firth" or (penalty == "auto" and not finite)
    fit = fitted(wins, drawn, davidson, firth) if row is None else row.fit
    return Model(fit=fit, wins=wins[0], ties=drawn[0], davidson=davidson, firth=firth, finite=finite, by_row=row)


def _relative(theta: Array, covariance: Array, centre: int | None) -> tuple[Array, Array]:
    """Strengths and their standard errors, that sum to 0 or are relative to the reference."""
    own = np.diagonal(covariance)
    if centre is None:
        return theta - theta.mean(), np.sqrt(np.maximum(own, 0.0))
    variance = own + own[centre] - 2 * covariance[centre]
    return theta - theta[centre], np.sqrt(np.maximum(variance, 0.0))


def _pairs(
    battles: Battles, theta: Array, covariance: Array, df: float | None, how: How, largest: Array
) -> tuple[tuple[RatedPair, ...], float]:
    low, high = np.triu_indices(len(theta), 1)
    m, alpha = len(low), how.alpha / how.boards
    difference, error = theta[low] - theta[high], np.sqrt(difference_variances(covariance, low, high))
    bonferroni = -float(ndtri(alpha / 2 / m) if df is None else stdtrit(df, alpha / 2 / m))
    critical = min(float(np.quantile(largest, 1 - alpha, method="higher")), bonferroni)
    t = difference / error
    p = normal_two_sided(t)[0] if df is None else t_two_sided(t, df)[0]
    reached = len(largest) - np.searchsorted(largest, np.abs(t))
    adjusted = np.maximum(p, np.minimum((1 + reached) / (1 + len(largest)), m * p))
    adjusted = np.minimum(how.boards * adjusted, 1.0)
    wins, drawn = battles.tables()
    met = wins + wins.T + drawn
    columns = (low, high, difference, error, p, adjusted, met[low, high])
    pairs = (
        RatedPair(
            a=battles.algorithms[i],
            b=battles.algorithms[j],
            difference=d,
            standard_error=own_error,
            interval=(d - critical * own_error, d + critical * own_error),
            pvalue=own_p,
            adjusted=over_all,
            verdict=shown_better(abs(d) > critical * own_error, d),
            p_beats=1.0 / (1.0 + math.exp(-d)),
            battles=games,
        )
        for i, j, d, own_error, own_p, over_all, games in zip(*(column.tolist() for column in columns), strict=True)
    )
    return tuple(pairs), critical


def _ranks(names: tuple[str, ...], pairs: tuple[RatedPair, ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    of = rank_intervals(names, pairs)
    places = np.array([of[name] for name in names], dtype=np.int64)
    places.setflags(write=False)
    return places


Deviance = tuple[float | None, int | None, float | None]


def _deviance(battles: Battles, model: Model) -> Deviance:
    """2Σ observed·ln(observed/expected), its degrees of freedom, and p if there are any; None where ties are half wins,
    or there are covariates."""
    if model.by_row is not None or (battles.n_ties and not model.davidson):
        return None, None, None
    low, high = np.nonzero(np.triu(model.wins + model.wins.T + model.ties, 1))
    outcomes = [model.wins[low, high], model.wins[high, low]]
    d = model.theta[low] - model.theta[high]
    weights = [np.exp(d / 2), np.exp(-d / 2)]
    if model.davidson:
        assert model.fit.eta is not None
        outcomes.append(model.ties[low, high])
        weights.append(np.full(len(d), math.exp(float(model.fit.eta[0]))))
    observed, expected = np.array(outcomes), np.array(weights)
    expected *= observed.sum(axis=0) / expected.sum(axis=0)
    some = observed > 0
    value = max(0.0, 2.0 * float((observed[some] * np.log(observed[some] / expected[some])).sum()))
    df = len(low) * (len(observed) - 1) - (len(model.theta) - 1) - model.davidson
    return value, df, float(chi2_sf(value, df)[0]) if df else None


def _smallest_share(covariance: Array, information: Array, k: int) -> float:
    """The smallest share of a pair's variance in that of the information; strengths come first."""
    pairs = np.triu_indices(k, 1)
    return float((difference_variances(covariance, *pairs) / difference_variances(information, *pairs)).min())


def _cautions(
    battles: Battles, model: Model, deviance: Deviance, left_out: int, n_resamples: int, errors: str
) -> Iterator[Caution]:
    if not model.finite:
        which = "davidson" if strongly_connected(model.wins[None], model.ties[None])[0] else "unbeaten"
        which = "covariates" if model.by_row else which
        yield caution_of("separated", which, error=_ACROSS if errors == "bootstrap" else "")
    if battles.clusters is None:
        yield caution_of("battles-independent")
    else:
        sizes = battles.sizes()
        effective, least, most = effective_clusters(sizes), float(sizes.min()), float(sizes.max())
        if len(sizes) < FEW_CLUSTERS:
            yield caution_of("too-few", "battle-clusters", clusters=len(sizes))
        if most >= UNEVEN * least and effective < ENOUGH:
            df = cluster_df(sizes)
            yield caution_of("unequal", "battle-clusters", least=least, most=most, effective=effective, df=df)
        if errors == "information":
            yield caution_of("no-variation", "clusters")
    if left_out:
        yield caution_of("left-out", "resamples", left_out=left_out, n_resamples=n_resamples)
    value, degrees, p = deviance
    if battles.clusters is None and p is not None and p < 0.01 and not model.firth:
        yield caution_of(
            "lack-of-fit", "battles", reference=_DAVIDSON if model.davidson else "", deviance=value, df=degrees, p=p
        )
    if not bool(model.fit.converged[0]):
        yield caution_of("not-converged", "ratings")
