"""From simulated races to the format-free Document: a row for each method."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from bakeoff import numerals
from bakeoff.errors import Caution, counted
from bakeoff.nulls.binomial import clopper_pearson
from bakeoff.numerals import decimals
from bakeoff.report import data, sections
from bakeoff.report.document import ColumnSpec, Section, Table, number_column, tabulate, text_column
from bakeoff.report.methods import versions
from bakeoff.report.telling import Columns, Telling
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
    question = (
        "Whom a race chooses, and how long it takes" if chosen else "How often a race eliminates a best candidate"
    )
    return f"{question}: {counted(len(studies.found), 'racing rule')}, simulated."


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


def _choices(studies: Sequence[tuple[dict[str, Any], RaceStudy]]) -> Table:
    mae = "MAE: how many candidates are better than the one chosen."
    evaluations = "Evaluations: per candidate. ± is one standard error."
    shown: list[ColumnSpec[tuple[dict[str, Any], RaceStudy]]] = [
        text_column("method", "method", _label),
        number_column(
            "iterations",
            "ITER",
            lambda x: f"{decimals(x[1].iterations, 2)} ± {decimals(x[1].iterations_error, 2)}",
            legend="ITER: share of the rounds that was used.",
        ),
        number_column("mae", "MAE", lambda x: f"{decimals(x[1].mae, 2)} ± {decimals(x[1].mae_error, 2)}", legend=mae),
        number_column(
            "best_lost", "best eliminated", lambda x: _share(x[1].best_lost, x[1].repetitions), legend=_INTERVALS
        ),
        number_column("n_survivors", "survivors", lambda x: decimals(x[1].n_survivors, 1), rank=1),
        number_column("n_equivalent", "equivalent", lambda x: decimals(x[1].n_equivalent, 1), rank=2),
        number_column("evaluations", "evaluations each", lambda x: decimals(x[1].evaluations, 1), legend=evaluations),
    ]
    return tabulate("study", "Choices of simulated races", shown, studies)


def _errors(studies: Sequence[tuple[dict[str, Any], RaceErrors]]) -> Table:
    shown: list[ColumnSpec[tuple[dict[str, Any], RaceErrors]]] = [
        text_column("method", "method", _label),
        number_column(
            "lost", "a given best one eliminated", lambda x: _share(x[1].lost, x[1].repetitions), legend=_INTERVALS
        ),
        number_column("any_lost", "any best one eliminated", lambda x: _share(x[1].any_lost, x[1].repetitions)),
    ]
    return tabulate("study", "Errors of simulated races", shown, studies)


def _share(share: float, races: int) -> str:
    """A share of races in percent, and its interval: 0 of 100 may still be 3.6 %."""
    low, high = clopper_pearson(round(share * races), races, INTERVAL)
    return f"{decimals(100 * share, 1)} % ({decimals(100 * low, 1)} to {decimals(100 * high, 1)})"


def _label(one: tuple[dict[str, Any], RaceStudy | RaceErrors]) -> str:
    """The method and what was chosen for it."""
    options, result = one
    chosen = ", ".join(f"{name} = {value}" for name, value in options.items())
    return numerals.plain(f"{result.method} ({chosen})" if chosen else result.method)


def _body(studies: Studies) -> list[Section | None]:
    races = [(options, result) for options, result in studies.found if isinstance(result, RaceStudy)]
    errors = [(options, result) for options, result in studies.found if isinstance(result, RaceErrors)]
    return [sections.one_block("study", "Simulated races", _choices(races) if races else _errors(errors))]


def _basis(studies: Studies) -> str:
    one = studies.found[0][1]
    design = _design(one) if isinstance(one, RaceStudy) else _field(one)
    return f"{design} {counted(one.repetitions, 'race')} a row, seed {studies.seed}."


def _content(studies: Studies) -> dict[str, Any]:
    """The fields of the results under their own names."""
    return {
        "schema": f"bakeoff.study.{studies.name}/1",
        "seed": studies.seed,
        "studies": [{**data.plain_data(result), "options": options} for options, result in studies.found],
        "versions": {"bakeoff": versions()["bakeoff"]},
    }


def _columns(studies: Studies) -> Columns:
    """A row for each method: its numbers, and what was chosen for it."""
    rows = [data.plain_data(result) | {"method": _label((options, result))} for options, result in studies.found]
    return {name: [row[name] for row in rows] for name in rows[0] if name != "cautions"}


TELLING = Telling[Studies](
    schema="bakeoff.study.race/1",
    title=lambda studies: "A study of racing rules",
    verdict=verdict,
    basis=_basis,
    body=_body,
    on_screen=("study",),
    table=lambda studies: None,
    whole=_content,
    main=_columns,
    second=lambda studies: [tuple(_columns(studies)), *zip(*_columns(studies).values(), strict=True)],
)
