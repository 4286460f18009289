"""autorank's ``autorank()``: its arguments and its result, with the tests of bakeoff."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from bakeoff.analyses.compare.statistics import Comparison, compare
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, flag, number, probability, whole
from bakeoff.errors import Caution, ParameterError, WrongTypeError
from bakeoff.migrate.blocked import blocked
from bakeoff.migrate.delivery import PANDAS, warn
from bakeoff.migrate.homogeneity import bartlett, levene
from bakeoff.migrate.posterior_tables import posterior_tables
from bakeoff.migrate.rank_table import LIMITS, rank_table, too_wide
from bakeoff.nulls import studentized_range
from bakeoff.omnibus import anova, friedman
from bakeoff.packages import optional
from bakeoff.paired import paired_t, wilcoxon
from bakeoff.paired.shapiro_wilk import shapiro_wilk
from bakeoff.posthoc import critical_difference
from bakeoff.posthoc.pooled_error import repeated_measures
from bakeoff.ranks import rank
from bakeoff.scores import Scores

LEAST_ROWS = 5


class RankResult(NamedTuple):
    """autorank's fields, in its order; ``comparison`` and ``cautions`` come last and are bakeoff's."""

    rankdf: Any
    pvalue: float | None
    cd: float | None
    omnibus: str
    posthoc: str | None
    all_normal: bool
    pvals_shapiro: list[float]
    homoscedastic: bool | None
    pval_homogeneity: float | None
    homogeneity_test: str | None
    alpha: float
    alpha_normality: float
    num_samples: int
    sample_matrix: Any
    posterior_matrix: Any
    decision_matrix: Any
    rope: float | None
    rope_mode: str | None
    effect_size: str
    force_mode: str | None
    plot_order: list[str] | None
    comparison: Comparison | None = None
    cautions: tuple[Caution, ...] = ()

    def __str__(self) -> str:
        parts = [f"{name}={value}" for name, value in zip(self._fields[1:-2], self[1:-2], strict=True)]
        lines = [f"[{c.code}] {c.text}" for c in self.cautions]
        return "\n".join([f"RankResult(rankdf=\n{self.rankdf}", *parts, *lines]) + ")"


def autorank(
    data: Any,
    alpha: float = 0.05,
    verbose: bool = False,
    order: Literal["ascending", "descending"] = "descending",
    approach: Literal["frequentist", "bayesian"] = "frequentist",
    rope: float = 0.1,
    rope_mode: Literal["effsize", "absolute"] = "effsize",
    nsamples: int = 50000,
    effect_size: str | None = None,
    force_mode: Literal["parametric", "nonparametric"] | None = None,
    random_state: int | None = None,
    plot_order: Sequence[str] | None = None,
) -> RankResult:
    """Which populations (columns) differ? With autorank's arguments, choices and result.

    Its numbers where they are right. Not so: rows stand best first; intervals of medians are exact; of two populations
    the tests are two-sided; Tukey's test takes rows as blocks. Each difference is a caution, and a warning.

    Parameters
    ----------
    data : DataFrame
        One column per algorithm, one row per problem, five or more rows.
    alpha : float
        Family-wise level.
    verbose : bool
        Without effect: nothing prints; ``str(result)`` has everything.
    order : {"descending", "ascending"}
        Larger scores are better, or smaller ones.
    approach : {"frequentist", "bayesian"}
        Tests, or signed-rank posteriors of pairs.
    rope, rope_mode, nsamples, random_state
        Of posteriors: half a region of equivalence, in units of "effsize" or of the scores; draws; seed.
    effect_size : {"cohen_d", "cliff_delta", "akinshin_gamma"}, optional
        As if columns were independent samples. Default: Cohen's d if all are normal or means of three or more are
        compared, else Akinshin's γ.
    force_mode : {"parametric", "nonparametric"}, optional
        Do not let normality tests choose.
    plot_order : list of str, optional
        Kept in the result.

    Returns
    -------
    RankResult
        autorank's fields; ``.comparison`` with diagram, report and LaTeX; ``.cautions``.

    Examples
    --------
    >>> import bakeoff as bo, pandas as pd, warnings
    >>> s = bo.datasets.load("demsar_2006")
    >>> data = pd.DataFrame(s.values, columns=s.algorithms)
    >>> with warnings.catch_warnings(action="ignore"):
    ...     result = bo.migrate.autorank(data, force_mode="nonparametric")
    >>> result.omnibus, result.posthoc, round(result.cd, 3)  # autorank 1.3.0: 1.254
    ('friedman', 'nemenyi', 1.254)
    >>> [caution.code for caution in result.cautions]
    ['chi2-rough', 'peer-worst-first']
    """
    scores = _checked(data, order)
    level = probability("alpha", alpha)
    flag("verbose", verbose)
    choice("approach", approach, ("frequentist", "bayesian"))
    choice("rope_mode", rope_mode, ("effsize", "absolute"))
    number("rope", rope, least=0.0)
    whole("nsamples", nsamples, 1)
    if force_mode is not None:
        choice("force_mode", force_mode, ("parametric", "nonparametric"))
    values, k = scores.values, scores.n_algorithms
    shapiro = [shapiro_wilk(column) for column in values.T]
    pvalues = [1.0 if test is None else test.pvalue for test in shapiro]
    normal = all(p >= level / k for p in pvalues)
    parametric = force_mode == "parametric" if force_mode else normal
    d = normal or (parametric and k > 2 and approach == "frequentist")
    measure = ("cohen_d" if d else "akinshin_gamma") if effect_size is None else effect_size
    choice("effect_size", measure, LIMITS)
    common: dict[str, Any] = {"all_normal": normal, "pvals_shapiro": pvalues, "alpha": level}
    common |= {"alpha_normality": level / k, "num_samples": len(values), "effect_size": measure}
    common |= {"force_mode": force_mode, "plot_order": _plot_order(plot_order, scores.algorithms)}
    pandas = optional("pandas", PANDAS)
    if approach == "bayesian":
        tables = posterior_tables(scores, level, float(rope), rope_mode, nsamples, random_state,
                                 parametric=parametric, normal=normal, measure=measure)  # fmt: skip
        warn(tables.cautions)
        index = tables.names
        common["pvals_shapiro"] = [pvalues[scores.algorithms.index(name)] for name in index]
        square = {"index": index, "columns": index}
        return RankResult(
            rankdf=pandas.DataFrame(tables.columns, index=index),
            pvalue=None, cd=None, omnibus="bayes", posthoc="bayes",
            homoscedastic=None, pval_homogeneity=None, homogeneity_test=None,
            sample_matrix=pandas.DataFrame(tables.samples, **square),
            posterior_matrix=pandas.DataFrame(tables.posteriors, **square),
            decision_matrix=pandas.DataFrame(tables.decisions, **square),
            rope=float(rope), rope_mode=rope_mode, cautions=tables.cautions, **common,
        )  # fmt: skip
    name = "bartlett" if normal else "levene"
    homogeneity = bartlett(values) if normal else levene(values)
    equal = homogeneity >= level
    if k > 2 and not force_mode:
        parametric = parametric and equal
    tested = _tested(scores, level, parametric)
    ranks = dict(zip(scores.algorithms, rank(scores).mean(axis=0).tolist(), strict=True))
    best_first = sorted(ranks, key=ranks.__getitem__)
    columns = rank_table(
        {name: values[:, scores.algorithms.index(name)] for name in best_first}, ranks,
        parametric=force_mode == "parametric" if force_mode else normal, normal=normal, level=1.0 - level / k,
        measure=measure,
    )  # fmt: skip
    cautions = list(tested.cautions)
    if tested.intervals is None and not normal:
        cautions += too_wide(values[:, scores.algorithms.index(best_first[0])], best_first[0], 1.0 - level / k)
    if tested.intervals is not None:
        columns["ci_lower"], columns["ci_upper"] = ([tested.intervals[n][i] for n in best_first] for i in (0, 1))
    cautions += _order_caution(order, best_first)
    common["pvals_shapiro"] = [pvalues[scores.algorithms.index(n)] for n in best_first]
    cautions += [caution_of("peer-pretest")] if force_mode is None else []
    warn(cautions)
    return RankResult(
        rankdf=pandas.DataFrame(columns, index=best_first),
        pvalue=tested.pvalue, cd=tested.cd, omnibus=tested.omnibus, posthoc=tested.posthoc,
        homoscedastic=equal, pval_homogeneity=homogeneity, homogeneity_test=name,
        sample_matrix=None, posterior_matrix=None, decision_matrix=None, rope=None, rope_mode=None,
        comparison=tested.comparison, cautions=tuple(cautions), **common,
    )  # fmt: skip


class _Tested(NamedTuple):
    pvalue: float
    cd: float | None
    omnibus: str
    posthoc: str | None
    intervals: dict[str, tuple[float, float]] | None
    comparison: Comparison
    cautions: tuple[Caution, ...]


def _tested(scores: Scores, alpha: float, parametric: bool) -> _Tested:
    if scores.n_algorithms == 2:
        return _two(scores, alpha, parametric)
    if parametric:
        return _means(scores, alpha)
    test = friedman(scores, ties="corrected")
    result = compare(scores, omnibus="friedman", posthoc="nemenyi", alpha=alpha)
    cd = critical_difference(scores.n_algorithms, scores.n_problems, alpha)
    return _Tested(test.pvalue, cd, "friedman", "nemenyi", None, result, tuple(test.cautions))


def _two(scores: Scores, alpha: float, parametric: bool) -> _Tested:
    result = compare(scores, pairwise="t" if parametric else "wilcoxon", alpha=alpha)
    if parametric:
        return _Tested(paired_t(scores, 0, 1).pvalue, None, "ttest", None, None, result, ())
    test = wilcoxon(scores, 0, 1, zeros="drop")
    caution = caution_of("peer-one-sided", "autorank", pvalue=test.pvalue)
    return _Tested(test.pvalue, None, "wilcoxon", None, None, result, (caution, *test.cautions))


def _means(scores: Scores, alpha: float) -> _Tested:
    """Analysis of variance with repeated measures and Tukey's test, as intervals that part where means differ."""
    test, fit = anova(scores), repeated_measures(scores, "Tukey's test")
    half = studentized_range.isf(alpha, scores.n_algorithms, fit.df) * fit.standard_error / 2.0
    means = dict(zip(scores.algorithms, fit.means.tolist(), strict=True))
    caution = caution_of("peer-ignores-pairing", half=2.0 * half)
    result = compare(scores, omnibus="anova", posthoc="tukey", alpha=alpha)
    intervals = {name: (mean - half, mean + half) for name, mean in means.items()}
    return _Tested(test.pvalue, None, "anova", "tukeyhsd", intervals, result, (caution, *test.cautions))


