"""What is independent in a table of questions: clusters of problems, in suites that each have a mean of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.errors import ScoreError, listing
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, codes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """A suite, or the whole table: its problems sorted by cluster, so that sums over clusters are sums of slices."""

    name: str
    rows: Codes  # of the table, cluster by cluster
    starts: Codes  # (G,) where each cluster begins in ``rows``
    weight: float  # of this mean in the mean of all suites

    @property
    def n(self) -> int:
        """Problems."""
        return len(self.rows)

    @property
    def n_clusters(self) -> int:
        """Clusters; problems where these are independent."""
        return len(self.starts)

    @property
    def sizes(self) -> Codes:
        """(G,) problems in each cluster."""
        return np.diff(np.append(self.starts, self.n))

    def sums(self, values: Array) -> Array:
        """(G, q) of ``values`` (n of the table, q), over the problems of each cluster."""
        return np.add.reduceat(values[self.rows], self.starts, axis=0)


def one_stratum(codes: Codes, name: str = "") -> Stratum:
    """The whole table."""
    return _stratum(np.arange(len(codes)), codes, name, 1.0)


def suite_strata(codes: Codes, suites: Sequence[str]) -> list[Stratum]:
    """A stratum per suite, all with the same weight; each needs two independent units."""
    of = codes_of(suites)
    names = list(dict.fromkeys(suites))
    found = [_stratum(np.flatnonzero(of == j), codes, name, 1.0 / len(names)) for j, name in enumerate(names)]
    single = [stratum.name for stratum in found if stratum.n_clusters < 2]
    if single:
        raise ScoreError(
            "must leave two or more independent problems (or clusters of them) in each suite; one only has "
            f"{listing(single)}. Leave it out, or take suites for the units: tasks='new'",
            parameter="suites",
        )
    return found


def _stratum(rows: Codes, codes: Codes, name: str, weight: float) -> Stratum:
    local = codes_of(map(str, codes[rows].tolist()))
    order = np.argsort(local, kind="stable")
    starts = np.flatnonzero(np.diff(local[order], prepend=-1))
    return Stratum(name=name, rows=rows[order], starts=starts, weight=weight)


def whole_suites(suites: Sequence[str]) -> list[Stratum]:
    """Of suites that are the sample: the problems of each, every one for itself."""
    of = codes_of(suites)
    found = enumerate(dict.fromkeys(suites))
    return [_stratum(np.flatnonzero(of == j), np.arange(len(of)), name, 1.0) for j, name in found]


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
        given = [suites[name] for name in scores.problems]  # type: ignore[index]
    else:
        try:
            given = list(suites)  # type: ignore[call-overload]
        except TypeError:
            given = []
    if len(given) != scores.n_problems:
        raise ScoreError(
            f"must be a label for each of the {scores.n_problems} problems, a mapping of problems to labels, "
            f"'clusters' or 'prefix'; got {suites!r}"[:300],
            parameter="suites",
        )
    return tuple(map(str, given))


def _by_rule(scores: Scores, rule: str) -> tuple[str, ...]:
    if rule == "clusters":
        if scores.clusters is None:
            raise ScoreError('"clusters" needs scores with clusters, and these have none', parameter="suites")
        return scores.clusters
    if rule != "prefix":
        said = f'must be "clusters", "prefix", or a label for each problem; got {rule!r}'
        raise ScoreError(said, parameter="suites")
    lacking = [name for name in scores.problems if "/" not in name]
    if lacking:
        said = f'"prefix" needs problems called suite/question; these have no slash: {listing(lacking)}'
        raise ScoreError(said, parameter="suites")
    return tuple(name.split("/", 1)[0] for name in scores.problems)
