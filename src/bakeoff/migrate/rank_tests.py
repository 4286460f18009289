"""p-values of pairs from ranks, as scikit-posthocs arranges them, computed from bakeoff's rank sums and errors."""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy.special import chdtrc, stdtr

from bakeoff.adjusting import adjust
from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.migrate.blocked import Blocked
from bakeoff.migrate.delivery import square_frame
from bakeoff.nulls import studentized_range
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.posthoc.pairs import Pairs, pair_tests, rank_sums
from bakeoff.posthoc.pooled_error import differences, in_units, repeated_measures
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import family_of

ADJUSTMENTS = {
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm": "holm",
    "holm-sidak": "holland",
    "simes-hochberg": "hochberg",
    "hommel": "hommel",
    "fdr_bh": "fdr-bh",
    "fdr_by": "fdr-by",
}
"""``p_adjust`` of scikit-posthocs -> ``bo.adjust``."""

ABBREVIATIONS = {
    "b": "bonferroni",
    "s": "sidak",
    "h": "holm",
    "hs": "holm-sidak",
    "sh": "simes-hochberg",
    "ho": "hommel",
    **dict.fromkeys(("fdr_i", "fdr_p", "fdri", "fdrp"), "fdr_bh"),
    **dict.fromkeys(("fdr_n", "fdr_c", "fdrn", "fdrcorr"), "fdr_by"),
}
"""Of statsmodels, to which scikit-posthocs passes ``p_adjust`` on."""
TWO_STAGES = ("fdr_tsbh", "fdr_2sbh", "fdr_tsbky", "fdr_2sbky", "fdr_twostage", "fdr_gbs")


def pool() -> Caution:
    """Mean ranks depend on the pool."""
    return caution_of("pool-dependent", "migrate")


def nemenyi(z: Array, k: int) -> Array:
    """P(range of k standard normal variables ≥ √2·|z|)."""
    return np.asarray(studentized_range.sf(math.sqrt(2.0) * np.abs(z), k))


def siegel(z: Array, k: int) -> Array:
    """Two-sided normal p-values."""
    return np.asarray(normal_two_sided(z)[0])


def miller(z: Array, k: int) -> Array:
    """P(χ² of k − 1 degrees of freedom ≥ z²): Scheffé's bound for all contrasts of mean ranks."""
    return np.asarray(chdtrc(k - 1, z * z))


def by_mean_ranks(blocks: Blocked, law: Callable[[Array, int], Array], p_adjust: str | None, corrected: bool) -> Any:
    """A square frame of p-values: z of mean ranks by the error of the ranks as they are, ties included.

    ``corrected``: the law adjusts for all pairs by itself.
    """
    scores, k = blocks.scores, blocks.scores.n_algorithms
    family = family_of(k, None)
    p = law(pair_tests(scores, family, "mean-ranks").statistic, k)
    cautions = [pool(), *tied_ranks(scores, family, p, lambda z: law(z, k))]
    return _framed(blocks, family, p, p_adjust, cautions, corrected)


def by_pooled_error(blocks: Blocked, ranks: Array, p_adjust: str | None, more: Iterable[Caution] = ()) -> Any:
    """A square frame of p-values: t of the means of ``ranks``, with the error of their analysis of variance.

    |R_i − R_j| / √(2·MSE/n) with (n − 1)(k − 1) degrees of freedom; of Friedman's ranks Conover's test, of Quade's
    weighted ranks his own (Conover 1999, sections 5.8 and 5.9).
    """
    t, df = pooled_t(blocks.scores, ranks)
    family = family_of(blocks.scores.n_algorithms, None)
    p = 2.0 * stdtr(df, -np.abs(t[tuple(np.array(family, dtype=np.intp).T)])) if df else np.ones(len(family))
    return _framed(blocks, family, p, p_adjust, [pool(), *more], False)


