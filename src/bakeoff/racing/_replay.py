"""Race over a finished table, problem by problem: what would a race have decided, and what would it have saved?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, did_you_mean
from bakeoff.errors import Caution, ParameterError, ScoreError, UnknownNameError, WrongTypeError, counted
from bakeoff.racing.record import RaceRecord
from bakeoff.racing.results import RaceResult, Stopped
from bakeoff.racing.rule import Rule, whole
from bakeoff.racing.rules.registry import METRIC_RULES, RULES, make_rule, options_of, refuse_settled
from bakeoff.randomness import DEFAULT_SEED, generator
from bakeoff.ranks import tie_tolerance
from bakeoff.ranks.ties import tie_groups
from bakeoff.scores import Array, Scores, check_scores

MOST_BLOCK = 1_000_000
AS_GIVEN = "as given"


def replay(
    scores: Scores | Mapping[str, Scores],
    method: str = "e-sign",
    alpha: float = 0.05,
    *,
    order: str | int | np.random.Generator | None = None,
    block: int = 5,
    budget: float | None = None,
    problem_costs: Mapping[str, float] | None = None,
    **options: Any,
) -> RaceResult:
    """Which algorithms would a race have kept, had it bought these scores problem by problem, and what had it saved?

    Use it to study how early a benchmark could have stopped, or to race over scores that cost nothing. To make the
    runs while racing use ``bo.race``. Not to test for differences in a finished table: ``bo.compare`` uses all of it.

    Parameters
    ----------
    scores : Scores, or mapping of str to Scores
        (n_problems, n_algorithms): the algorithms are the candidates. A mapping holds a table for each of several
        metrics: who is dominated by nobody?
    method : str
        "e-sign" (default) or "e-rank": a best one is ever removed with probability at most alpha, however often one
        looks. The others promise nothing when they look again and again, as they do, and carry a caution with their
        measured error: "f-race-sign", "f-race-mean-ranks", "irace", "wilcoxon", "bayes". "sequential-halving" spends
        a given budget and claims nothing.
    alpha : float
        The error allowed: the chance that a given best one is ever removed.
    order : {None, "given"}, int or numpy.random.Generator
        None: problems are drawn at random with a fixed seed, whatever the order of rows; "given": as the rows are,
        with a caution, since the promise needs an order that has nothing to do with who is better; a seed or
        Generator: drawn with it.
    block : int
        Problems between two decisions.
    budget : float, optional
        No block that would take the cost beyond this is begun. In evaluations, or in the unit of ``problem_costs``.
    problem_costs : mapping of str to float, optional
        What one evaluation on a problem costs; 1 where not named. It is accounted for and changes no decision but the
        end by budget.
    **options
        Of the method. e-sign and e-rank: ``strict=True`` protects all tied bests at once. e-sign: ``equivalence=0.05``
        also removes, with that error of its own, one of two that beat each other equally often to within
        ``margin=0.05``; that takes over 1000 problems. With several metrics, ``weak=True``: better in one metric and
        not worse by more than ``margin`` in the others is enough. f-race-sign, f-race-mean-ranks, irace: ``gate``
        (Friedman's test first). bayes: ``gate`` ("skip", "wait", "none"), ``guard`` (against certainty from a few
        problems), ``indistinguishable`` and ``margin``, ``prior_strength``, ``n_draws``, ``rng``.

    Returns
    -------
    RaceResult
        ``.survivors``, ``.best``, ``.eliminated`` (when, by whom, with which evidence), ``.equivalents``,
        ``.evaluations`` against ``.full_evaluations``, ``.saved``, ``.guarantee`` in words, ``.paths`` (the evidence
        after every block), ``.cautions``.

    Raises
    ------
    ParameterError
        A block below 1, a budget that does not pay for the first block, an option the method does not have.
    InfiniteScoreError
        An infinite score where the method takes differences; e-sign and e-rank order them.

    Notes
    -----
    After every block the rule sees which of those left was better on which problem, and nothing of later problems.
    Ties count for neither; means over runs tie within 16 units in the last place. An infinitely bad score (a failed
    run) loses against all others and ties with its like. The promise is about the problems the table is drawn from:
    "a best" is one that no other beats more often than it is beaten (e-sign), or with the lowest expected rank among
    those still racing (e-rank). The candidate with the lowest mean rank among the survivors is ``.best``. Of candidates
    that are level, the earlier column leads.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[1, 2]] * 10, algorithms=["new", "old"], better="lower")
    >>> result = bo.race.replay(s, block=1)
    >>> [(leaver.algorithm, leaver.n_problems) for leaver in result.eliminated]
    [('old', 8)]
    >>> round(result.eliminated[0].evidence, 1)  # 8 wins in 8: E(8)/2 + E(8)/E(1)/2 with E(8) = 33.96, E(1) = 1.305
    30.0
    >>> result.evaluations, result.full_evaluations
    (16, 20)
    """
    limit = check_budget(budget)
    refuse_settled(options)
    first, tables, method, options = _tables(scores, method, options)
    if "budget" in options_of(method):  # it is spent by the rule's own plan
        given = {} if limit is None else {"budget": limit}
        options = {"n_problems": first.n_problems, **given, **options}
        limit = None
    rule = make_rule(method, first.n_algorithms, alpha, **options)
    if rule.takes_differences:
        first.require_finite(f"the racing rule {method!r}")
    rows, words = problem_sequence(first, order)
    names = [first.problems[i] for i in rows.tolist()]
    record = RaceRecord(rule, first.algorithms, problem_costs=checked_prices(problem_costs, first.problems))
    stopped = _run(record, tables[rows], names, whole("block", block, 1, MOST_BLOCK), limit)
    return record.result(
        stopped=stopped,
        available=names,
        block=block,
        order=words,
        budget=check_budget(budget),
        n_dropped=len(first.dropped),
        cautions=(*not_at_random(rule, words), *undecided(rule, record, budget)),
    )


def _tables(
    scores: Scores | Mapping[str, Scores], method: str, options: dict[str, Any]
) -> tuple[Scores, Array, str, dict[str, Any]]:
    """The names of the table, its costs, and the rule; of several metrics, in layers, the rule is e-dominance."""
    if not isinstance(scores, Mapping):
        scores = check_scores(scores)
        choice("method", method, RULES)
        return scores, tied_costs(scores), method, options
    if method not in ("e-sign", *METRIC_RULES):
        raise ParameterError(f"method: with several metrics there is 'e-sign' (as 'e-dominance') only; got {method!r}")
    if "n_metrics" in options:
        raise ParameterError("n_metrics is the number of tables in scores and cannot be given")
    if not scores:
        raise ParameterError("scores: a race with several metrics needs at least one metric; the mapping is empty")
    metrics = [check_scores(table) for table in scores.values()]
    first = metrics[0]
    layers = []
    for metric, table in zip(scores, metrics, strict=True):
        same = set(table.algorithms) == set(first.algorithms) and set(table.problems) == set(first.problems)
        if not same:
            raise ScoreError(
                f"scores: every metric must have the same algorithms and problems; {metric!r} differs from "
                f"{next(iter(scores))!r}"
            )
        layers.append(tied_costs(table.select(first.algorithms, first.problems)))
    return first, np.stack(layers, axis=2), "e-dominance", {**options, "n_metrics": len(layers)}


def _run(record: RaceRecord, table: Array, names: list[str], block: int, budget: float | None) -> Stopped:
    done = 0
    while True:
        size, stopped = next_block(record, names[done:], block, budget)
        if stopped is not None:
            return stopped
        rows = slice(done, done + size)
        record.observe(names[rows], table[rows][:, record.rule.alive])
        done += size


def next_block(record: RaceRecord, waiting: list[str], block: int, budget: float | None) -> tuple[int, Stopped | None]:
    """How many of the problems still waiting are run next, or why the race ends."""
    rule = record.rule
    if len(rule.alive) == 1:
        return 0, "one left"
    size = min(rule.wanted(block), len(waiting))
    if rule.wanted(block) == 0:
        return 0, "rule"
    if size == 0:
        return 0, "no problems left"
    price = math.fsum(record.price(problem) for problem in waiting[:size]) * len(rule.alive)
    if budget is not None and record.cost + price > budget * (1.0 + 1e-12):
        if not record.problems:
            raise ParameterError(
                f"budget must pay for the first block, {counted(size, 'problem')} for {len(rule.alive)} candidates at "
                f"a cost of {price:g}; got {budget:g}. Give more, or make the block smaller."
            )
        return 0, "budget"
    return size, None


def problem_sequence(scores: Scores, order: object) -> tuple[npt.NDArray[np.intp], str]:
    """Rows in the order they are raced on, and that order in words. Drawn from the names: rows may be in any order."""
    n = scores.n_problems
    if isinstance(order, str) and order == "given":
        return np.arange(n, dtype=np.intp), AS_GIVEN
    seed = isinstance(order, int | np.integer) and not isinstance(order, bool) and order >= 0
    if not (order is None or seed or isinstance(order, np.random.Generator)):
        raise ParameterError(
            f"order must be None, 'given', a seed (a whole number from 0 on) or a Generator; got {order!r}"
        )
    by_name = np.array(sorted(range(n), key=scores.problems.__getitem__), dtype=np.intp)
    rows = by_name[generator(order).permutation(n)]
    if isinstance(order, np.random.Generator):
        return rows, "drawn at random with the given Generator"
    return rows, f"drawn at random with seed {DEFAULT_SEED if order is None else order}"


def tied_costs(scores: Scores) -> Array:
    """(n, k) costs in which means over runs that tie within the tolerance are equal: the lowest of the group."""
    costs = np.array(scores.costs)
    if scores.runs is None:
        return costs
    scales = scores.scales
    ordered = np.sort(costs, axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = ordered[:, 1:] - ordered[:, :-1]
    near = (gap > 0) & (gap <= tie_tolerance(scales).max(axis=1, keepdims=True))
    for i in np.flatnonzero(near.any(axis=1)).tolist():
        group = tie_groups(costs[i], scales[i])
        lowest = np.full(int(group.max()) + 1, np.inf)
        np.minimum.at(lowest, group, costs[i])
        costs[i] = lowest[group]
    return costs


def check_budget(budget: object) -> float | None:
    if budget is None:
        return None
    if isinstance(budget, bool) or not isinstance(budget, int | float | np.integer | np.floating):
        raise WrongTypeError(f"budget must be a number, the largest cost of the race, or None; got {budget!r}")
    if not (math.isfinite(budget) and budget > 0):
        raise ParameterError(f"budget must be a finite number above 0; got {budget!r}")
    return float(budget)


def checked_prices(problem_costs: Mapping[str, float] | None, problems: tuple[str, ...]) -> dict[str, float]:
    if problem_costs is None:
        return {}
    if not isinstance(problem_costs, Mapping):
        raise WrongTypeError(f"problem_costs must map names of problems to costs; got {problem_costs!r}")
    for name, price in problem_costs.items():
        if name not in problems:
            raise UnknownNameError(f"problem_costs: no problem is called {name!r}{did_you_mean(name, problems)}")
        if isinstance(price, bool) or not isinstance(price, int | float | np.integer | np.floating):
            raise WrongTypeError(f"problem_costs: the cost of {name!r} must be a number; got {price!r}")
        if not (math.isfinite(price) and price > 0):
            raise ParameterError(f"problem_costs: the cost of {name!r} must be finite and above 0; got {price!r}")
    return {name: float(price) for name, price in problem_costs.items()}


def not_at_random(rule: Rule, order: str) -> tuple[Caution, ...]:
    """A promise is about problems on each of which a best candidate is one, whatever happened before."""
    if not rule.anytime or order != AS_GIVEN:
        return ()
    return (
        Caution(
            code="given-order",
            text="Problems were raced on in the order given. The guarantee holds if that order has nothing to do with "
            "who is better: a best candidate that starts with the problems it is bad at may be removed. A random order "
            "needs no such assumption.",
            reference="",
        ),
    )


def undecided(rule: Rule, record: RaceRecord, budget: float | None) -> tuple[Caution, ...]:
    """What the table itself cannot show."""
    if not record.problems or len(rule.alive) < 2 or not rule.anytime:
        return ()
    return (
        Caution(
            code="not-decided",
            text=f"{counted(len(rule.alive), 'candidate')} are left: the evidence removes none of them. The best one "
            "by mean rank is named, without a claim that it beats the others.",
            reference="",
        ),
    )
