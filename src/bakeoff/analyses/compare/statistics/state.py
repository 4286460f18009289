"""The state of a comparison: what it is asked for, and what its stages find one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff.analyses.compare.statistics.catalogue import Recipe
from bakeoff.analyses.compare.statistics.corrections import Correction, Wanted
from bakeoff.analyses.compare.statistics.pair_test import PairTestChoice, Tested
from bakeoff.analyses.compare.statistics.reach import ExperimentDesign
from bakeoff.analyses.compare.statistics.results import EffectScale, Pair, Verdict
from bakeoff.analyses.compare.statistics.sizes import PairSizes
from bakeoff.analyses.compare.statistics.units import ANOVA, Dependence, SharedRows, Units
from bakeoff.analyses.compare.statistics.verdicts import PairBounds
from bakeoff.dataclass import dataclass, field, fields
from bakeoff.errors import Caution
from bakeoff.paired.many_pairs import Progress
from bakeoff.posthoc.pairs import StandardError
from bakeoff.ranks import Ints
from bakeoff.scores import Array, Scores
from bakeoff.scores.margins import Margin
from bakeoff.scores.pair_family import Family


@dataclass(slots=True, kw_only=True)
class Request:
    """The arguments of ``compare`` in the order in which JSON has them."""

    control: str | int | None
    omnibus: str
    pairwise: str | None
    posthoc: str | Sequence[str] | None
    alpha: float
    recipe: str | None
    standard_error: str | None
    transform: str | None
    effect: EffectScale
    intervals: str
    unit: str
    margin: float | str | None
    rng: int | np.random.Generator | None
    missing: str | None
    also: Sequence[str] | None

    def as_data(self, seed: int | None, planned: Wanted) -> dict[str, Any]:
        """As JSON can hold it; a seed where something was sampled."""
        data = {one.name: getattr(self, one.name) for one in fields(self)}
        if not (self.posthoc is None or isinstance(self.posthoc, str)):
            data["posthoc"] = list(self.posthoc) if isinstance(self.posthoc, Sequence) else list(planned.methods)
        data["also"] = None if self.also is None else list(self.also)
        data["rng"] = seed
        return {name: value for name, value in data.items() if value is not None or name not in IF_GIVEN}


IF_GIVEN = ("margin", "missing", "also")
"""Arguments that a result leaves out if nobody names them."""


@dataclass(slots=True, kw_only=True)
class Comparing:
    """One comparison: what is asked for, then what each stage adds, in the order of the stages."""

    scores: Scores
    request: Request
    progress: Progress | None
    # tables
    incomplete: bool = field(init=False)
    family: Family = field(init=False)
    control: int | None = field(init=False)  # its column
    seed: int | None = field(init=False)
    units: Units = field(init=False)
    rows: list[SharedRows] = field(init=False)  # which each pair is compared on
    dependence: Dependence | None = field(init=False)  # of folds of one data set, or rows in time
    undone: list[bool] = field(init=False)  # pairs with one process a side, of which nothing can be told
    # choices
    recipe: Recipe | None = field(init=False)
    chosen: PairTestChoice = field(init=False)
    planned: Wanted = field(init=False)
    margin: Margin | None = field(init=False)
    forms: tuple[StandardError, StandardError] = field(init=False)  # of z tests, and of the studentized range
    scale: EffectScale = field(init=False)
    # ranks, omnibus
    doubled: Ints = field(init=False)  # (n, k) ranks within rows, twice; none if scores are missing
    test: Any = field(init=False)
    companion: Any = field(init=False)
    ranking: str = field(init=False)
    mean_ranks: Array = field(init=False)
    # pairs, corrections, verdicts, bounds
    tested: Tested = field(init=False)
    correction: Correction = field(init=False)
    design: ExperimentDesign = field(init=False)
    reach: Array = field(init=False)  # (m,) the smallest adjusted p that any outcome could have given
    decided: list[Verdict] = field(init=False)  # by p-values alone
    verdicts: list[Verdict] = field(init=False)
    bounds: Sequence[PairBounds | None] = field(init=False)
    gathers: bool = False  # missing scores, which nobody said to be missing by chance
    # sizes, margins, groups, cautions
    sizes: PairSizes = field(init=False)
    of_margin: dict[str, list[float]] = field(init=False)  # the fields of pairs, if there is a margin
    margin_cautions: list[Caution] = field(init=False)
    pairs: tuple[Pair, ...] = field(init=False)
    groups: tuple[tuple[str, ...], ...] = field(init=False)
    groups_left_out: list[Caution] = field(init=False)
    cautions: tuple[Caution, ...] = field(init=False)

    @property
    def omnibus(self) -> str:
        """The test of all algorithms: as asked for, or that of means where rows depend on each other."""
        return self.request.omnibus if self.dependence is None else ANOVA

    @property
    def bounded(self) -> bool:
        """Over all completions of a table with missing scores."""
        return self.incomplete and self.request.missing == "bounds"

    @property
    def closed(self) -> bool:
        """Does a recipe's omnibus test let no pair be declared different?"""
        return self.recipe is not None and bool(self.test.pvalue > self.request.alpha)

    @property
    def effects_by(self) -> Sequence[str]:
        """The test that the effect of each pair follows: beside an analysis of variance of means, that of means."""
        if self.omnibus == "anova" and self.tested.name not in ("sign", "sign-without-ties"):
            return ["t"] * len(self.tested.each)
        return self.tested.each

    def names(self, places: Sequence[int]) -> list[str]:
        """The pairs at these places of the family."""
        names = self.scores.algorithms
        return [f"{names[a]} – {names[b]}" for a, b in (self.family[i] for i in places)]
