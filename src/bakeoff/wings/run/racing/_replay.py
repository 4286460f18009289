"""Race over a finished table: what would a race have decided, and what would it have saved?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.analyses import by_kind
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, did_you_mean, integer, positive
from bakeoff.designed import refuse_features, weights_decide
from bakeoff.errors import Caution, ParameterError, ScoreError, UnknownNameError, WrongTypeError, counted
from bakeoff.randomness import DEFAULT_SEED, generator
from bakeoff.ranks import tie_tolerance
from bakeoff.ranks.cautions import looks_clustered
from bakeoff.ranks.ties import tie_groups
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.clusters import cluster_names
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.wings.run.racing.record import RaceRecord
from bakeoff.wings.run.racing.results import RaceResult, Stopped, estimand_of_race
from bakeoff.wings.run.racing.rules import METRIC_RULES, RULES
from bakeoff.wings.run.racing.rules.rule import Rule, for_problems, make_rule, refuse_grid

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
    late: Mapping[str, int] | None = None,
    **options: Any,
) -> RaceResult:
    """Which algorithms would a race over this finished table have kept, and what would it have saved?

    Use it to study how early a benchmark could have stopped. ``bo.race`` makes the runs while racing. Not a test for
    differences in a finished table: ``bo.compare`` uses all of it. Rules, options and guarantees: docs/trust/racing.md.

    Parameters
    ----------
    scores : Scores, or mapping of str to Scores
        (n_problems, n_algorithms), the algorithms being the candidates; or one table per metric. With clusters a whole
        cluster is one problem, and a candidate's evidence there the share of its problems won less that lost.
    method : str
        "e-sign" (default), "e-choose", "f-race-sign", "f-race-mean-ranks" or "bayes". Only the first two bound the
        probability that a given best candidate is eliminated;
        ``.guarantee`` says what "best" means.
    alpha : float
        That bound; for the other rules the nominal level of one look.
    order : {None, "given"}, int or numpy.random.Generator
        None: problems in random order, seed 0; "given": in row order, with a caution; or a seed or Generator.
    block : int
        Problems (clusters) between two decisions.
    budget : float, optional
        No block that would exceed it is started. In evaluations, or in the unit of ``problem_costs``.
    problem_costs : mapping of str to float, optional
        Cost of one evaluation on a problem; 1 if not named.
    late : mapping of str to int, optional
        Candidates that join after so many problems (clusters), or once a single one survives. For e-sign.
    **options
        Of the method, such as ``strict``, ``equivalence``, ``margin``, ``tolerance``, ``weak``, ``gate``, ``rng``.

    Returns
    -------
    RaceResult
        ``.survivors``, ``.best``, ``.eliminated``, ``.evaluations``, ``.saved``, ``.guarantee``, ``.cautions``.

    Raises
    ------
    ParameterError, InfiniteScoreError
        A value outside its rule; an infinite score where the method takes differences.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.race.replay(bo.Scores([[1, 2]] * 10, algorithms=["new", "old"], better="lower"), block=1)
    >>> [(e.algorithm, e.n_problems, round(e.evidence, 1)) for e in result.eliminated]  # E(6)/2 + E(6)/E(1)/2
    [('old', 6, 24.3)]
    """
    limit = check_budget(budget)
    refuse_grid(options)
    record_of_race = replace(by_kind()["race"], estimates="ranks of clusters")
    for table in scores.values() if isinstance(scores, Mapping) else (scores,):
        refuse_features(check_scores(table), record_of_race)
    first, tables, method, options = _tables(scores, method, options)
    joins = late_joins(late, first)
    if joins:
        columns = [i for i, name in enumerate(first.algorithms) if name not in joins] + list(map(first.index, joins))
        first, tables = first.select(columns), tables[:, columns]
    clusters = shared_clusters(first.problems, first.clusters)
    options = for_problems(method, len(cluster_names(first))) | options
    starting = first.algorithms[: first.n_algorithms - len(joins)]
    rule = make_rule(method, len(starting), alpha, **options)
    if joins:
        rule.refuse_late()
    if rule.takes_differences:
        first.require_finite(f"the racing rule {method!r}")
    rows, words = problem_sequence(first, order)
    names = [first.problems[i] for i in rows.tolist()]
    prices = checked_prices(problem_costs, first.problems)
    record = RaceRecord(rule, starting, problem_costs=prices, late=joins, clusters=clusters)
    stopped = _run(record, tables[rows], names, integer("block", block, 1, MOST_BLOCK), limit)
    result = record.result(
        stopped=stopped,
        available=names,
        block=block,
        order=words,
        budget=check_budget(budget),
        n_dropped=len(first.dropped),
        cautions=(
            *source_cautions(first),
            *not_at_random(rule, words),
            *undecided(rule, record),
            *unnamed_clusters(rule, first),
        ),
        table=tables[rows],
    )
    if isinstance(scores, Mapping):
        return result
    turned = weights_decide(first, record_of_race, estimand_of_race(result))
    return replace(result, metric=first.metric, cautions=(*([turned] if turned else []), *result.cautions))


def late_joins(late: Mapping[str, int] | None, scores: Scores) -> dict[str, int]:
    """Late candidates in the order in which they join, and after how many problems."""
    if late is None:
        return {}
    _check_names("late", late, scores.algorithms, "candidate", "numbers of problems")
    if scores.n_algorithms - len(late) < 2:
        raise ParameterError(
            f"must leave at least 2 candidates at the start; {len(late)} of {scores.n_algorithms} join late",
            parameter="late",
        )
    after = {name: integer(f"late[{name!r}]", n, 1, len(cluster_names(scores)) - 1) for name, n in late.items()}
    return {name: after[name] for name in sorted(after, key=lambda name: (after[name], scores.index(name)))}


def _tables(
    scores: Scores | Mapping[str, Scores], method: str, options: dict[str, Any]
) -> tuple[Scores, Array, str, dict[str, Any]]:
    """The first table, costs (n, k), method and options; several metrics are layers (n, k, metrics) for e-dominance."""
    if not isinstance(scores, Mapping):
        scores = check_scores(scores)
        choice("method", method, RULES)
        return scores, tied_costs(scores), method, options
    if method not in ("e-sign", *METRIC_RULES):
        rule = f": with several metrics there is 'e-sign' (as 'e-dominance') only; got {method!r}"
        raise ParameterError(rule, parameter="method")
    if "n_metrics" in options:
        raise ParameterError("is the number of tables in scores and cannot be given", parameter="n_metrics")
    if not scores:
        rule = ": a race with several metrics needs at least one metric; the mapping is empty"
        raise ParameterError(rule, parameter="scores")
    metrics = [check_scores(table) for table in scores.values()]
    first = metrics[0]
    layers = []
    for metric, table in zip(scores, metrics, strict=True):
        if set(table.algorithms) != set(first.algorithms) or set(table.problems) != set(first.problems):
            raise ScoreError(
                f": every metric must have the same algorithms and problems; {metric!r} differs from "
                f"{next(iter(scores))!r}",
                parameter="scores",
            )
        same = table.select(first.algorithms, first.problems)
        if same.clusters != first.clusters:
            raise ScoreError(
                f": every metric must have the same clusters; {metric!r} differs from {next(iter(scores))!r}",
                parameter="scores",
            )
        layers.append(tied_costs(same))
    return first, np.stack(layers, axis=2), "e-dominance", {**options, "n_metrics": len(layers)}


def _run(record: RaceRecord, table: Array, names: list[str], block: int, budget: float | None) -> Stopped:
    """Race over the rows of ``table``; its columns are the candidates in the order in which they join."""
    done = 0
    while True:
        record.admit_due()
        size, stopped = next_block(record, names[done:], min(block, record.until_next_late), budget)
        if stopped is not None:
            return stopped
        rows = slice(done, done + size)
        record.observe(names[rows], table[rows][:, record.rule.alive])
        done += size


def next_block(record: RaceRecord, waiting: list[str], block: int, budget: float | None) -> tuple[int, Stopped | None]:
    """Number of problems in the next block, of ``block`` clusters if there are any; or why the race ends."""
    rule = record.rule
    if len(rule.alive) == 1:
        return 0, "one left"
    units = record.sizes(waiting)
    size = sum(units[: rule.next_size(block)])
    if rule.next_size(block) == 0:
        return 0, "rule" if rule.chosen is None else "chosen"
    if size == 0:
        return 0, "no problems left"
    price = math.fsum(record.price(problem) for problem in waiting[:size]) * len(rule.alive)
    if budget is not None and record.cost + price > budget * (1.0 + 1e-12):
        if not record.problems:
            raise ParameterError(
                f"must pay for the first block, {counted(min(block, len(units)), record.unit)} for {len(rule.alive)} "
                f"candidates at a cost of {price:g}; got {budget:g}. Give more, or make the block smaller.",
                parameter="budget",
            )
        return 0, "budget"
    return size, None


def problem_sequence(scores: Scores, order: object) -> tuple[npt.NDArray[np.intp], str]:
    """Rows in racing order, and that order in words. The draw depends on the names, not on the order of rows.

    The default names P1, P2, … say nothing about a problem: such rows are drawn by their content.
    """
    n = scores.n_problems
    if isinstance(order, str) and order == "given":
        return clusters_together(np.arange(n, dtype=np.intp), scores.clusters), AS_GIVEN
    seed = isinstance(order, int | np.integer) and not isinstance(order, bool) and order >= 0
    if not (order is None or seed or isinstance(order, np.random.Generator)):
        raise ParameterError(
            f"must be None, 'given', a seed (a whole number from 0 on) or a Generator; got {order!r}", parameter="order"
        )
    if set(scores.problems) == {f"P{i + 1}" for i in range(n)}:
        columns = sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__)
        sorted_rows = np.lexsort(scores.costs[:, columns].T[::-1])
    else:
        sorted_rows = np.array(sorted(range(n), key=scores.problems.__getitem__), dtype=np.intp)
    clusters = shared_clusters(scores.problems, scores.clusters)
    if clusters is None:
        rows = sorted_rows[generator(order).permutation(n)]
    else:
        rows = _clusters_in_order(sorted_rows, scores, order)
    if isinstance(order, np.random.Generator):
        return rows, "drawn at random with the given Generator"
    return rows, f"drawn at random with seed {DEFAULT_SEED if order is None else order}"


def shared_clusters(problems: Sequence[str], labels: Sequence[str] | None) -> dict[str, str] | None:
    """The cluster of each problem; None if no cluster has several."""
    if labels is None or len(set(labels)) == len(labels):
        return None
    return dict(zip(problems, labels, strict=True))


def clusters_together(rows: npt.NDArray[np.intp], labels: Sequence[str] | None) -> npt.NDArray[np.intp]:
    """Clusters by their first row, and the rows of a cluster one after the other."""
    if labels is None:
        return rows
    first = {label: place for place, label in reversed([*enumerate(labels[i] for i in rows.tolist())])}
    return np.array(sorted(rows.tolist(), key=lambda i: first[labels[i]]), dtype=np.intp)


def _clusters_in_order(sorted_rows: npt.NDArray[np.intp], scores: Scores, order: object) -> npt.NDArray[np.intp]:
    """Clusters in random order, drawn by their labels."""
    assert scores.clusters is not None
    members: dict[str, list[int]] = {label: [] for label in sorted(set(scores.clusters))}
    for i in sorted_rows.tolist():
        members[scores.clusters[i]].append(i)
    labels = [*members]
    drawn = [labels[g] for g in generator(order).permutation(len(labels)).tolist()]
    return np.array([i for label in drawn for i in members[label]], dtype=np.intp)


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
    return None if budget is None else positive("budget", budget)


def checked_prices(problem_costs: Mapping[str, float] | None, problems: tuple[str, ...]) -> dict[str, float]:
    if problem_costs is None:
        return {}
    _check_names("problem_costs", problem_costs, problems, "problem", "costs")
    return {name: positive(f"problem_costs[{name!r}]", price) for name, price in problem_costs.items()}


def _check_names(parameter: str, names_given: object, names: tuple[str, ...], what: str, values: str) -> None:
    if not isinstance(names_given, Mapping):
        raise WrongTypeError(f"must map names of {what}s to {values}; got {names_given!r}", parameter=parameter)
    for name in names_given:
        if name not in names:
            raise UnknownNameError(f": no {what} is called {name!r}{did_you_mean(name, names)}", parameter=parameter)


def not_at_random(rule: Rule, order: str) -> tuple[Caution, ...]:
    """The guarantee assumes that a best candidate is one on every problem given the past: so under random order."""
    if not rule.anytime or order != AS_GIVEN:
        return ()
    return (caution_of("given-order"),)


def unnamed_clusters(rule: Rule, scores: Scores) -> tuple[Caution, ...]:
    """Whether problems look as if they came in clusters, though none were given: the guarantee does not cover that."""
    until = " Until then the race's guarantee does not hold for them."
    caution = looks_clustered(scores, until) if rule.anytime else None
    return () if caution is None else (caution,)


def undecided(rule: Rule, record: RaceRecord) -> tuple[Caution, ...]:
    """Whether several candidates survive without a claim among them."""
    if not record.problems or len(rule.alive) < 2 or not rule.anytime or rule.chosen is not None:
        return ()
    return (caution_of("not-decided", candidates=counted(len(rule.alive), "candidate")),)
