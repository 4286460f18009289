"""Tables of one metric each, on the same problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from bakeoff.dataclass import dataclass, replace
from bakeoff.designed import contributions, refuse_features
from bakeoff.errors import BakeoffError, ParameterError, ScoreError, WrongTypeError, listing
from bakeoff.means.strata import Stratum, design_strata
from bakeoff.places import load
from bakeoff.ranks.measured_scores import margin_scores
from bakeoff.ranks.problem_order import nested_order
from bakeoff.scores import Scores, check_scores
from bakeoff.scores.clusters import Codes, by_cluster, cluster_codes, cluster_names, cluster_table, codes_of
from bakeoff.scores.margins import Margin, margin_of
from bakeoff.wings.boards.evaluate.table import independent_units

# The metrics as tables with the same rows and columns, each with its margin.


NAME = "bo.tradeoff"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTable:
    """One metric."""

    name: str
    scores: Scores
    measured: Scores  # logarithms where the margin is a percentage
    margin: Margin
    raw_margin: float | str  # the margin as it came
    own_strata: Strata | None = None  # those of contributions, which classes may divide

    @property
    def contributed(self) -> bool:
        """Are the rows contributions to a metric of all items?"""
        return bool(contributions(self.scores))


Strata = Sequence[Stratum]


def margins_of(margins: object) -> Mapping[str, float | str]:
    """A margin for each metric."""
    if not isinstance(margins, Mapping):
        rule = "must be a mapping of each metric to the smallest difference that matters, fixed before the scores were "
        raise ParameterError(f'{rule}seen: a number, or "5%"; got {margins!r}'[:300], parameter="margins")
    return margins


def metric_tables(source: object, margins: object) -> list[MetricTable]:
    """Aligned with the first one; every metric has a margin."""
    if not isinstance(source, Mapping) or not all(isinstance(name, str) and name for name in source):
        raise WrongTypeError(
            f'must be a mapping of names to Scores, {{"accuracy": scores1, "seconds": scores2}}; got '
            f"{type(source).__name__}",
            parameter="metrics",
        )
    if len(source) < 2:
        rule = f"must be two or more; got {len(source)}. For one metric and a margin: bo.compare(margin=)"
        raise ParameterError(rule, parameter="metrics")
    margins = margins_of(margins)
    lacking = [name for name in source if name not in margins]
    if lacking:
        rule = "must give the smallest difference that matters for each metric"
        raise ParameterError(f"{rule}; there is none for {listing(lacking)}", parameter="margins")
    unknown = [str(name) for name in margins if name not in source]
    if unknown:
        rule = f"are for the metrics {listing(source)}; got one for {listing(unknown)}"
        raise ParameterError(rule, parameter="margins")
    first: Scores | None = None
    tables = []
    for name, table in source.items():
        scores = check_scores(table)
        refuse_features(scores, load("analyses:by_function")()["bo.tradeoff"])
        first = scores if first is None else first
        aligned = _aligned(scores, first, name)
        aligned.require_finite(NAME)
        try:
            margin = margin_of(margins[name])
            if margin.relative and contributions(aligned):
                rule = f"must be in units of the {aligned.metric}, to which items contribute; got {margins[name]!r}"
                raise ParameterError(rule)
            measured = margin_scores(aligned, margin)
        except BakeoffError as error:
            raise ParameterError(f"of {name}: {error.rule or error}", parameter="margins") from None
        raw = margins[name] if isinstance(margins[name], str) else margin.value
        tables.append(MetricTable(name=name, scores=aligned, measured=measured, margin=margin, raw_margin=raw))
    return tables


def _aligned(scores: Scores, first: Scores, name: str) -> Scores:
    """In the order of ``first``."""
    for what, own, expected in (
        ("algorithms", scores.algorithms, first.algorithms),
        ("problems", scores.problems, first.problems),
    ):
        missing = [x for x in expected if x not in set(own)]
        more = [x for x in own if x not in set(expected)]
        if missing or more:
            lacking = [*missing, *more]
            leave = f"drop={lacking}" if len(lacking) <= 5 else "scores.select()"
            text = f"not in {name}: {listing(missing)}" if missing else f"only in {name}: {listing(more)}"
            rule = f"must have the same {what}; {text}. Leave out what a metric lacks, for all: {leave}"
            raise ScoreError(rule, parameter="metrics")
    if scores.algorithms != first.algorithms or scores.problems != first.problems:
        scores = scores.select(list(first.algorithms), list(first.problems))
    if not np.array_equal(cluster_codes(scores), cluster_codes(first)):
        raise ScoreError(f"must have the same clusters; those of {name} differ", parameter="metrics")
    if scores.tasks != first.tasks or scores.design.weights != first.design.weights:
        raise ScoreError(f"must have the same tasks and weights; those of {name} differ", parameter="metrics")
    return scores


def by_content(tables: list[MetricTable], codes: Codes) -> tuple[list[MetricTable], Codes]:
    """The same with problems in the order of their content, so that the order of rows changes no digit of an answer."""
    first = tables[0].scores
    columns = sorted(range(first.n_algorithms), key=first.algorithms.__getitem__)
    named = sorted(tables, key=lambda table: table.name)
    content = np.hstack([table.scores.values[:, columns] for table in named])
    places = np.unique(content, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    tasks = [codes_of(first.design.tasks)] if first.design.tasks and first.design.task_names else []
    order = nested_order(places, *tasks, codes)
    problems = [first.problems[i] for i in order.tolist()]

    def sorted_as(scores: Scores) -> Scores:
        return scores.select(list(first.algorithms), problems)

    sorted_tables = [replace(t, scores=sorted_as(t.scores), measured=sorted_as(t.measured)) for t in tables]
    return sorted_tables, codes_of(map(str, codes[order].tolist()))


def averaged_units(
    tables: list[MetricTable], unit: str | None
) -> tuple[Literal["cluster", "problem"], list[MetricTable], list[Stratum]]:
    """What is independent; the tables in the order of their content, with a row per cluster if these count equally;
    strata."""
    used, codes = independent_units(tables[0].scores, unit)
    if int(codes.max()) < 1:
        raise ScoreError(f"must have two or more {used}s: one does not say how they vary", parameter="metrics")
    equally = tables[0].scores.design.weights == "clusters"
    if equally:
        tables = [replace(t, scores=_of_clusters(t), measured=by_cluster(t.measured)) for t in tables]
        codes = np.arange(tables[0].scores.n_problems)
    tables, codes = by_content(tables, codes)
    order = np.arange(len(codes))
    designs = [table.scores.design for table in tables]
    tables = [
        replace(table, own_strata=design_strata(design, codes, order)) if table.contributed else table
        for table, design in zip(tables, designs, strict=True)
    ]
    return "cluster" if equally else used, tables, design_strata(replace(designs[0], classes=None), codes, order)


def _of_clusters(table: MetricTable) -> Scores:
    """A row per cluster: its mean, geometric where the margin is a percentage."""
    s = table.scores
    if not table.margin.relative:
        return by_cluster(s)
    means = np.exp(cluster_table(s, np.log(s.values), s.better).values)
    return Scores.from_cells(means[:, :, None], s.algorithms, cluster_names(s), better=s.better, metric=s.metric)
