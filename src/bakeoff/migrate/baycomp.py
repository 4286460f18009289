"""baycomp's shortcuts: ``from bakeoff.migrate import baycomp``."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.bayes import correlated_t, hierarchical, signed_rank
from bakeoff.checks import flag, whole
from bakeoff.errors import Caution, ParameterError
from bakeoff.figures import diagram
from bakeoff.migrate.delivery import warn
from bakeoff.migrate.rank_diagram import figure_of
from bakeoff.migrate.refused import REFUSED, refusing
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import as_floats

PRIOR_STRENGTH = 0.5  # of baycomp's signed-rank test: one pseudo-observation with half a weight
DRAWS = 50_000


def __getattr__(name: str) -> object:
    if name in REFUSED:
        return refusing(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def two_on_single(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    rope: float = 0,
    runs: int = 1,
    *,
    names: tuple[str, str] | None = None,
    plot: bool = False,
) -> tuple[float, ...]:
    """How probable is it that x is better than y on one data set? The correlated t-test, with baycomp's arguments.

    The numbers are baycomp's.

    Parameters
    ----------
    x, y : array
        Scores of cross-validation, higher is better; the same folds for both.
    rope : float
        Half the width of the region of practical equivalence.
    runs : int
        Repetitions of cross-validation; ρ is ``runs`` over the number of scores.
    names, plot
        For baycomp's histogram, which is not drawn: ``plot`` must be False.

    Returns
    -------
    tuple
        (p_left, p_rope, p_right), left: x better; without a rope (p_left, p_right).

    Examples
    --------
    >>> from bakeoff.migrate import two_on_single
    >>> p = two_on_single([0.84, 0.86, 0.83, 0.88, 0.85], [0.81, 0.84, 0.84, 0.85, 0.83], rope=0.01)
    >>> [round(x, 4) for x in p]  # baycomp 1.0.3
    [0.7459, 0.2221, 0.032]
    """
    if flag("plot", plot):
        rule = (
            "must be False: the posterior is a Student distribution, .estimate, .scale and .df of bo.bayes.correlated_t"
        )
        raise ParameterError(rule, parameter="plot")
    first, second = _pair(x, y, 1)
    repeated = whole("runs", runs, 1)
    if len(first) % repeated or len(first) == repeated:
        rule = f"must divide the number of scores, {len(first)}, into folds; got {runs!r}"
        raise ParameterError(rule, parameter="runs")
    posterior = correlated_t(_table(first, second), 0, 1, float(rope), folds=len(first) // repeated)
    left, within, right = _shares(
        posterior, (c for c in posterior.cautions if c.code != "rows-as-resamples")
    )  # asked for
    return (left, within, right) if rope else (left, right)


def two_on_multiple(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    rope: float = 0,
    *,
    runs: int = 1,
    names: tuple[str, str] | None = None,
    plot: bool = False,
    prior: float = PRIOR_STRENGTH,
    nsamples: int = DRAWS,
    random_state: int | None = None,
) -> Any:
    """How probable is it that x is better than y on the next data set? With baycomp's arguments.

    Vectors: the signed-rank test. Probabilities are baycomp's within Monte Carlo error; differences of 0, or on the
    edge of the rope, are not decided by rounding. Tables: the hierarchical model, without Stan.

    Parameters
    ----------
    x, y : array
        Scores, higher is better: one per data set, or (data sets, scores of cross-validation).
    rope : float
        Half the width of the region of practical equivalence.
    runs : int
        Of tables: repetitions of cross-validation.
    names : tuple of str, optional
        For the plot.
    plot : bool
        Also return a figure; of vectors only.
    prior : float
        Of vectors: weight of the pseudo-observation at a difference of 0.
    nsamples, random_state : int
        Posterior draws, of vectors, at least 100; seed.

    Returns
    -------
    tuple
        (p_left, p_rope, p_right), left: x better; without a rope p_rope is 0. With ``plot`` that and a figure.

    Examples
    --------
    >>> from bakeoff.migrate import two_on_multiple
    >>> x, y = [0.91, 0.84, 0.78, 0.95, 0.88, 0.69], [0.88, 0.83, 0.79, 0.91, 0.83, 0.63]
    >>> p = two_on_multiple(x, y, rope=0.01, random_state=1)  # baycomp 1.0.3: 0.93 0.07 0.00
    >>> [round(x, 1) for x in p]
    [0.9, 0.1, 0.0]
    """
    draws = whole("nsamples", int(nsamples) if isinstance(nsamples, float) and nsamples % 1 == 0 else nsamples, 100)
    if as_floats(x).ndim == 2:
        return _two_tables(x, y, rope, runs, plot, random_state)
    first, second = _pair(x, y, 1)
    table = _table(first, second, names)
    posterior = signed_rank(table, 0, 1, prior_strength=prior, rope=float(rope), n_draws=draws, rng=random_state)
    shares = _shares(posterior, posterior.cautions)
    return (shares, figure_of(diagram(posterior), 5.0)[0]) if flag("plot", plot) else shares


def _two_tables(
    x: npt.ArrayLike, y: npt.ArrayLike, rope: float, runs: int, plot: bool, random_state: int | None
) -> tuple[float, ...]:
    if flag("plot", plot):
        raise ParameterError("must be False for tables: the hierarchical posterior has no diagram", parameter="plot")
    first, second = _pair(x, y, 2)
    repeated = whole("runs", runs, 1)
    if first.shape[1] % repeated or first.shape[1] == repeated:
        rule = f"must divide the number of scores of a data set, {first.shape[1]}, into folds; got {runs!r}"
        raise ParameterError(rule, parameter="runs")
    scores = Scores(np.stack([first, second], axis=1), ["x", "y"], better="higher")
    posterior = hierarchical(scores, 0, 1, float(rope), folds=first.shape[1] // repeated, rng=random_state)
    return _shares(posterior, posterior.cautions)


def _pair(x: npt.ArrayLike, y: npt.ArrayLike, dimensions: int) -> tuple[Array, Array]:
    first, second = as_floats(x), as_floats(y)
    if first.ndim != dimensions or first.shape != second.shape:
        what = "vectors" if dimensions == 1 else "tables"
        rule = f"must be two {what} of one shape; got {first.shape} and {second.shape}"
        raise ParameterError(rule, parameter="x, y")
    return first, second


def _table(first: Array, second: Array, names: tuple[str, str] | None = None) -> Scores:
    return Scores(np.column_stack([first, second]), list(names or ("x", "y")), better="higher")


def _shares(posterior: Any, cautions: Iterable[Caution]) -> tuple[float, float, float]:
    warn(cautions)
    return posterior.p_better, posterior.p_equivalent, posterior.p_worse
