"""compare(): from a table of scores to a verdict, nothing chosen silently."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from bakeoff.checks import choice, probability
from bakeoff.comparison import recipes
from bakeoff.comparison.cautions import all_cautions
from bakeoff.comparison.corrections import Correction, Wanted, adjusted_pvalues, choose_corrections
from bakeoff.comparison.decisions import Design, groups_of, judged
from bakeoff.comparison.results import Choice, Comparison, Pair, Step, Verdict
from bakeoff.comparison.sizes import PairSizes, pair_sizes
from bakeoff.effects import contrast_estimation, kendall_w
from bakeoff.omnibus import OMNIBUS
from bakeoff.paired.many_pairs import Progress
from bakeoff.posthoc._critical_difference import of_correction
from bakeoff.posthoc.pairs import PAIRWISE, RANKINGS, PairTests, pair_tests, rank_sums
from bakeoff.ranks.table_cautions import has_differences
from bakeoff.scores import Scores, check_scores, read_only
from bakeoff.scores.pair_family import Family, family_of


def compare(
    scores: Scores,
    control: str | int | None = None,
    omnibus: str = "iman-davenport",
    pairwise: str | None = None,
    posthoc: str | Sequence[str] | None = None,
    alpha: float = 0.05,
    recipe: str | None = None,
    *,
    progress: Progress | None = None,
) -> Comparison:
    """Which algorithms differ, which is better, by how much, and could this experiment have told?

    Use it for several algorithms on several independent problems; runs are averaged. Not for runs on a single problem.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); carries the direction.
    control : str or int, optional
        Compare every algorithm with this one, fixed beforehand; else all pairs.
    omnibus : {"iman-davenport", "friedman", "aligned", "quade", "anova"}
        "Does any differ?", tie-corrected. A non-rejecting omnibus is a caution, not a gate.
    pairwise : {"mean-ranks", "aligned", "quade", "wilcoxon", "sign", "t"}, optional
        The raw test of a pair. Default: the ranking of the omnibus (paired t after ANOVA); of two algorithms wilcoxon.
    posthoc : str, sequence of str, or "all", optional
        Corrections; the first decides the verdict. With a control (default Holm): those of :func:`adjust`, and dunnett
        after anova. All pairs (default Bergmann–Hommel): those of :func:`adjust_pairwise`, nemenyi-range, and tukey
        after anova.
    alpha : float
        Family-wise level.
    recipe : {"demsar-2006", "garcia-2010", "derrac-2011"}, optional
        A paper's protocol: its uncorrected statistics, its corrections, its gate.
    progress : callable, optional
        Called with (pairs done, pairs in all) while pairs are tested one by one (wilcoxon, sign, t).

    Returns
    -------
    Comparison
        ``.pairs``, each with a verdict: "a better", "b better" (adjusted p ≤ alpha), "no difference shown", or "cannot
        tell" (no outcome could have reached alpha); ``.omnibus``, ``.mean_ranks``, ``.groups``, ``.choices``, ….

    Raises
    ------
    UnknownNameError, ParameterError
        An algorithm, test or correction that does not exist or belongs to the other family.
    InfiniteScoreError, TooLargeError
        Asked for by name: a test on differences with an infinite score, a correction beyond its limit.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE")
    >>> [f"{p.b}: {p.verdict}" for p in result.pairs if p.verdict == "a better"]
    ['PSO: a better', 'CHC: a better']
    """
    scores = check_scores(scores)
    alpha = probability("alpha", alpha)
    choice("omnibus", omnibus, OMNIBUS)
    column = None if control is None else scores.index(control, "control")
    protocol = None if recipe is None else recipes.find_recipe(recipe, omnibus, pairwise, posthoc, control)
    raw_test, why = _pairwise(scores, omnibus, pairwise)
    wanted = choose_corrections(posthoc, column is not None, omnibus, raw_test, protocol)

    ties: Literal["none", "corrected"] = "none" if protocol else "corrected"
    test, companion = _omnibus(scores, omnibus, ties)
    family = family_of(scores.n_algorithms, column)
    tests = pair_tests(scores, family, raw_test, progress)
    correction = adjusted_pvalues(scores, family, tests, wanted, column)
    design = Design(scores=scores, family=family, control=column, pairwise=raw_test, alpha=alpha)
    reach = design.reach(correction.primary, standard_error=tests.standard_error)
    closed = protocol is not None and test.pvalue > alpha
    verdicts = judged(tests, correction, alpha, reach > alpha, closed)
    sizes = pair_sizes(scores, family, 1.0 - alpha)
    cautions = [*all_cautions(design, test, tests, correction, verdicts, reach, protocol), *sizes.cautions]

    ranking = next((name for name in (raw_test, OMNIBUS[omnibus].pairwise) if name in RANKINGS), "mean-ranks")
    sums, divisor, se = rank_sums(scores, ranking)
    mean_ranks = read_only(sums / divisor)
    groups: tuple[tuple[str, ...], ...] = ()
    if column is None:
        groups, too_many = groups_of(scores, family, verdicts, mean_ranks)
        cautions += too_many
    k = scores.n_algorithms
    result = Comparison(
        scores=scores,
        alpha=alpha,
        control=None if column is None else scores.algorithms[column],
        recipe=recipe,
        omnibus=test,
        companion=companion,
        ranking="friedman" if ranking == "mean-ranks" else ranking,
        mean_ranks=mean_ranks,
        pairwise=raw_test,
        posthoc=correction.methods,
        primary=correction.primary,
        pairs=_pairs(scores, family, tests, correction, verdicts, sizes),
        groups=groups,
        critical_difference=of_correction(correction.primary, k, se, alpha) if raw_test == ranking and k > 2 else None,
        contrasts=contrast_estimation(scores).estimates if has_differences(scores) else None,
        kendall_w=kendall_w(scores, ties=ties).statistic,
        steps=(),
        choices=_choices(scores, protocol, omnibus, raw_test, why, wanted),
        cautions=tuple(cautions),
    )
    return result if protocol is None else replace(result, steps=_steps(result, protocol, column))


def _omnibus(scores: Scores, omnibus: str, ties: Literal["none", "corrected"]) -> tuple[Any, Any]:
    """The omnibus test, and what is reported beside it."""
    record = OMNIBUS[omnibus]
    options = {"ties": ties} if record.takes_ties else {}
    companion = None if record.companion is None else record.companion(scores, **options)
    return record.function(scores, **options), companion


def _pairwise(scores: Scores, omnibus: str, pairwise: str | None) -> tuple[str, str]:
    """The raw test of a pair, and why."""
    if pairwise is not None:
        return choice("pairwise", pairwise, PAIRWISE), "asked for"
    if scores.n_algorithms == 2:
        if has_differences(scores):
            return (
                "wilcoxon",
                "two algorithms are compared by the Wilcoxon signed-rank test, exact up to 1000 differences",
            )
        return "sign", "two algorithms, with an infinite score or difference: only its sign is defined"
    return OMNIBUS[omnibus].pairwise, f"follows the omnibus test ({omnibus})"


def _pairs(
    scores: Scores, family: Family, tests: PairTests, correction: Correction, verdicts: list[Verdict], sizes: PairSizes
) -> tuple[Pair, ...]:
    names = scores.algorithms
    return tuple(
        Pair(
            a=names[a],
            b=names[b],
            statistic=float(tests.statistic[i]),
            pvalue=float(tests.pvalue[i]),
            log_pvalue=float(tests.log_pvalue[i]),
            adjusted={method: float(correction.values[method][i]) for method in correction.methods},
            verdict=verdicts[i],
            effect=sizes.shift[i],
            wins=int(sizes.wins[i]),
            ties=int(sizes.ties[i]),
            losses=int(sizes.losses[i]),
            rank_biserial=sizes.rank_biserial[i],
        )
        for i, (a, b) in enumerate(family)
    )


def _choices(
    scores: Scores, protocol: recipes.Recipe | None, omnibus: str, pairwise: str, why: str, wanted: Wanted
) -> tuple[Choice, ...]:
    """Everything decided on the way, and why."""
    found = [Choice(parameter="omnibus", value=omnibus, reason=OMNIBUS[omnibus].reason)]
    if OMNIBUS[omnibus].takes_ties:
        value = "uncorrected" if protocol else "tie-corrected"
        why_ties = "as the paper prints it" if protocol else "tied ranks shrink the variance of rank sums"
        found.append(Choice(parameter="ties", value=value, reason=why_ties))
    found.append(Choice(parameter="pairwise", value=pairwise, reason=why))
    found.append(Choice(parameter="posthoc", value=", ".join(wanted.methods), reason=wanted.reason))
    if scores.runs is not None:
        low, high = int(scores.n_runs.min()), int(scores.n_runs.max())
        runs = f"{low}" if low == high else f"{low} to {high}"
        found.append(
            Choice(parameter="runs", value="averaged", reason=f"{runs} runs per cell; problems are the sample")
        )
    return tuple(found)


def _steps(result: Comparison, protocol: recipes.Recipe, control: int | None) -> tuple[Step, ...]:
    different = tuple(f"{p.a} – {p.b}" for p in result.pairs if p.verdict in ("a better", "b better"))
    context = recipes.Context(
        scores=result.scores,
        alpha=result.alpha,
        control=control,
        omnibus=result.omnibus,
        companion=result.companion,
        primary=result.primary,
        posthoc=result.posthoc,
        different=different,
        n_pairs=len(result.pairs),
    )
    steps = protocol.steps_pairs if control is None else protocol.steps_control
    return tuple(step(context) for step in steps)
