"""autorank's Bayesian tables: signed-rank posteriors of every pair, best centre first."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff.bayes import signed_rank
from bakeoff.errors import Caution, ParameterError
from bakeoff.migrate.rank_table import pooled_mad, pooled_sd, rank_table, too_wide
from bakeoff.ranks.table_cautions import without_repetition
from bakeoff.scores import Scores

PRIOR_STRENGTH = 0.5  # of baycomp, which autorank calls

Shares = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorTables:
    names: list[str]
    columns: dict[str, list[Any]]
    samples: Any  # (k, k) objects, the upper triangle filled
    posteriors: Any
    decisions: Any
    cautions: tuple[Caution, ...]


def posterior_tables(
    scores: Scores,
    alpha: float,
    rope: float,
    rope_mode: str,
    draws: int,
    rng: int | None,
    *,
    parametric: bool,
    normal: bool,
    measure: str,
) -> PosteriorTables:
    """Probabilities (row larger, equivalent, column larger) of every pair; without a rope the middle one is 0."""
    centre = np.mean if parametric else np.median
    sign = -1.0 if scores.better == "higher" else 1.0
    k = scores.n_algorithms
    order = np.argsort([sign * float(centre(column)) for column in scores.values.T], kind="stable").tolist()
    names = [scores.algorithms[j] for j in order]
    values = {name: scores.values[:, j] for name, j in zip(names, order, strict=True)}
    samples, posteriors, decisions = (np.full((k, k), np.nan, dtype=object) for _ in range(3))
    cautions: list[Caution] = []
    for i in range(k):
        for j in range(i + 1, k):
            x, y = values[names[i]], values[names[j]]
            unit = 1.0 if rope_mode == "absolute" else pooled_sd(x, y) if parametric else pooled_mad(x, y)
            pair = Scores(np.column_stack([x, y]), [names[i], names[j]], better="higher")
            try:
                posterior = signed_rank(
                    pair, 0, 1, prior_strength=PRIOR_STRENGTH, rope=rope * unit, n_draws=draws, rng=rng
                )
            except ParameterError as error:  # the rope is none that the caller gave
                raise error.at(
                    f"rope={rope:g} × {unit:.4g} ({names[i]}, {names[j]}; rope_mode={rope_mode!r})"
                ) from None
            shares = posterior.p_better, posterior.p_equivalent, posterior.p_worse
            samples[i, j], posteriors[i, j] = posterior, shares
            decisions[i, j], decisions[j, i] = _decision(shares, alpha), _decision(shares[::-1], alpha)
            cautions += posterior.cautions
    level = 1.0 - alpha / k**2  # as autorank has it: alpha/k, and divided by k again
    columns = rank_table(values, dict.fromkeys(names, 0.0), parametric=parametric, normal=normal, level=level,
                         measure=measure)  # fmt: skip
    del columns["meanrank"]
    first = [posteriors[0, j] for j in range(1, k)]
    above = [posteriors[j - 1, j] for j in range(1, k)]
    nothing = [float("nan")]
    columns |= {
        "p_equal": nothing + [p[1] for p in first],
        "p_smaller": nothing + [p[0] for p in first],
        "decision": ["NA"] + [decisions[0, j] for j in range(1, k)],
        "p_equal_above": nothing + [p[1] for p in above],
        "p_smaller_above": nothing + [p[0] for p in above],
        "decision_above": nothing + [decisions[j - 1, j] for j in range(1, k)],
    }
    if not normal:
        cautions += too_wide(values[names[0]], names[0], level)
    return PosteriorTables(names=names, columns=columns, samples=samples, posteriors=posteriors, decisions=decisions,
                           cautions=tuple(without_repetition(cautions)))  # fmt: skip


def _decision(shares: Shares, alpha: float) -> str:
    words = zip(("smaller", "equal", "larger"), shares, strict=True)
    return next((word for word, p in words if p >= 1.0 - alpha), "inconclusive")
