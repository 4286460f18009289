"""An overview as JSON, the fields of the results under their own names, and as columns."""

from typing import Any

from bakeoff.bayes import (
    FriedmanPosterior,
    JointComparison,
    Overview,
    PairPosterior,
    RankPosterior,
    SignedRankPosterior,
    SignPosterior,
    Statement,
)
from bakeoff.report.bayes import sentences, tables
from bakeoff.report.bayes.methods import cited_keys
from bakeoff.report.data import Keys, all_but, asked, finite, origin, plain_data
from bakeoff.report.document import Sheets

SCHEMA = "bakeoff.bayes/1"

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


def to_dict(overview: Overview, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of an overview; algorithms by name where there is one number for each."""
    o, s = overview, overview.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": sentences.verdict(o),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_clusters": o.joint.n_clusters,
        "n_algorithms": s.n_algorithms,
        "control": o.control,
        "gamma": o.gamma,
        "rope": o.rope,
        "prior": o.prior,
        "prior_strength": o.prior_strength,
        "joint": plain_data(o.joint, KEYS),
        "statements": plain_data(o.joint.statements),
        "ranks": _named(o.ranks),
        "friedman": _named(o.friedman),
        "friedman_exact": None if o.friedman_exact is None else _named(o.friedman_exact),
        "pairs": plain_data(o.pairs, KEYS),
    }
    found = finite(content | origin(s, o.cautions, cited_keys(o), command))
    return found | asked(o)


def _named(result: RankPosterior | FriedmanPosterior) -> dict[str, Any]:
    """The fields, with one number (or list) per algorithm under the algorithm's name."""
    found: dict[str, Any] = plain_data(result, KEYS)
    k = len(result.algorithms)
    for key in _BY_NAME:
        if isinstance(found.get(key), list) and len(found[key]) == k:
            found[key] = dict(zip(result.algorithms, found[key], strict=True))
    return found


def sheets(overview: Overview) -> Sheets:
    """A row per pair, the better one of its more probable statement first."""
    ranks = overview.ranks
    head = ("algorithm", "p_best", "mean_rank", "expected_loss")
    body = [
        (ranks.algorithms[j], *(float(x[j]) for x in (ranks.p_best, ranks.mean_ranks, ranks.expected_loss)))
        for j in tables.order(overview)
    ]
    return Sheets(pairs=_pair_columns(overview), ranking=[head, *body], cautions=overview.cautions)


def _pair_columns(overview: Overview) -> dict[str, list[Any]]:
    chosen = sentences.statements(overview)
    columns: dict[str, list[Any]] = {"a": [s.better for s in chosen], "b": [s.worse for s in chosen]}
    same = ("probability", "joint", "joint_standard_error", "accepted", "verdict", "wins", "ties", "losses")
    columns |= {key: [getattr(s, key) for s in chosen] for key in same}
    for key in ("probability_bounds", "joint_bounds"):
        if chosen and getattr(chosen[0], key) is not None:
            columns |= {f"{key}_{end}": [getattr(s, key)[i] for s in chosen] for i, end in enumerate(("low", "high"))}
    for which in ("sign", "signed_rank"):
        found = tables.posteriors(overview, which)
        of = [found.get(frozenset((s.better, s.worse))) for s in chosen]
        if any(of):
            for key in ("p_better", "p_equivalent", "p_worse"):
                columns[f"{which}_{key}"] = [_share(s, p, key) for s, p in zip(chosen, of, strict=True)]
    return columns


def _share(s: Statement, posterior: Any, key: str) -> float | None:
    """As seen by the algorithm that the statement calls better."""
    turned = {"p_better": "p_worse", "p_worse": "p_better"}
    chosen = key if posterior is None or posterior.a == s.better else turned.get(key, key)
    return None if posterior is None else float(getattr(posterior, chosen))
