"""An overview as JSON, the fields of the results under their own names, and as columns."""

from typing import Any

import numpy as np

from bakeoff.report.data import Keys, all_but, plain_data
from bakeoff.report.telling import Key, Rows
from bakeoff.wings.bayes import (
    FriedmanPosterior,
    JointComparison,
    Overview,
    PairPosterior,
    RankPosterior,
    SignedRankPosterior,
    SignPosterior,
    Statement,
)
from bakeoff.wings.bayes.analysis.telling import sentences, tables

_SAID_ONCE = ("cautions", "gamma", "prior", "prior_strength", "n_problems", "n_clusters", "n_dropped")
_FOR_FIGURES = ("draws", "grid", "ridges")
_LEFT_OUT = ("algorithms", *_SAID_ONCE, *_FOR_FIGURES)
_BY_NAME = (
    *("mean", "mean_ranks", "prior_ranks", "standard_deviations", "quantiles"),
    *("p_best", "standard_error", "p_rank", "rank_standard_error", "expected_loss", "loss_standard_error"),
)
KEYS: Keys = {
    JointComparison: all_but(JointComparison, "statements", *_LEFT_OUT),
    RankPosterior: all_but(RankPosterior, *_LEFT_OUT),
    FriedmanPosterior: all_but(FriedmanPosterior, *_LEFT_OUT),
    PairPosterior: ("a", "b", "sign", "signed_rank"),
    SignPosterior: all_but(SignPosterior, "a", "b", *_LEFT_OUT),
    SignedRankPosterior: all_but(SignedRankPosterior, "a", "b", *_LEFT_OUT),
}


def _named(result: RankPosterior | FriedmanPosterior) -> dict[str, Any]:
    """The fields, with one number (or list) per algorithm under the algorithm's name."""
    fields: dict[str, Any] = plain_data(result, KEYS)
    k = len(result.algorithms)
    for key in _BY_NAME:
        if isinstance(fields.get(key), list) and len(fields[key]) == k:
            fields[key] = dict(zip(result.algorithms, fields[key], strict=True))
    return fields


def pair_columns(overview: Overview) -> dict[str, list[Any]]:
    """A row per pair, the better one of its more probable statement first."""
    chosen = sentences.statements(overview)
    columns: dict[str, list[Any]] = {"a": [s.better for s in chosen], "b": [s.worse for s in chosen]}
    same = ("probability", "joint", "joint_standard_error", "accepted", "verdict", "wins", "ties", "losses")
    columns |= {key: [getattr(s, key) for s in chosen] for key in same}
    for key in ("probability_bounds", "joint_bounds"):
        if chosen and getattr(chosen[0], key) is not None:
            columns |= {f"{key}_{end}": [getattr(s, key)[i] for s in chosen] for i, end in enumerate(("low", "high"))}
    for which in ("sign", "signed_rank"):
        posteriors = tables.posteriors(overview, which)
        of = [posteriors.get(frozenset((s.better, s.worse))) for s in chosen]
        if any(of):
            for key in ("p_better", "p_equivalent", "p_worse"):
                columns[f"{which}_{key}"] = [_share(s, p, key) for s, p in zip(chosen, of, strict=True)]
    return columns


def _share(s: Statement, posterior: Any, key: str) -> float | None:
    """As seen by the algorithm that the statement calls better."""
    turned = {"p_better": "p_worse", "p_worse": "p_better"}
    chosen = key if posterior is None or posterior.a == s.better else turned.get(key, key)
    return None if posterior is None else float(getattr(posterior, chosen))


def ranking(overview: Overview) -> Rows:
    """The algorithms, best first."""
    r = overview.ranks
    numbers = np.column_stack([r.p_best, r.mean_ranks, r.expected_loss]).tolist()
    head = ("algorithm", "p_best", "mean_rank", "expected_loss")
    return [head, *((r.algorithms[j], *numbers[j]) for j in tables.order(overview))]


CONTENT: tuple[Key[Overview], ...] = (
    *("scores.better", "scores.n_problems", "joint.n_clusters", "scores.n_algorithms"),
    *("control", "gamma", "rope", "prior", "prior_strength"),
    ("joint", lambda o: plain_data(o.joint, KEYS)),
    "joint.statements",
    ("ranks", lambda o: _named(o.ranks)),
    ("friedman", lambda o: _named(o.friedman)),
    ("friedman_exact", lambda o: None if o.friedman_exact is None else _named(o.friedman_exact)),
    ("pairs", lambda o: plain_data(o.pairs, KEYS)),
)
"""What JSON says of an overview; algorithms by name where there is one number for each."""
