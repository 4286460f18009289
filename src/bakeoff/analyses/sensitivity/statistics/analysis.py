"""One analysis (a test of pairs, a correction, alpha) and what it decides about a table; as ``compare`` does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.statistics.catalogue import Recipe
from bakeoff.analyses.compare.statistics.corrections import adjusted_family
from bakeoff.analyses.compare.statistics.pair_test import (
    PairTestChoice,
    choose_pair_test,
    standard_errors,
    tested_pairs,
)
from bakeoff.analyses.compare.statistics.reach import ExperimentDesign
from bakeoff.analyses.compare.statistics.recipes import RECIPES
from bakeoff.analyses.compare.statistics.results import Comparison, Verdict
from bakeoff.analyses.compare.statistics.units import Units, units_of
from bakeoff.dataclass import dataclass, replace
from bakeoff.omnibus import OMNIBUS
from bakeoff.omnibus.evidence import pvalue_floor
from bakeoff.posthoc.pairs import PairTests, StandardError
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import Family, family_of

Signs = npt.NDArray[np.int8]
Rows = npt.NDArray[np.intp]
WORDS: dict[int, Verdict] = {1: "a better", -1: "b better", 0: "no difference shown"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExaminedTable:
    """The tables that tests take, a row per unit: a problem, or a cluster of problems."""

    units: Units
    transform: str | None
    control: int | None

    @classmethod
    def of(cls, scores: Scores, unit: str, transform: str | None, control: int | None) -> ExaminedTable:
        return cls(units=units_of(scores, unit, transform, None, None), transform=transform, control=control)

    @property
    def scores(self) -> Scores:
        """The table that shows who won."""
        return self.units.rows

    @property
    def measured(self) -> Scores:
        """Whose differences are taken: the scores or their logarithms."""
        return self.units.measured

    @property
    def family(self) -> Family:
        return family_of(self.scores.n_algorithms, self.control)

    def rows(self, places: Rows) -> ExaminedTable:
        """The rows at these places; one may come several times."""
        tables = (self.units.rows, self.units.measured, self.units.ranked)
        made = {id(table): _rows(table, places) for table in {id(table): table for table in tables}.values()}
        rows, measured, ranked = (made[id(table)] for table in tables)
        return replace(self, units=replace(self.units, rows=rows, measured=measured, ranked=ranked))

    def without_algorithm(self, column: int) -> ExaminedTable:
        """One algorithm less, never the control."""
        scores = self.units.original
        kept = [j for j in range(scores.n_algorithms) if j != column]
        control = None if self.control is None else kept.index(self.control)
        return self.of(scores.select(algorithms=kept), self.units.unit, self.transform, control)

    def with_scores(self, scores: Scores) -> ExaminedTable:
        """Other scores of the same algorithms, problems and clusters."""
        return self.of(scores, self.units.unit, self.transform, self.control)


def _rows(scores: Scores, places: Rows) -> Scores:
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    names = [f"P{i + 1}" for i in range(len(places))]
    return Scores.from_cells(cells[places], scores.algorithms, names, better=scores.better)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decided:
    """The decisions of an analysis about one table."""

    tests: PairTests
    adjusted: Array  # (m,)
    signs: Signs  # (m,) 1: a better, −1: b better, 0: no difference shown
    unable: bool  # no outcome of as many problems could have reached alpha

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return tuple("cannot tell" if self.unable else WORDS[sign] for sign in self.signs.tolist())


@dataclass(frozen=True, slots=True, kw_only=True)
class ExaminedAnalysis:
    """The choices that make a verdict."""

    chosen: PairTestChoice
    method: str  # the correction
    forms: tuple[StandardError, StandardError]
    alpha: float
    recipe: Recipe | None = None

    @classmethod
    def of(cls, comparison: Comparison) -> ExaminedAnalysis:
        """The one that this comparison decided by."""
        request: Mapping[str, Any] = comparison.request
        recipe = None if comparison.recipe is None else RECIPES[comparison.recipe]
        chosen = choose_pair_test(comparison.scores.values, request["pairwise"], request["posthoc"], recipe)
        forms = standard_errors(request["standard_error"], chosen.name, comparison.primary, recipe)
        return cls(chosen=chosen, method=comparison.primary, forms=forms, alpha=comparison.alpha, recipe=recipe)

    @property
    def printed(self) -> bool:
        """A recipe means by its correction what its paper prints under that name."""
        return self.recipe is not None and self.method in self.recipe.printed

    def tested(self, table: ExaminedTable) -> tuple[PairTests, float | None]:
        """The raw tests of the family, and the papers' standard error of mean ranks if that is in force."""
        tests = tested_pairs(table.units.for_test(self.chosen.name), table.family, self.chosen, self.forms, None)
        return tests.tests, tests.printed_error

    def decide(self, table: ExaminedTable, tested: tuple[PairTests, float | None] | None = None) -> Decided:
        """As ``compare`` decides: one table, every step of its own; ``tested``, if the raw tests are there already."""
        tests, printed_error = tested or self.tested(table)
        adjusted = adjusted_family(table.measured, table.family, tests, self.method, table.control, self.printed)
        unable = self.unable(table, printed_error)
        closed = unable or self.gated(table)
        return Decided(
            tests=tests, adjusted=adjusted, signs=self.signs(adjusted, tests.direction, closed), unable=unable
        )

    def signs(self, adjusted: Array, direction: Array, closed: bool) -> Signs:
        directions = np.where(adjusted <= self.alpha, np.sign(direction), 0.0).astype(np.int8)
        return np.zeros_like(directions) if closed else directions

    def unable(self, table: ExaminedTable, printed_error: float | None) -> bool:
        """Whether no outcome could have reached alpha."""
        n, k = table.scores.values.shape
        design = ExperimentDesign(
            n=n,
            k=k,
            control=table.control is not None,
            pairwise=self.chosen.name,
            printed_error=printed_error,
            gate=0.0 if self.recipe is None else pvalue_floor(n, k),
        )
        return design.reach(self.method) > self.alpha

    def gated(self, table: ExaminedTable) -> bool:
        """Whether a recipe's omnibus test lets no pair be declared different."""
        if self.recipe is None:
            return False
        record = OMNIBUS[self.recipe.omnibus]
        options = {"ties": "none"} if record.takes_ties else {}
        return bool(record.function(table.scores, **options).pvalue > self.alpha)


def examined_table(comparison: Comparison) -> ExaminedTable:
    scores = comparison.scores
    control = None if comparison.control is None else scores.index(comparison.control)
    return ExaminedTable.of(scores, comparison.unit, comparison.transform, control)