def single_step(blocks: Blocked, ranks: Array) -> Any:
    """The same, adjusted by the studentized range."""
    t, df = pooled_t(blocks.scores, ranks)
    k = blocks.scores.n_algorithms
    family = family_of(k, None)
    q = math.sqrt(2.0) * np.abs(t[tuple(np.array(family, dtype=np.intp).T)])
    p = np.asarray(studentized_range.sf(q, k, df)) if df else np.ones(len(family))
    theirs = np.asarray(studentized_range.sf(q, k))
    caution = caution_of("peer-degrees-of-freedom", df=df, scores=_example(blocks.scores, family, p, theirs))
    return _framed(blocks, family, p, None, [pool(), caution], True)


def pooled_t(scores: Scores, ranks: Array) -> tuple[Array, int]:
    """(k, k) t statistics and their degrees of freedom; 0 of them where one problem leaves nothing to estimate."""
    table = Scores(ranks, scores.algorithms, scores.problems, better="lower")
    fit = repeated_measures(table, "The t-test of ranks")
    return in_units(differences(table, fit), math.sqrt(2.0) * fit.standard_error, fit.df), fit.df


def tied_ranks(scores: Scores, family: Pairs, p: Array, law: Callable[[Array], Array]) -> list[Caution]:
    """Where ranks are tied: what the error of untied ranks, which scikit-posthocs takes, would give."""
    ranked = rank_sums(scores, "mean-ranks")
    own, untied = ranked.standard_error("permutation"), ranked.standard_error("papers")
    if math.isclose(own, untied, rel_tol=1e-12):
        return []
    theirs = law(pair_tests(scores, family, "mean-ranks", standard_error="papers").statistic)
    return [caution_of("peer-ignores-ties", own=own, untied=untied, scores=_example(scores, family, p, theirs))]


def with_adjustment(p: Array, p_adjust: str | None) -> Array:
    """By the name that scikit-posthocs passes on to statsmodels."""
    if p_adjust is None:
        return p
    if p_adjust in TWO_STAGES:
        rule = f"{p_adjust!r} is not offered: it estimates how many hypotheses are true from the same p-values, which "
        rule += "of pairs depend on each other. 'fdr_bh' is Benjamini and Hochberg's procedure in one stage"
        raise ParameterError(rule, parameter="p_adjust")
    p_adjust = ABBREVIATIONS.get(p_adjust, p_adjust)
    return np.asarray(adjust(p, ADJUSTMENTS[choice("p_adjust", p_adjust, ADJUSTMENTS)]))


def unadjusted(p_adjust: str | None, number: int) -> list[Caution]:
    """What ``p_adjust=None``, the default, leaves undone."""
    if p_adjust is not None or number < 2:
        return []
    return [caution_of("uncorrected", "migrate", p_values=counted(number, "p-value"))]


def square_table(k: int, family: Pairs, p: Array) -> Array:
    """(k, k), symmetric, 1 on the diagonal."""
    table = np.ones((k, k))
    for (a, b), value in zip(family, p.tolist(), strict=True):
        table[a, b] = table[b, a] = value
    return table


def _framed(
    blocks: Blocked, family: Pairs, p: Array, p_adjust: str | None, cautions: Iterable[Caution], corrected: bool
) -> Any:
    table = square_table(blocks.scores.n_algorithms, family, with_adjustment(p, p_adjust))
    missing = [] if corrected else unadjusted(p_adjust, len(family))
    return square_frame(table, blocks.labels, [*cautions, *missing])


def _example(scores: Scores, family: Pairs, ours: Array, theirs: Array) -> str:
    """The pair whose p-value differs most in size, both values."""
    with np.errstate(divide="ignore"):
        ratio = np.abs(np.log(np.maximum(ours, 1e-300)) - np.log(np.maximum(theirs, 1e-300)))
    i = int(np.argmax(ratio))
    a, b = (scores.algorithms[j] for j in family[i])
    return f"p of {a} and {b} is {ours[i]:.3g} instead of {theirs[i]:.3g}"
