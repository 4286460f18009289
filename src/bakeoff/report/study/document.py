"""From simulated races to the format-free Document: a row for each method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff import numerals
from bakeoff.errors import Caution, counted
from bakeoff.nulls.binomial import clopper_pearson
from bakeoff.report import data
from bakeoff.report.document import Column, Document, Row, Table
from bakeoff.report.methods import versions
from bakeoff.report.sections import cautions_section, one_block, present, provenance_section
from bakeoff.report.sheets import Sheets
from bakeoff.reportable import Reportable
from bakeoff.study import RaceErrors, RaceStudy

INTERVAL = 0.95
_INTERVALS = "In parentheses, the 95 % interval of a share of races (Clopper and Pearson)."


@dataclass(frozen=True, slots=True)
class Studies(Reportable):
    """What ``bakeoff study`` found: results of one study, each with the options of its method."""

    kind: ClassVar[str] = "study"
    name: str  # "race" or "race-errors"
    found: Sequence[tuple[dict[str, Any], RaceStudy | RaceErrors]]
    seed: int = 0

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """Of every method, with its name."""
        return tuple(
            Caution(code=c.code, text=f"{result.method}: {c.text}", reference=c.reference)
            for _, result in self.found
            for c in result.cautions
        )


def document(studies: Studies, command: str | None = None) -> Document:
    """A table, and how to read it."""
    races = [(options, result) for options, result in studies.found if isinstance(result, RaceStudy)]
    errors = [(options, result) for options, result in studies.found if isinstance(result, RaceErrors)]
    table, design = (_choices(races), _design(races[0][1])) if races else (_errors(errors), _field(errors[0][1]))
    asked = "Whom a race chooses, and how long it takes" if races else "How often a race eliminates a best candidate"
    of = counted(len(studies.found), "racing rule")
    sections = [
        one_block("study", "Simulated races", table),
        cautions_section(studies.cautions),
        provenance_section(command=command),
    ]
    return Document(
        title="A study of racing rules",
        verdict=f"{asked}: {of}, simulated.",
        basis=f"{design} {counted(studies.found[0][1].repetitions, 'race')} a row, seed {studies.seed}.",
        sections=present(sections),
        on_screen=("study", "cautions"),
    )


def _design(one: RaceStudy) -> str:
    return (
        f"{counted(one.n_candidates, 'candidate')}, means uniform on [0, 1], standard deviation {one.rho:g}; at most "
        f"{counted(one.rounds, 'round')} of {counted(one.block, 'problem')}."
    )


def _field(one: RaceErrors) -> str:
    others = one.n_candidates - one.n_best
    field = (
        f"{counted(one.n_candidates, 'candidate')}, all equal"
        if not others
        else (
            f"{one.n_best} equal and best of {counted(one.n_candidates, 'candidate')}, each beating the other {others} "
            f"with probability {one.chance:g}"
        )
    )
    return (
        f"{field}; {one.noise} noise; at most {counted(one.n_problems, 'problem')}, a look after every "
        f"{counted(one.block, 'problem')}."
    )


def _choices(found: Sequence[tuple[dict[str, Any], RaceStudy]]) -> Table:
    columns = (
        Column(key="method", title="method"),
        Column(key="iterations", title="ITER", numeric=True, legend="ITER: share of the rounds that was used."),
        Column(key="mae", title="MAE", numeric=True, legend="MAE: how many candidates are better than the one chosen."),
        Column(key="best_lost", title="best eliminated", numeric=True, legend=_INTERVALS),
        Column(key="n_survivors", title="survivors", numeric=True, rank=1),
        Column(key="n_equivalent", title="equivalent", numeric=True, rank=2),
        Column(
            key="evaluations",
            title="evaluations each",
            numeric=True,
            legend="Evaluations: per candidate. ± is one standard error.",
        ),
    )
    rows = [
        (
            _label(r, options),
            f"{r.iterations:.2f} ± {r.iterations_error:.2f}",
            f"{r.mae:.2f} ± {r.mae_error:.2f}",
            _share(r.best_lost, r.repetitions),
            f"{r.n_survivors:.1f}",
            f"{r.n_equivalent:.1f}",
            f"{r.evaluations:.1f}",
        )
        for options, r in found
    ]
    return _table("Choices of simulated races", columns, rows)


def _errors(found: Sequence[tuple[dict[str, Any], RaceErrors]]) -> Table:
    columns = (
        Column(key="method", title="method"),
        Column(key="lost", title="a given best one eliminated", numeric=True, legend=_INTERVALS),
        Column(key="any_lost", title="any best one eliminated", numeric=True),
    )
    rows = [
        (_label(r, options), _share(r.lost, r.repetitions), _share(r.any_lost, r.repetitions)) for options, r in found
    ]
    return _table("Errors of simulated races", columns, rows)


def _table(caption: str, columns: tuple[Column, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    note = " ".join(column.legend for column in columns if column.legend)
    return Table(key="study", caption=caption, columns=columns, rows=[Row(cells=row) for row in rows], note=note)


def _share(share: float, races: int) -> str:
    """A share of races in percent, and its interval: 0 of 100 may still be 3.6 %."""
    low, high = clopper_pearson(round(share * races), races, INTERVAL)
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _label(result: RaceStudy | RaceErrors, options: dict[str, Any]) -> str:
    """The method and what was chosen for it."""
    chosen = ", ".join(f"{name} = {value}" for name, value in options.items())
    return numerals.plain(f"{result.method} ({chosen})" if chosen else result.method)


def to_dict(studies: Studies, command: str | None = None) -> dict[str, Any]:
    """The fields of the results under their own names."""
    return {
        "schema": f"bakeoff.study.{studies.name}/1",
        "seed": studies.seed,
        "studies": [{**data.plain(result), "options": options} for options, result in studies.found],
        "versions": {"bakeoff": versions()["bakeoff"]},
    }


def sheets(studies: Studies) -> Sheets:
    """A row for each method: its numbers, and what was chosen for it."""
    rows = [
        {
            "method": _label(result, options),
            **{k: v for k, v in data.plain(result).items() if k not in ("method", "cautions")},
        }
        for options, result in studies.found
    ]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return Sheets(
        pairs=columns, ranking=[tuple(columns), *zip(*columns.values(), strict=True)], cautions=studies.cautions
    )
