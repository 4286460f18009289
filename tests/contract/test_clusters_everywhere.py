"""Every public function of Scores honours clusters, or refuses them; none ignores them.

Two twins by hand. Each row once, or copied and the copies named as one cluster: copies tell nothing new, so the answer
is the same (without the name it is not). And unequal rows averaged by hand, or their ranks: the short table.
"""

import contextlib
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import bakeoff as bo
from analysis_examples import joined
from bakeoff.errors import BakeoffError, ParameterError
from ordinary_tables import with_runs

Number = Callable[[bo.Scores], Any]
COPIES = (1, 2, 1, 3, 2, 1, 4, 2, 2, 1)


def of_analyses(kind: str) -> dict[str, Number]:
    return {name: number for name, (each, number) in joined("clusters").items() if each == kind}


MEANS: dict[str, Number] = {
    "aligned_friedman": lambda s: bo.aligned_friedman(s).pvalue,
    "quade": lambda s: bo.quade(s).pvalue,
    "anova": lambda s: [bo.anova(s).pvalue, bo.anova(s).greenhouse_geisser_pvalue],
    "contrast_estimation": lambda s: bo.contrast_estimation(s).estimates,
    "tukey": lambda s: [bo.tukey(s).pvalue, bo.tukey(s).high],
    "dunnett": lambda s: [bo.dunnett(s, 0).pvalue, bo.dunnett(s, 0).low],
    "multiple_sign_test": lambda s: bo.multiple_sign_test(s, 0).pvalues,
    "wilcoxon": lambda s: bo.wilcoxon(s, 0, 1).pvalue,
    "sign_test": lambda s: bo.sign_test(s, 0, 3).pvalue,
    "paired_t": lambda s: bo.paired_t(s, 0, 1).pvalue,
    "hodges_lehmann": lambda s: bo.hodges_lehmann(s, 0, 1).low,
    "median_difference": lambda s: bo.median_difference(s, 0, 1).low,
    "rank_biserial": lambda s: bo.rank_biserial(s, 0, 1).statistic,
    "equivalence": lambda s: [[*bo.equivalence(s, 0, 1, 1.0, t).interval, bo.equivalence(s, 0, 1, 1.0, t).pvalue]
                              for t in ("wilcoxon", "t")],
    **of_analyses("means"),
}  # fmt: skip
"""Those of the table of cluster means."""

RANKED: dict[str, Number] = {
    "friedman": lambda s: [bo.friedman(s).pvalue, bo.friedman(s, "exact", "corrected").pvalue],
    "iman_davenport": lambda s: bo.iman_davenport(s).pvalue,
    "kendall_w": lambda s: bo.kendall_w(s).statistic,
    "bayes.plackett_luce": lambda s: bo.bayes.plackett_luce(s, n_draws=200, n_chains=4).p_first,
    "skillings_mack": lambda s: bo.skillings_mack(s, "chi2").pvalue,
    **of_analyses("ranked"),
}  # fmt: skip
"""Those of the table of mean within-problem ranks."""

WEIGHTED: dict[str, Number] = {
    "a12": lambda s: bo.a12(s, 0, 1).estimate,
    "bayes.signed_rank": lambda s: bo.bayes.signed_rank(s, 0, 1, n_draws=20_000).p_better,
    "bayes.sign_test": lambda s: bo.bayes.sign_test(s, 0, 3).p_better,
    "bayes.friedman": lambda s: [bo.bayes.friedman(s, n_draws=20_000).mean, bo.bayes.friedman(s).covariance[0]],
    "bayes.rank_probabilities": lambda s: bo.bayes.rank_probabilities(s, n_draws=20_000).p_best,
    "bayes.compare": lambda s: [t.probability for t in bo.bayes.compare(s, n_draws=20_000).statements],
    "bayes.repeated_runs": lambda s: bo.bayes.repeated_runs(with_runs(s), n_draws=20_000).standard_deviations,
    "study.power": lambda s: [r.mean_p for r in bo.study.power(s, 0, 1, "wilcoxon", 6, (0, 1), 40, 1, "sd").rows],
    "study.known_truth": lambda s: [
        r.power.mean_p for r in bo.study.known_truth(s, 0, 1, "wilcoxon", 6, (0, 1), 40, 1).rows
    ],
    **of_analyses("weighted"),
}  # fmt: skip
"""Those whose clusters have weights, are drawn, or are left out: their own tests say what of each."""

