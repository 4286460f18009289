"""What a pilot experiment says about each cell: mean, spread and skewness of its runs."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff import numerals
from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, ParameterError, listing
from bakeoff.plan.pilots.standard_errors import ErrorTerms, form_cautions, mean_and_sd, weak_reference
from bakeoff.scores import Array, Scores, check_scores

_PAPER = "Campelo & Takahashi (2019)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotCells:
    """(n_problems, n_algorithms) each."""

    means: Array
    sds: Array
    counts: npt.NDArray[np.int64]
    skewed: npt.NDArray[np.bool_]  # sample skewness beyond 1, and beyond two of its standard errors


def pilot_cells(scores: Scores, method: str) -> PilotCells:
    """Moments of every cell; each needs two finite runs."""
    scores = check_scores(scores)
    scores.require_finite(method)
    few = np.argwhere(scores.n_runs < 2)
    if scores.runs is None or few.size:
        where = [f"{scores.problems[i]!r} with {scores.algorithms[j]!r}" for i, j in few.tolist()]
        raise ParameterError(
            f"must hold at least 2 runs in every cell, or the spread of runs cannot be seen; one run on "
            f"{listing(where, 2)}. Give an array of shape (n_problems, n_algorithms, n_runs), or a file with a run "
            "column.",
            parameter="scores",
        )
    shape = scores.values.shape
    means, sds, skewed = np.empty(shape), np.empty(shape), np.zeros(shape, dtype=bool)
    for i, row in enumerate(scores.runs):
        for j, padded in enumerate(row):
            runs = padded[~np.isnan(padded)]
            means[i, j], sds[i, j] = mean_and_sd(runs)
            skewed[i, j] = sds[i, j] > 0 and _is_skewed(runs, means[i, j], sds[i, j])
    return PilotCells(means=means, sds=sds, counts=scores.n_runs, skewed=skewed)


def _is_skewed(runs: Array, mean: float, sd: float) -> bool:
    """|G₁| > max(1, two standard errors of G₁ under normality); below 3 runs nothing can be said."""
    n = len(runs)
    if n < 3:
        return False
    skewness = n / ((n - 1) * (n - 2)) * float(np.sum(((runs - mean) / sd) ** 3))
    return abs(skewness) > max(1.0, 2 * math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))))


def pilot_cautions(cells: PilotCells, difference: str, form: str, references: list[bool]) -> list[Caution]:
    """Of the pilot itself: too few runs, skewness, no variation, a reference near zero, the paper's formula."""
    cautions = []
    fewest = int(cells.counts.min())
    if fewest < 15:
        off = numerals.in_percent(1 / math.sqrt(2 * (fewest - 1)))
        cautions.append(caution_of("too-few", "pilot-runs", fewest=fewest, off=off))
    if np.mean(cells.skewed) > 0.25:
        cautions.append(
            caution_of(
                "skew",
                "pilot-runs",
                reference=f"{_PAPER}, section 4.6",
                skewed=int(cells.skewed.sum()),
                size=cells.skewed.size,
            )
        )
    if still := int(np.sum(np.all(cells.sds == 0, axis=1))):
        cautions.append(caution_of("no-variation", "pilot-runs", still=still, sds=len(cells.sds)))
    if any(references):
        cautions.append(caution_of("near-zero", "pilot-means", references=sum(references), problems=len(references)))
    return [*cautions, *form_cautions(difference, form, "form")]


def near_zero(cells: PilotCells, control: int | None) -> list[bool]:
    """Per problem: is the reference of percent differences within 3 standard errors of 0?"""
    rows = zip(cells.means, cells.sds, cells.counts, strict=True)
    words = ("all-pairs", 0) if control is None else ("control", control)
    return [weak_reference(m, s, c, words[0], words[1]) for m, s, c in rows]  # type: ignore[arg-type]


def named_pairs(terms: ErrorTerms, algorithms: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((algorithms[i], algorithms[j]) for i, j in terms.pairs)
