"""Folds of one data set: the correlated t-test of every pair of algorithms."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from bakeoff.cautions import caution_of
from bakeoff.checks import probability
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import Caution, ScoreError
from bakeoff.means.folds import fold_cautions
from bakeoff.ranks.cautions import without_repetition
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.pair_family import WithPairs, family_of
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.takes_table import takes_table
from bakeoff.wings.bayes._correlated_t import CorrelatedTPosterior, correlated_t
from bakeoff.wings.bayes.dirichlet.weights import check_rope


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FoldsPosterior(WithPairs[CorrelatedTPosterior], Reportable):
    """The result of :func:`bakeoff.bayes.folds`."""

    kind: ClassVar[str] = "bayes-folds"

    scores: Scores
    control: str | None
    rope: float
    gamma: float
    correlation: float  # of two folds: the share of the data in a test set
    n_folds: int  # over all repeats
    pairs: tuple[CorrelatedTPosterior, ...]  # with a control: those of the control
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()  # of ``cautions`` those that follow not from the table, but from its source
    request: Mapping[str, Any] = field(default_factory=dict)  # the arguments as given: folds(scores, **request)

    @property
    def decision(self) -> str:
        """For scripts: "difference" of at least one pair, "equal" of all, or "none"."""
        verdicts = {pair.verdict for pair in self.pairs}
        if verdicts & {"a better", "b better"}:
            return "difference"
        return "equal" if verdicts == {"equivalent"} else "none"


@takes_table
def folds(
    scores: Scores,
    control: str | int | None = None,
    rope: float = 0.0,
    gamma: float = 0.05,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> FoldsPosterior:
    """How probable is it that one algorithm is better on *one* data set, given the scores of a cross-validation?

    Use it for the folds of one data set, repeated or not, of two algorithms or more: it is ``bo.bayes.correlated_t`` of
    each pair. For several data sets use ``bo.bayes.overview`` (their means) or ``bo.bayes.hierarchical`` (their runs).

    Parameters
    ----------
    scores : Scores
        One data set whose runs are folds: ``bo.read_scores(…, folds=…)``, or ``bo.Scores(…, folds=0.1)``.
    control : str or int, optional
        Show only pairs with this algorithm.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the scores.
    gamma : float
        A verdict needs a probability above 1 − gamma, of each pair by itself; intervals contain 1 − gamma.
    progress : callable, optional
        Called with (pairs done, pairs in all).

    Returns
    -------
    FoldsPosterior
        ``.pairs``, each with ``.p_better``, ``.p_equivalent``, ``.p_worse`` (of a), ``.estimate``, ``.interval`` and
        ``.verdict``; ``.pair(a, b)`` finds one.

    Raises
    ------
    ParameterError, ScoreError, UnknownNameError
        Scores that are not the folds of one data set, or of which one is missing; an unknown control.

    Notes
    -----
    The posterior of the mean difference is Student's t with J − 1 degrees of freedom over J folds, about d̄ with the
    squared scale (1/J + ρ/(1 − ρ))·s², and ρ = n_test/(n_test + n_train): Corani & Benavoli (2015). With repeats too, J
    counts every fold, as published; a caution says how often ten folds, repeated, then err.

    Examples
    --------
    >>> import bakeoff as bo
    >>> new, old = [0.84, 0.86, 0.83, 0.88, 0.85], [0.81, 0.84, 0.84, 0.85, 0.83]  # five-fold cross-validation
    >>> found = bo.bayes.folds(bo.Scores([[new, old]], ["new", "old"], better="higher", folds=0.2), rope=0.01)
    >>> # R 4.2.2: d <- c(.03,.02,-.01,.03,.02); s <- sqrt((1/5+.2/.8)*var(d)); pt((mean(d)-.01)/s, 4)
    >>> round(found.pairs[0].p_better, 4), found.pairs[0].verdict
    (0.7459, 'undecided')
    """
    scores = check_scores(scores)
    if not scores.is_one_data_set:
        rule = "must be the folds of one data set: name their column with folds=. For several data sets, or runs with "
        rule += "seeds, use bo.bayes.overview"
        raise ScoreError(rule, parameter="scores")
    assert scores.folds is not None
    column = None if control is None else scores.index(control, "control")
    width, level = check_rope(rope), probability("gamma", gamma)
    family = family_of(scores.n_algorithms, column)
    pairs = []
    for i, j in family:
        pairs.append(correlated_t(scores, i, j, width, gamma=level))
        if progress is not None:
            progress(len(pairs), len(family))
    n_folds, listed = int(scores.n_runs.max()), [*source_cautions(scores)]
    if fold_cautions(n_folds, scores.folds):
        listed.append(caution_of("dependence", "folds-posterior"))
    listed += [caution for pair in pairs for caution in pair.cautions]
    return FoldsPosterior(
        scores=scores,
        control=None if column is None else scores.algorithms[column],
        rope=width,
        gamma=level,
        correlation=scores.folds,
        n_folds=n_folds,
        pairs=tuple(pairs),
        cautions=without_repetition(listed),
        request={"control": control, "rope": rope, "gamma": gamma},
    )
