"""From simulated races to the format-free Document: a row for each method."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from bakeoff import numerals
from bakeoff.errors import Caution, counted
from bakeoff.nulls.binomial import clopper_pearson
from bakeoff.numerals import decimals
from bakeoff.report import data, sections
from bakeoff.report.document import Document, Sheets, Shown, Table, numeric, tabulate, words
from bakeoff.report.methods import versions
from bakeoff.reportable import Reportable
from bakeoff.study import RaceErrors, RaceStudy

INTERVAL = 0.95
_INTERVALS = "In parentheses, the 95 % interval of a share of races (Clopper and Pearson)."


@dataclass(frozen=True, slots=True, repr=False)
class Studies(Reportable):
    """What ``bakeoff study`` found: results of one study, each with the options of its method."""

    kind: ClassVar[str] = "study"
    name: str  # "race" or "race-errors"
    found: Sequence[tuple[dict[str, Any], RaceStudy | RaceErrors]]
    seed: int = 0

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """Of every method, with its name."""
        return tuple(replace(c, text=f"{result.method}: {c.text}") for _, result in self.found for c in result.cautions)


def verdict(studies: Studies) -> str:
    """What was asked."""
    chosen = isinstance(studies.found[0][1], RaceStudy)
    asked = "Whom a race chooses, and how long it takes" if chosen else "How often a race eliminates a best candidate"
    return f"{asked}: {counted(len(studies.found), 'racing rule')}, simulated."


def document(studies: Studies, command: str | None = None) -> Document:
    """A table, and how to read it."""
    races = [(options, result) for options, result in studies.found if isinstance(result, RaceStudy)]
    errors = [(options, result) for options, result in studies.found if isinstance(result, RaceErrors)]
    table, design = (_choices(races), _design(races[0][1])) if races else (_errors(errors), _field(errors[0][1]))
    return Document(
        title="A study of racing rules",
        verdict=verdict(studies),
        basis=f"{design} {counted(studies.found[0][1].repetitions, 'race')} a row, seed {studies.seed}.",
        sections=sections.present(
            sections.one_block("study", "Simulated races", table),
            sections.cautions(studies.cautions),
            sections.provenance(None, command),
        ),
        on_screen=("study", "cautions"),
        doubts=sections.doubts(studies.cautions),
    )


def _design(one: RaceStudy) -> str:
    return (
        f"{counted(one.n_candidates, 'candidate')}, means uniform on [0, 1], standard deviation {one.rho:g}; at most "
        f"{counted(one.rounds, 'round')} of {counted(one.block, 'problem')}."
    )


def _field(one: RaceErrors) -> str:
    candidates, others = counted(one.n_candidates, "candidate"), one.n_candidates - one.n_best
    field = f"{candidates}, all equal"
    if others:
        field = f"{one.n_best} equal and best of {candidates}, each beating the other {others} with probability "
        field += f"{one.chance:g}"
    return (
        f"{field}; {one.noise} noise; at most {counted(one.n_problems, 'problem')}, a look after every "
        f"{counted(one.block, 'problem')}."
    )


def _choices(found: Sequence[tuple[dict[str, Any], RaceStudy]]) -> Table:
    mae = "MAE: how many candidates are better than the one chosen."
    evaluations = "Evaluations: per candidate. ± is one standard error."
    shown: list[Shown[tuple[dict[str, Any], RaceStudy]]] = [
        words("method", "method", _label),
        numeric(
            "iterations",
            "ITER",
            lambda x: f"{decimals(x[1].iterations, 2)} ± {decimals(x[1].iterations_error, 2)}",
            legend="ITER: share of the rounds that was used.",
        ),
        numeric("mae", "MAE", lambda x: f"{decimals(x[1].mae, 2)} ± {decimals(x[1].mae_error, 2)}", legend=mae),
        numeric("best_lost", "best eliminated", lambda x: _share(x[1].best_lost, x[1].repetitions), legend=_INTERVALS),
        numeric("n_survivors", "survivors", lambda x: decimals(x[1].n_survivors, 1), rank=1),
        numeric("n_equivalent", "equivalent", lambda x: decimals(x[1].n_equivalent, 1), rank=2),
        numeric("evaluations", "evaluations each", lambda x: decimals(x[1].evaluations, 1), legend=evaluations),
    ]
    return tabulate("study", "Choices of simulated races", shown, found)


def _errors(found: Sequence[tuple[dict[str, Any], RaceErrors]]) -> Table:
    shown: list[Shown[tuple[dict[str, Any], RaceErrors]]] = [
        words("method", "method", _label),
        numeric(
            "lost", "a given best one eliminated", lambda x: _share(x[1].lost, x[1].repetitions), legend=_INTERVALS
        ),
        numeric("any_lost", "any best one eliminated", lambda x: _share(x[1].any_lost, x[1].repetitions)),
    ]
    return tabulate("study", "Errors of simulated races", shown, found)


def _share(share: float, races: int) -> str:
    """A share of races in percent, and its interval: 0 of 100 may still be 3.6 %."""
    low, high = clopper_pearson(round(share * races), races, INTERVAL)
    return f"{decimals(100 * share, 1)} % ({decimals(100 * low, 1)} to {decimals(100 * high, 1)})"


def _label(one: tuple[dict[str, Any], RaceStudy | RaceErrors]) -> str:
    """The method and what was chosen for it."""
    options, result = one
    chosen = ", ".join(f"{name} = {value}" for name, value in options.items())
    return numerals.plain(f"{result.method} ({chosen})" if chosen else result.method)


def to_dict(studies: Studies, command: str | None = None) -> dict[str, Any]:
    """The fields of the results under their own names."""
    return {
        "schema": f"bakeoff.study.{studies.name}/1",
        "seed": studies.seed,
        "studies": [{**data.plain_data(result), "options": options} for options, result in studies.found],
        "versions": {"bakeoff": versions()["bakeoff"]},
    }


def sheets(studies: Studies) -> Sheets:
    """A row for each method: its numbers, and what was chosen for it."""
    rows = [data.plain_data(result) | {"method": _label((options, result))} for options, result in studies.found]
    columns = {name: [row[name] for row in rows] for name in rows[0] if name != "cautions"}
    ranking = [tuple(columns), *zip(*columns.values(), strict=True)]
    return Sheets(pairs=columns, ranking=ranking, cautions=studies.cautions)