EQUAL_PROBLEMS: dict[str, Number] = {
    "sign_flip": lambda s: bo.sign_flip(s, 0, 1).pvalue,
    "cluster_t": lambda s: [bo.cluster_t(s, 0, 1).pvalue, bo.cluster_t(s, 0, 1).low],
    **of_analyses("equal problems"),
}  # fmt: skip
"""Those in which a cluster counts as often as it has problems."""

REFUSED: dict[str, Number] = {
    "mcnemar": lambda s: bo.mcnemar(s, 0, 1),
    "bayes.hierarchical": lambda s: bo.bayes.hierarchical(with_runs(s), 0, 1),
    "plan.variance_components": lambda s: bo.plan.variance_components(with_runs(s), 0, 1),
    "resampled_t": lambda s: bo.resampled_t(s, 0, 1, 0.1),
    "bayes.folds": lambda s: bo.bayes.folds(s),
    "bayes.correlated_t": lambda s: bo.bayes.correlated_t(s, 0, 1, folds=10),
}

WITHIN: dict[str, Number] = {
    "rank": bo.rank,
    "rank_aligned": bo.rank_aligned,
    "rank_weighted": bo.rank_weighted,
    "plan.question_variance": lambda s: bo.plan.question_variance(with_runs(s), 0, 1).omega2,
    "plan.repetitions": lambda s: bo.plan.repetitions(with_runs(s), 0.5).n,
    "bayes.kruskal_wallis": lambda s: bo.bayes.kruskal_wallis(with_runs(s), 0, n_draws=2000).effects,
    **of_analyses("within"),
}  # fmt: skip
"""Those about each problem by itself, or that print the table as it is: nothing is said of a population of problems."""

ABOUT_RUNS = {"time_ratios", "change_points"}
"""Those about the order of runs of one problem at a time."""

SAMPLED = {"bayes.signed_rank", "bayes.rank_probabilities", "bayes.compare", "bayes.overview",
           "bayes.repeated_runs"}  # fmt: skip


def once(k: int = 4) -> npt.NDArray[np.float64]:
    return (np.random.default_rng(3).normal(size=(len(COPIES), k)) + 0.3 * np.arange(k)).round(2)


def plain(values: npt.ArrayLike) -> bo.Scores:
    return bo.Scores(values, better="lower")


def copied(clusters: bool = True) -> bo.Scores:
    codes = np.repeat(np.arange(len(COPIES)), COPIES)
    return bo.Scores(once()[codes], better="lower", clusters=[f"c{c}" for c in codes] if clusters else None)


def unequal(clusters: bool = True) -> bo.Scores:
    codes = np.repeat(np.arange(len(COPIES)), COPIES)
    values = once()[codes] + np.random.default_rng(4).normal(size=(len(codes), 4)).round(2)
    return bo.Scores(values, better="lower", clusters=[f"c{c}" for c in codes] if clusters else None)


