"""From arrays to the records of a result."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes
from bakeoff.scores.pair_family import shown_better
from bakeoff.wings.curves.runtimes.statistics.order import TieTolerance, mean_ranks, pair_orders, run_points
from bakeoff.wings.curves.runtimes.statistics.penalties import Penalised, column_mean, penalised_pairs
from bakeoff.wings.curves.runtimes.statistics.results import Portfolio, SolverPair, SolverSummary, Verdict
from bakeoff.wings.curves.runtimes.statistics.times import RunTimes


def summaries(
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
    made = []
    for j, name in enumerate(names):
        made.append(
            SolverSummary(
                algorithm=name,
                solved=column_mean(shares[:, j]) * len(shares)
                if runs.times.shape[2] > 1
                else float(shares[:, j].sum()),
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


def solver_pairs(
    runs: RunTimes,
    names: Sequence[str],
    family: Sequence[tuple[int, int]],
    penalised: Penalised,
    codes: Codes,
    alpha: float,
    undone: Sequence[bool],
    equal: TieTolerance | None,
    over_runs: bool,
) -> tuple[SolverPair, ...]:
    """Holm over the pairs, for the order and for each penalty by itself. ``undone``: pairs without evidence."""
    orders = pair_orders(runs, family, codes, equal, over_runs)
    order_adjusted = adjust(np.array([order.pvalue for order in orders]), "holm")
    at = {k: penalised_pairs(penalised, k, family, codes) for k in penalised.cells}
    intervals = {k: penalised.pair_intervals(k, family) for k in penalised.cells}
    ratios = penalised.sgm_ratios(family)
    adjusted = {k: adjust(np.array([pair.pvalue for pair in pairs]), "holm") for k, pairs in at.items()}
    made = []
    for i, ((a, b), order) in enumerate(zip(family, orders, strict=True)):
        lead = order.direction
        ratio, interval = ratios[i]
        own = {k: pairs[i] for k, pairs in at.items()}
        reachable = order.least * len(family) <= alpha
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
                wins=order.wins,
                losses=order.losses,
                ties=order.ties,
                lead=order.lead,
                units_won=order.units[0],
                units_lost=order.units[1],
                logrank=order.logrank,
                logrank_pvalue=order.logrank_pvalue,
                pvalue=order.pvalue,
                adjusted=float(order_adjusted[i]),
                verdict=verdict,
                only_a=order.only_a,
                only_b=order.only_b,
                solved_pvalue=order.solved_pvalue,
                mcnemar=None if over_runs else order.solved_pvalue,
                par_differences={k: pair.difference for k, pair in own.items()},
                par_intervals={k: intervals[k][i] for k in own},
                par_pvalues={k: pair.pvalue for k, pair in own.items()},
                par_adjusted={k: float(adjusted[k][i]) for k in own},
                par_verdicts=by_penalty,
                wilcoxon_pvalues={k: pair.wilcoxon for k, pair in own.items() if pair.wilcoxon is not None},
                sgm_ratio=ratio,
                sgm_interval=interval,
            )
        )
    return tuple(made)


def portfolio(runs: RunTimes, names: Sequence[str], penalised: Penalised) -> Portfolio:
    """The virtual best and, at each penalty, the single best (the first of equal ones)."""
    means: dict[float, Array] = {k: cells.mean(axis=0) for k, cells in penalised.cells.items()}
    best = {k: int(np.argmin(values)) for k, values in means.items()}
    return Portfolio(
        solved=float(runs.shares.max(axis=1).sum()),
        par={k: column_mean(cells.min(axis=1)) for k, cells in penalised.cells.items()},
        single_best={k: names[j] for k, j in best.items()},
        single_best_par={k: column_mean(penalised.cells[k][:, j]) for k, j in best.items()},
    )
