"""Every pair of a table: by signs, and by signed ranks while that can be done; what is left out is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from bakeoff.bayes._sign_test import SignPosterior, sign_test
from bakeoff.bayes._signed_rank import SignedRankPosterior, signed_rank
from bakeoff.bayes.dirichlet.weights import DEFAULT_DRAWS
from bakeoff.errors import Caution, InfiniteScoreError, listing
from bakeoff.scores import Scores, read_only

MOST_PAIRS = 1000  # beyond, a pair is only a statement of the joint comparison
MOST_SIGNED_RANKS = 45  # pairs; their draws are kept for the figures, 1 MB each


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPosterior:
    """One pair: by signs, and by signed ranks where differences can be taken."""

    a: str
    b: str
    sign: SignPosterior
    signed_rank: SignedRankPosterior | None  # with its first 50 000 draws


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What was asked, checked."""

    scores: Scores
    rope: float
    strength: float
    gamma: float
    draws: int
    seed: int | None
    prior: Literal["equal", "ignorance"]


def family_of(k: int, control: int | None) -> list[tuple[int, int]]:
    """Every pair, or those of the control."""
    if control is not None:
        return [(control, j) for j in range(k) if j != control]
    return [(i, j) for i in range(k) for j in range(i + 1, k)]


def pair_posteriors(
    g: Given, family: list[tuple[int, int]], tell: Callable[[], None]
) -> tuple[tuple[PairPosterior, ...], list[Caution]]:
    """Each pair of the family; and what was left out."""
    if len(family) > MOST_PAIRS:
        text = (
            f"The {len(family)} pairs are not tested one by one (at most {MOST_PAIRS}); each is a statement of the "
            "joint comparison. Name a control, or call bo.bayes.sign_test for those that matter."
        )
        return (), [Caution(code="pairs-left-out", text=text)]
    signed = len(family) <= MOST_SIGNED_RANKS
    pairs = []
    for i, j in family:
        pairs.append(_pair(g, i, j, signed))
        tell()
    return tuple(pairs), _left_out(pairs, signed)


def _pair(g: Given, i: int, j: int, signed: bool) -> PairPosterior:
    sign = sign_test(g.scores, i, j, g.strength, g.rope, prior=g.prior, gamma=g.gamma)
    ranked: SignedRankPosterior | None = None
    if signed:
        try:
            ranked = signed_rank(g.scores, i, j, g.strength, g.rope, g.draws, g.seed, gamma=g.gamma)
            if len(ranked.draws) > DEFAULT_DRAWS:  # enough for a figure; all of them would fill the memory
                ranked = replace(ranked, draws=read_only(ranked.draws[:DEFAULT_DRAWS].copy()))
        except InfiniteScoreError:  # a difference that does not exist; said in a caution
            ranked = None
    return PairPosterior(a=sign.a, b=sign.b, sign=sign, signed_rank=ranked)


def _left_out(pairs: list[PairPosterior], signed: bool) -> list[Caution]:
    if not signed:
        text = (
            f"The signed-rank test is left out for {len(pairs)} pairs (at most {MOST_SIGNED_RANKS}); call "
            "bo.bayes.signed_rank for those that matter, or name a control."
        )
        return [Caution(code="signed-rank-left-out", text=text)]
    missing = [f"{pair.a} and {pair.b}" for pair in pairs if pair.signed_rank is None]
    if not missing:
        return []
    text = f"The signed-rank test needs finite differences and is left out for {listing(missing)}."
    return [Caution(code="signed-rank-left-out", text=text)]


def pair_cautions(pairs: Iterable[PairPosterior]) -> list[Caution]:
    """Of each kind of caution about pairs one, naming a pair and saying how many it is about."""
    found: dict[str, list[tuple[PairPosterior, Caution]]] = {}
    for pair in pairs:
        cautions = [*pair.sign.cautions, *(pair.signed_rank.cautions if pair.signed_rank else ())]
        for code, caution in {c.code: c for c in reversed(cautions)}.items():
            found.setdefault(code, []).append((pair, caution))
    merged = []
    for code, cases in found.items():
        pair, caution = cases[0]
        more = f" (the same holds for {len(cases) - 1} more of the pairs)" if len(cases) > 1 else ""
        text = f"{pair.a} against {pair.b}{more}: {caution.text}"
        merged.append(Caution(code=code, text=text, reference=caution.reference))
    return merged
