"""Rows that are not independent: folds of one data set, and rows in time.

Neither asks for tests of its own. The deviations of folds are widened, a series becomes a few independent averages
(``means.folds``, ``means.serial``), and t, analysis of variance, intervals and margins are those of that table.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bakeoff.analyses.compare.statistics.corrections import DEFAULT_OF_SIGNS, Wanted, choose_corrections
from bakeoff.analyses.compare.statistics.pair_test import PairTestChoice
from bakeoff.analyses.compare.statistics.units import ANOVA, Dependence, Units
from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.means.folds import ONCE_EACH, default_test, fold_table, widened_folds
from bakeoff.means.serial import refuse_groups_of_series, serial_mean
from bakeoff.posthoc.pairs import OF_FOLDS, PAIRWISE
from bakeoff.ranks.measured_scores import measured_scores
from bakeoff.scores import Scores

if TYPE_CHECKING:
    from bakeoff.analyses.compare.statistics.state import Request

FOLDS = Dependence(
    unit="fold",
    what="folds of one data set, which share training data",
    tests=tuple(OF_FOLDS),
    reason="the default for folds of one data set: the variance counts the training data that they share",
)
REPEATED = "the default for repeated folds of one data set: a repeat tests the same items again, so it counts once"
ROWS = Dependence(
    unit="row",
    what="rows in time, which resemble their neighbours",
    tests=("t",),
    reason="rows in time: the mean difference, by as many independent averages as the series is worth",
)


def dependence_of(scores: Scores) -> Dependence | None:
    """None of rows that are independent."""
    if scores.serial:
        return ROWS
    return FOLDS if scores.is_one_data_set else None


def dependent_units(scores: Scores, dependence: Dependence, request: Request) -> Units:
    """The tables that tests take; what cannot be asked of such rows is refused."""
    _refuse(request, dependence)
    if dependence is ROWS:
        refuse_groups_of_series(scores)
        rows, used = scores, _averages
    else:
        assert scores.folds is not None
        rows, test = fold_table(scores), request.pairwise or _of_folds(scores)
        used = partial(widened_folds, fraction=scores.folds, test=test)
    observed = measured_scores(rows, request.transform)
    return Units(
        unit=dependence.unit,
        original=scores,
        problems=rows,
        measured=used(observed),
        rows=rows,
        ranked=observed,
        independent=used,
    )


def choose_dependent(
    scores: Scores, request: Request, dependence: Dependence, control: bool
) -> tuple[PairTestChoice, Wanted]:
    """A test of means, and Holm's correction unless another one is asked for."""
    if request.pairwise is None:
        usual = _of_folds(scores) if dependence is FOLDS else dependence.tests[0]
        reason = REPEATED if usual == ONCE_EACH else dependence.reason
        chosen = PairTestChoice(name=usual, reason=reason, named=False)
    else:
        chosen = PairTestChoice(name=request.pairwise, reason="asked for", named=True)
    if request.posthoc is None:
        reason = f"the default for {dependence.unit}s that depend on each other: it needs no other assumption"
        return chosen, Wanted(methods=(DEFAULT_OF_SIGNS,), named=False, reason=reason)
    return chosen, choose_corrections(request.posthoc, control, ANOVA, chosen.name, scores.n_algorithms, None)


def refuse_holes(dependence: Dependence | None) -> None:
    """Missing scores of rows that depend on each other."""
    if dependence is not None:
        rule = (
            f"has missing scores, and {dependence.what}, are judged together. Leave out rows with one: missing='drop'"
        )
        raise ScoreError(rule, parameter="scores")


def refuse_without_folds(pairwise: str | None) -> None:
    """A test of folds where there are none."""
    if isinstance(pairwise, str) and pairwise in OF_FOLDS:
        rule = f"{pairwise!r} is for the folds of one data set: name their column with folds=, and that of repeats with"
        raise ParameterError(f"{rule} repeat=", parameter="pairwise")


def _of_folds(scores: Scores) -> str:
    """The usual test of the folds of one data set."""
    assert scores.folds is not None
    return default_test(int(scores.n_runs.max()), scores.folds)


def _averages(scores: Scores) -> Scores:
    return serial_mean(scores).averages


def _refuse(request: Request, dependence: Dependence) -> None:
    tests = " or ".join(map(repr, dependence.tests))
    if request.pairwise is not None and request.pairwise not in dependence.tests:
        name = str(request.pairwise)
        why = ", which takes rows as independent" if name in PAIRWISE else did_you_mean(name, dependence.tests)
        rule = f"must be {tests} for {dependence.what}; got {request.pairwise!r}{why}"
        raise ParameterError(rule, parameter="pairwise")
    if request.omnibus not in ("iman-davenport", ANOVA):
        rule = f"must be {ANOVA!r} (or left out) for {dependence.what}; got {request.omnibus!r}"
        raise ParameterError(rule, parameter="omnibus")
    if request.recipe is not None:
        raise ParameterError(
            f"takes rows as independent; these are {dependence.what}: leave it out", parameter="recipe"
        )
    if request.effect == "a12":
        raise ParameterError(f"'a12' counts rows as independent; these are {dependence.what}", parameter="effect")