def _order_caution(order: str, best_first: list[str]) -> list[Caution]:
    if order != "descending":
        return []
    return [caution_of("peer-worst-first", best_first=best_first[0])]


def _checked(data: Any, order: str) -> Scores:
    if not hasattr(data, "columns"):
        raise WrongTypeError(f"must be a data frame; got {type(data).__name__}", parameter="data")
    choice("order", order, ("ascending", "descending"))
    blocks = blocked(data, y_col=None, group_col=None, block_col=None, block_id_col=None, melted=False, sort=False)
    scores = blocks.scores
    if scores.n_problems < LEAST_ROWS:
        raise ParameterError(
            f"must have {LEAST_ROWS} or more rows, as in autorank; there are {scores.n_problems}. Of fewer: "
            "bo.compare(scores), which says what so few can show.",
            parameter="data",
        )
    scores.require_finite("autorank()")
    if order == "ascending":
        return scores
    return Scores(scores.values, scores.algorithms, scores.problems, better="higher")


def _plot_order(plot_order: Sequence[str] | None, names: tuple[str, ...]) -> list[str] | None:
    if plot_order is None:
        return None
    if sorted(plot_order) != sorted(names):
        raise ParameterError(f"must name every column once; got {list(plot_order)!r}", parameter="plot_order")
    return list(plot_order)
