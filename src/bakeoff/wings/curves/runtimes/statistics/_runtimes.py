"""runtimes(): which algorithm is faster, where some runs were stopped before they had a solution."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.checks import FEWER_RESAMPLES, choice, draw_count, number, probability
from bakeoff.errors import ParameterError
from bakeoff.means.run_means import CLAIMS, Over, refuse_single_runs
from bakeoff.means.strata import drawn_units
from bakeoff.randomness import generator, integer_seed
from bakeoff.ranks.cautions import without_evidence
from bakeoff.ranks.problem_order import nested_order
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.clusters import Codes, cluster_codes, codes_of, refuse_one_cluster
from bakeoff.scores.pair_family import family_of, shown_better
from bakeoff.takes_table import takes_table
from bakeoff.wings.curves.even_runs import are_even
from bakeoff.wings.curves.runtimes.statistics.cautions import runtime_cautions
from bakeoff.wings.curves.runtimes.statistics.order import (
    PairOrder,
    TieTolerance,
    mean_ranks,
    pair_orders,
    points_of,
    points_text,
    run_points,
    tolerance_of,
)
from bakeoff.wings.curves.runtimes.statistics.penalties import (
    Penalised,
    PenalisedPair,
    brackets,
    column_mean,
    penalised,
    penalised_pairs,
)
from bakeoff.wings.curves.runtimes.statistics.resampling import solved_curves
from bakeoff.wings.curves.runtimes.statistics.results import (
    Interval,
    Portfolio,
    Runtimes,
    SolverPair,
    SolverSummary,
    Unit,
    Verdict,
)
from bakeoff.wings.curves.runtimes.statistics.times import Cap, RunTimes, run_times


def _summaries(
    runs: RunTimes,
    names: Sequence[str],
    penalised: Penalised,
    equal: TieTolerance | None,
    points: Mapping[str, float] | None,
) -> tuple[SolverSummary, ...]:
    """One per algorithm, in column order."""
    shares, ranks = runs.shares, mean_ranks(runs, equal)
    alone = (shares > 0) & ((shares > 0).sum(axis=1) == 1)[:, None]
    intervals = {k: penalised.par_intervals(k) for k in penalised.cells}
    of_sgm = penalised.sgm_intervals()
    totals = None if points is None else run_points(runs, points)
    several = runs.times.shape[2] > 1
    made = []
    for j, name in enumerate(names):
        made.append(
            SolverSummary(
                algorithm=name,
                solved=column_mean(shares[:, j]) * len(shares) if several else float(shares[:, j].sum()),
                runs=int(runs.n_runs[:, j].sum()),
                ends=dict(sorted(Counter(word for word in runs.ends[:, j].ravel().tolist() if word).items())),
                only=int(alone[:, j].sum()),
                points=None if totals is None else math.fsum(totals[:, j].ravel().tolist()),
                mean_rank=float(ranks[j]),
                par={k: column_mean(cells[:, j]) for k, cells in penalised.cells.items()},
                par_intervals={k: own[j] for k, own in intervals.items()},
                sgm=penalised.sgm(j),
                sgm_interval=None if of_sgm is None else of_sgm[j],
            )
        )
    return tuple(made)


class Compared(NamedTuple):
    """What is known of one pair, before Holm."""

    order: PairOrder
    at: dict[float, PenalisedPair]  # by penalty
    intervals: dict[float, Interval | None]
    ratio: tuple[float | None, Interval | None]


def _compared(
    runs: RunTimes,
    family: Sequence[tuple[int, int]],
    penalised: Penalised,
    codes: Codes,
    equal: TieTolerance | None,
    over_runs: bool,
) -> list[Compared]:
    """One per pair, from all runs."""
    orders = pair_orders(runs, family, codes, equal, over_runs)
    at = {k: penalised_pairs(penalised, k, family, codes) for k in penalised.cells}
    intervals = {k: penalised.pair_intervals(k, family) for k in penalised.cells}
    ratios = penalised.sgm_ratios(family)
    return [
        Compared(order, {k: own[i] for k, own in at.items()}, {k: own[i] for k, own in intervals.items()}, ratios[i])
        for i, order in enumerate(orders)
    ]


def _solver_pairs(
    runs: RunTimes,
    names: Sequence[str],
    family: Sequence[tuple[int, int]],
    penalise: Callable[[RunTimes], Penalised],
    codes: Codes,
    alpha: float,
    undone: Sequence[bool],
    equal: TieTolerance | None,
    over_runs: bool,
    seed: int | None,
) -> tuple[SolverPair, ...]:
    """Holm over the pairs, for the order and for each penalty by itself. ``undone``: pairs without evidence; ``seed``:
    with which runs are drawn of pairs that have not as many of each."""
    drawn = [not over_runs and not are_even(runs.times[:, pair]) for pair in map(list, family)]
    even = [pair for pair, uneven in zip(family, drawn, strict=True) if not uneven]
    known = iter(_compared(runs, even, penalise(runs), codes, equal, over_runs) if even else ())
    compared: list[Compared] = []
    for pair, uneven in zip(family, drawn, strict=True):
        if uneven:
            of_two = runs.evened(list(pair), names, codes, seed)
            compared += _compared(of_two, [(0, 1)], penalise(of_two), codes, equal, False)
        else:
            compared.append(next(known))
    order_adjusted = adjust(np.array([each.order.pvalue for each in compared]), "holm")
    adjusted = {k: adjust(np.array([each.at[k].pvalue for each in compared]), "holm") for k in compared[0].at}
    made = []
    for i, ((a, b), (order, own, intervals, ratio)) in enumerate(zip(family, compared, strict=True)):
        fields = order._asdict()
        lead, least = fields.pop("direction"), fields.pop("least")
        reachable = least * len(family) <= alpha
        verdict: Verdict = shown_better(float(order_adjusted[i]) <= alpha, lead) if reachable else "cannot tell"
        by_penalty: dict[float, Verdict] = {
            k: shown_better(float(adjusted[k][i]) <= alpha, pair.difference) for k, pair in own.items()
        }
        if undone[i]:
            verdict, by_penalty = "cannot tell", dict.fromkeys(own, "cannot tell")
        made.append(
            SolverPair(
                a=names[a],
                b=names[b],
                **fields,
                adjusted=float(order_adjusted[i]),
                verdict=verdict,
                mcnemar=None if over_runs else order.solved_pvalue,
                par_differences={k: pair.difference for k, pair in own.items()},
                par_intervals=intervals,
                par_pvalues={k: pair.pvalue for k, pair in own.items()},
                par_adjusted={k: float(adjusted[k][i]) for k in own},
                par_verdicts=by_penalty,
                wilcoxon_pvalues={k: pair.wilcoxon for k, pair in own.items() if pair.wilcoxon is not None},
                sgm_ratio=ratio[0],
                sgm_interval=ratio[1],
            )
        )
    return tuple(made)


def _portfolio(runs: RunTimes, names: Sequence[str], penalised: Penalised) -> Portfolio:
    """The virtual best and, at each penalty, the single best (the first of equal ones)."""
    means: dict[float, Array] = {k: cells.mean(axis=0) for k, cells in penalised.cells.items()}
    best = {k: int(np.argmin(values)) for k, values in means.items()}
    return Portfolio(
        solved=float(runs.shares.max(axis=1).sum()),
        par={k: column_mean(cells.min(axis=1)) for k, cells in penalised.cells.items()},
        single_best={k: names[j] for k, j in best.items()},
        single_best_par={k: column_mean(penalised.cells[k][:, j]) for k, j in best.items()},
    )


@takes_table
def runtimes(
    scores: Scores,
    cap: Cap = None,
    k: float | Sequence[float] = (1, 2, 10),
    shift: float = 10.0,
    rng: int | np.random.Generator | None = None,
    *,
    control: str | int | None = None,
    alpha: float = 0.05,
    n_resamples: int = FEWER_RESAMPLES["runtimes"],
    ties: float | str | None = None,
    over: Over = "problems",
    points: Mapping[str, float] | str | None = None,
) -> Runtimes:
    """Which algorithm is faster, where some runs were stopped at a time limit, and does the answer need a penalty?

    Use it for times to a solution (SAT, MIP, evaluations to a target). Not for qualities at a budget: ``bo.compare``.

    Parameters
    ----------
    scores : Scores
        Times (n_problems, n_algorithms), or with runs as a third axis; lower is better. Runs whose ``status`` is not
        "ok" are unsolved (read with ``missing="keep"``), infinite ones too; ``clusters`` are respected.
    cap : float, sequence, mapping, optional
        The time limit of all problems, or of each. Without a status, a time of at least the cap is a timeout; with one,
        a longer time is. Without a cap there are order and counts, and penalised means only if all is solved.
    k : float or sequence
        Penalties, at least 1: PARk counts an unsolved run as k caps.
    shift : float
        The s of the shifted geometric mean exp(mean log(t + s)) − s, unsolved runs at their cap.
    rng : int or Generator, optional
        Seed or Generator of the resamples; seed 0 if absent.
    n_resamples : int
        Resamples of the problems (clusters), shared by all algorithms.
    control : str or int, optional
        Compare it with each other algorithm; else all pairs.
    alpha : float
        Error rate of each family of tests; default 0.05.
    ties : float or str, optional
        Two times of solved runs tie if they differ by at most this: 1 (in the unit of the times), or "5%" of the
        smaller one. Of orders, mean ranks and verdicts only; a solved run still beats an unsolved one.
    over : {"problems", "runs", "both"}
        What else could have come out: other problems (their runs in them: "both"), or other runs of these problems.
    points : mapping or str, optional
        Points by status, as competitions of provers give them: {"ok": 2, "wrong": -32} or "ok=2,wrong=-32". They draw
        the score-based quantile plot; no test counts them.

    Returns
    -------
    Runtimes
        ``.par`` {penalty: (k,)}, ``.sgm``, ``.solved``, ``.mean_ranks``, ``.pairs``, ``.portfolio``, ``.curves``,
        ``.brackets`` by hardness.

    Raises
    ------
    MissingScoreError, ScoreError, ParameterError
        A missing time without a status; a negative one; one cluster (over runs: a cell of one run); a wrong cap.

    Notes
    -----
    The verdict is that of the order: an exact sign test over the problems not tied (neither solved: tied), Holm over
    pairs. Beside it the log-rank test stratified by problem (of clusters or several runs, its robust form), PARk with
    paired t-tests, solved counts with McNemar's mid-p. A difference of PAR1 is one of restricted mean times. Of
    clusters, the sign of their sum counts. Over runs t-tests of the runs within problems: of the share of pairs of runs
    won (Brunner and Munzel 2000), PARk, solved runs. docs/guides/runtimes.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[3, 4], [12, 30], [99, 50], [99, 99], [8, 7], [5, 20]], ["A", "B"], better="lower")
    >>> found = bo.runtimes(s, cap=99)
    >>> pair = found.pairs[0]
    >>> (pair.wins, pair.losses, pair.ties), found.solved.tolist(), found.par[10].round(1).tolist()
    ((3, 2, 1), [4.0, 5.0], [334.7, 183.5])
    """
    scores = check_scores(scores, holes=True)
    column = None if control is None else scores.index(control, "control")
    penalties = _penalties(k)
    shift, alpha = number("shift", shift, least=0.0), probability("alpha", alpha)
    size = draw_count("n_resamples", n_resamples, max(100, math.ceil(2 / alpha)), 1_000_000)
    equal, seed = tolerance_of(ties), integer_seed(rng)
    over_runs = choice("over", over, tuple(CLAIMS)) == "runs"
    runs = run_times(scores, cap)
    awarded = points_of(points, runs)
    if over_runs:
        refuse_single_runs(scores, runs.n_runs, "over='problems'")
    else:
        refuse_one_cluster(scores)
    _refuse_extremes(runs, shift, penalties)
    caps = None if runs.caps is None else tuple(runs.caps.tolist())
    groups = np.arange(scores.n_problems) if over_runs else cluster_codes(scores)
    order = nested_order(runs.content(scores.algorithms), groups)  # of content: not that of rows
    runs, codes = runs.rows(order), codes_of(groups[order])
    units = int(runs.n_runs.sum(axis=0).min() if over_runs else codes.max() + 1)
    weights = None if over_runs else drawn_units(units, size, generator(seed))

    def penalise(runs: RunTimes) -> Penalised:
        return penalised(runs, penalties, shift, codes, weights, alpha)

    by_penalty = penalise(runs)
    family = family_of(scores.n_algorithms, column)
    undone = without_evidence(scores, family).tolist()
    pairs = _solver_pairs(runs, scores.algorithms, family, penalise, codes, alpha, undone, equal, over_runs, seed)
    unit: Unit = "run" if over_runs else "problem" if scores.clusters is None else "cluster"
    return Runtimes(
        scores=scores,
        cap=caps[0] if caps and len(set(caps)) == 1 else caps,
        k=penalties,
        shift=shift,
        ties=None if equal is None else equal.given,
        control=None if column is None else scores.algorithms[column],
        alpha=alpha,
        n_resamples=size,
        rng=seed,
        over=over,
        points=points_text(awarded),
        unit=unit,
        n_units=units,
        estimates=_summaries(runs, scores.algorithms, by_penalty, equal, awarded),
        pairs=pairs,
        portfolio=_portfolio(runs, scores.algorithms, by_penalty),
        curves=solved_curves(runs, scores.algorithms, codes, weights, alpha, size, seed),
        brackets=brackets(runs, scores.algorithms, by_penalty),
        cautions=runtime_cautions(scores, runs, pairs, penalties, codes, unit, units, alpha),
    )


def _penalties(k: float | Sequence[float]) -> tuple[float, ...]:
    values = [k] if np.ndim(k) == 0 else list(np.asarray(k).tolist())
    if not values:
        raise ParameterError("must hold a penalty or more, such as (1, 2, 10); got none", parameter="k")
    what = "numbers of at least 1: below, an unsolved run would count less than a solved one"
    return tuple(dict.fromkeys(number("k", x, least=1.0, what=what) for x in values))


def _refuse_extremes(runs: RunTimes, shift: float, penalties: tuple[float, ...]) -> None:
    if shift == 0 and (runs.times == 0).any():
        raise ParameterError("must be above 0 where a time is 0; got 0", parameter="shift")
    if runs.caps is not None and float(runs.caps.max()) > 1e150 / max(penalties):
        raise ParameterError("and k are too large: penalised times are beyond the range of a float", parameter="cap")
