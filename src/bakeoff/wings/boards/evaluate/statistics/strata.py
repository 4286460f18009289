"""Suites of a table of questions, each with a mean of its own, and what labels say of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bakeoff.errors import ScoreError, listing
from bakeoff.means.strata import Stratum, stratum_of
from bakeoff.scores import Scores
from bakeoff.scores.clusters import Codes, cluster_sizes, codes_of


def suite_strata(codes: Codes, suites: Sequence[str], by_size: bool = False) -> list[Stratum]:
    """A stratum per suite, all with the same weight or by their sizes; each needs two independent units."""
    of = codes_of(suites)
    names, sizes = list(dict.fromkeys(suites)), cluster_sizes(of)
    weights = sizes / len(of) if by_size else np.full(len(names), 1.0 / len(names))
    of_each = zip(names, weights.tolist(), strict=True)
    strata = [stratum_of(np.flatnonzero(of == j), codes, name, weight) for j, (name, weight) in enumerate(of_each)]
    single = [stratum.name for stratum in strata if stratum.n_clusters < 2]
    if single:
        raise ScoreError(
            "must leave two or more independent problems (or clusters of them) in each suite; one only has "
            f"{listing(single)}. Leave it out, or take suites for the units: tasks='new'",
            parameter="suites",
        )
    return strata


def whole_suites(suites: Sequence[str]) -> list[Stratum]:
    """Of suites that are the sample: the problems of each, every one for itself."""
    of = codes_of(suites)
    names = list(dict.fromkeys(suites))
    return [stratum_of(np.flatnonzero(of == j), np.arange(len(of)), x, 1.0 / len(names)) for j, x in enumerate(names)]


def suite_labels(scores: Scores, suites: object) -> tuple[str, ...] | None:
    """A label per problem, from what the user gave: the labels, a mapping by problem, "clusters" or "prefix"."""
    if suites is None:
        return None
    if isinstance(suites, str):
        return _by_rule(scores, suites)
    if hasattr(suites, "keys"):
        lacking = [name for name in scores.problems if name not in suites]  # type: ignore[operator]
        if lacking:
            raise ScoreError(f"must name the suite of every problem; none for {listing(lacking)}", parameter="suites")
        labels = [suites[name] for name in scores.problems]  # type: ignore[index]
    else:
        try:
            labels = list(suites)  # type: ignore[call-overload]
        except TypeError:
            labels = []
    if len(labels) != scores.n_problems:
        raise ScoreError(
            f"must be a label for each of the {scores.n_problems} problems, a mapping of problems to labels, "
            f"'clusters' or 'prefix'; got {suites!r}"[:300],
            parameter="suites",
        )
    return tuple(map(str, labels))


def task_labels(scores: Scores, unit: str | None) -> tuple[str, ...] | None:
    """The tasks of a log of questions, where each has two independent units or more; None where they say nothing."""
    if not scores.read_as.by_task:
        return None
    labels = _by_rule(scores, "prefix")
    if scores.clusters is None or unit == "problem":
        units = dict.fromkeys(zip(labels, scores.problems, strict=True))
    else:
        units = dict.fromkeys(zip(labels, scores.clusters, strict=True))
        if len(units) > len(set(scores.clusters)):
            return None  # a cluster is in several tasks
    counts = Counter(label for label, _ in units)
    return labels if len(counts) > 1 and min(counts.values()) > 1 else None


def _by_rule(scores: Scores, rule: str) -> tuple[str, ...]:
    if rule == "clusters":
        if scores.clusters is None:
            raise ScoreError('"clusters" needs scores with clusters, and these have none', parameter="suites")
        return scores.clusters
    if rule != "prefix":
        text = f'must be "clusters", "prefix", or a label for each problem; got {rule!r}'
        raise ScoreError(text, parameter="suites")
    lacking = [name for name in scores.problems if "/" not in name]
    if lacking:
        text = f'"prefix" needs problems called suite/question; these have no slash: {listing(lacking)}'
        raise ScoreError(text, parameter="suites")
    return tuple(name.split("/", 1)[0] for name in scores.problems)