def by_hand(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    parts = np.split(values, np.cumsum(COPIES)[:-1])
    return np.array([part.mean(axis=0) for part in parts])


def alike(found: Any, wanted: Any, tolerance: float = 1e-9) -> bool:
    a, b = (np.hstack([np.ravel(np.asarray(v, dtype=float)) for v in (x if isinstance(x, list) else [x])])
            for x in (found, wanted))  # fmt: skip
    return bool(
        a.shape == b.shape
        and np.allclose(a, b, rtol=tolerance if tolerance < 1e-6 else 0.0, atol=tolerance, equal_nan=True)
    )


def functions_of_scores() -> set[str]:
    found = {"race.replay", "profile"}
    for prefix, module in (("", bo), ("bayes.", bo.bayes), ("plan.", bo.plan), ("study.", bo.study)):
        assert isinstance(module, ModuleType)
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isfunction(function) and "scores" in list(inspect.signature(function).parameters)[:1]:
                found.add(prefix + name)
    return found


def test_every_function_of_scores_says_what_it_does_with_clusters() -> None:
    kinds = [MEANS, RANKED, WEIGHTED, EQUAL_PROBLEMS, REFUSED, WITHIN]
    assert sum(map(len, kinds)) == len(set().union(*kinds))
    assert functions_of_scores() - ABOUT_RUNS == set().union(*kinds)


@pytest.mark.few(2, 10)
@pytest.mark.parametrize("name", [*MEANS, *RANKED, *WEIGHTED])
def test_copies_of_one_cluster_tell_nothing_new(name: str) -> None:
    number = {**MEANS, **RANKED, **WEIGHTED}[name]
    tolerance = 0.015 if name in SAMPLED else 1e-9
    found = number(copied())
    assert alike(found, number(plain(once())), tolerance)
    assert not alike(found, number(copied(clusters=False)), tolerance)


@pytest.mark.parametrize("name", EQUAL_PROBLEMS)
@pytest.mark.slow_cases("profile")
def test_as_many_copies_of_each_cluster_tell_nothing_new(name: str) -> None:
    number, codes = EQUAL_PROBLEMS[name], np.repeat(np.arange(len(COPIES)), 3)
    found = number(bo.Scores(once()[codes], better="lower", clusters=[f"c{c}" for c in codes]))
    assert alike(found, number(plain(once())))
    assert not alike(found, number(plain(once()[codes])))


@pytest.mark.few(2, 12)
@pytest.mark.parametrize("name", [*MEANS, *RANKED])
def test_the_short_table_by_hand(name: str) -> None:
    scores = unequal()
    if name in MEANS:
        number, short = MEANS[name], by_hand(scores.values)
    else:
        number, short = RANKED[name], by_hand(bo.rank(scores))
    assert alike(number(scores), number(plain(short.round(9))))
    assert not alike(number(scores), number(unequal(clusters=False)))


@pytest.mark.few(8, 20)
@pytest.mark.parametrize("name", [*MEANS, *RANKED, *WEIGHTED, *EQUAL_PROBLEMS])
def test_clusters_that_are_hardly_any_get_an_answer_or_an_error(name: str) -> None:
    """A search over degrees of freedom of .2 did not end: a check of two models hung."""
    number = {**MEANS, **RANKED, **WEIGHTED, **EQUAL_PROBLEMS}[name]
    for sizes in ((90, 10), (24, 1), (20, 3, 2)):
        codes = np.repeat(np.arange(len(sizes)), sizes)
        values = np.random.default_rng(5).normal(size=(len(codes), 4)) + once()[codes]
        with contextlib.suppress(BakeoffError):
            assert np.size(number(bo.Scores(values, better="lower", clusters=[f"c{c}" for c in codes])))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    with pytest.raises(BakeoffError, match="cluster"):
        REFUSED[name](unequal())


@pytest.mark.parametrize("name", WITHIN)
def test_nothing_over_problems(name: str) -> None:
    assert alike(WITHIN[name](unequal()), WITHIN[name](unequal(clusters=False)), 0.0)


def test_a12_of_clusters_is_a_mean_of_cluster_means() -> None:
    found = bo.a12(with_runs(unequal()), 0, 1)
    assert len(found.per_problem) == sum(COPIES)
    assert found.estimate == pytest.approx(by_hand(found.per_problem).mean(), rel=1e-12)
    effect = bo.compare(with_runs(unequal()), effect="a12").pair("A1", "A2").effect
    assert effect is not None
    assert effect.estimate == pytest.approx(found.estimate, rel=1e-12)


def test_what_has_no_form_for_clusters_says_what_has() -> None:
    scores = unequal()
    with pytest.raises(ParameterError, match=r"and weights= takes problems as independent: leave weights out"):
        bo.quade(scores, weights=np.arange(scores.n_problems))
    holes = scores.values.copy()
    holes[0, 0] = np.nan
    kept = bo.Scores(holes, better="lower", clusters=scores.clusters, missing="keep")
    with pytest.raises(ParameterError, match=r"Skillings and Mack's .* missing scores .* bo\.friedman takes clusters"):
        bo.skillings_mack(kept)


def test_cautions_count_clusters() -> None:
    texts = [
        c.text for c in (*bo.friedman(unequal()).cautions, *bo.equivalence(unequal(), 0, 1, 1.0, alpha=1e-4).cautions)
    ]
    assert any("10 clusters" in text and "4 algorithms" in text for text in texts)
    assert any("With 10 clusters the smallest possible p-value" in text for text in texts)
