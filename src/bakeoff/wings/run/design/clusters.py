"""Clusters of an experiment's problems, and the order in which problems in clusters are drawn."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, UnknownNameError, listing
from bakeoff.scores.cells import cluster_labels
from bakeoff.wings.run.design.seeds import order_of_draw, place_in_draw

Given = Mapping[str, object] | Iterable[object] | str | None


def problem_clusters(clusters: Given, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """One label per problem: by name, in the order of the problems, or a pattern that is looked for in their names."""
    if isinstance(clusters, str):
        return _by_pattern(clusters, names)
    if isinstance(clusters, Mapping):
        for name in clusters:
            if name not in names:
                rule = f": no problem is called {name!r}{did_you_mean(str(name), names)}"
                raise UnknownNameError(rule, parameter="clusters")
        clusters = [clusters.get(name) for name in names]
    return cluster_labels(clusters, names)


def _by_pattern(pattern: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """What the first group of the pattern, or else all of it, matches in each name."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ParameterError(f"must be a regular expression: {error}; got {pattern!r}", parameter="clusters") from None
    matches = [compiled.search(name) for name in names]
    lacking = [repr(name) for name, match in zip(names, matches, strict=True) if match is None]
    if lacking:
        raise ParameterError(f": {pattern!r} matches nothing in {listing(lacking)}", parameter="clusters")
    return tuple(match.group(1 if compiled.groups else 0) or "" for match in matches if match is not None)


def cluster_map(names: Sequence[str], labels: Sequence[str] | None) -> dict[str, str] | None:
    return None if labels is None else dict(zip(names, labels, strict=True))


def clusters_in(spec: Mapping[str, Any]) -> dict[str, str] | None:
    """The cluster of each problem of a stored experiment."""
    return spec.get("clusters")


def drawn_order(seed: int, names: Sequence[str], clusters: Mapping[str, str] | None) -> list[int]:
    """The problems, by number, in the order in which they are drawn: cluster after cluster, if there are any."""
    order = order_of_draw(seed, names)
    if clusters is None:
        return order
    return sorted(order, key=lambda i: (place_in_draw(seed, f"cluster {clusters[names[i]]}"), clusters[names[i]]))


def several_in_one(clusters: Mapping[str, str] | None) -> dict[str, str] | None:
    """None unless some cluster has several problems."""
    if clusters is None or len(set(clusters.values())) == len(clusters):
        return None
    return dict(clusters)
