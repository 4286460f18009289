"""From a study with known truth to the format-free Document, to JSON, and to columns."""

from dataclasses import fields
from typing import Any

from bakeoff import numerals
from bakeoff.nulls.tails import clopper_pearson
from bakeoff.numerals import decimals, significant
from bakeoff.report import sections
from bakeoff.report.document import Block, Section, Table, Text, number_column, tabulate, text_column
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.reporting import SIZES, Reporting, rows_of, sheet_columns, values_of
from bakeoff.wings.study import KnownTruth
from bakeoff.wings.study.analysis.reporting.power import LOOKS, Steps, applied, both, figures, largest_error, share
from bakeoff.wings.study.many_tables.procedures import TESTS
from bakeoff.wings.study.power_measures import PowerRow

INTERVAL = 0.95


def verdict(study: KnownTruth) -> str:
    """Name the procedure of the pair that finds most at the same error."""
    shifts = study.shift[1:]
    if not shifts:
        return f"How often each procedure rejects what is true, in {study.draws} draws of {study.size} problems."
    compared = [test for test in study.tests if TESTS[test].looks != "table"]
    compared = [test for test in compared if study.row(test, 0.0).at_size is not None] or list(study.tests)

    def rejections(test: str, shift: float) -> int:
        row = study.row(test, shift)
        return row.power.rejections if row.at_size is None else row.at_size

    shift = next((s for s in shifts if 2 * max(rejections(test, s) for test in compared) >= study.draws), shifts[-1])
    best, least = (pick(compared, key=lambda test: rejections(test, shift)) for pick in (max, min))
    at = "At the same error" if study.row(best, 0.0).at_size is not None else "At their own errors"
    shown = [f"{share(rejections(test, shift), study.draws)} % ({TESTS[test].short})" for test in (least, best)]
    span = shown[1] if len(compared) == 1 else f"{shown[0]} to {shown[1]}"
    return (
        f"{at}, a shift of {significant(shift, 3)} between {both(study)} is "
        f"detected in {span} of {study.draws} draws of {numerals.count(study.size, study.unit)}."
    )


def _alike(study: KnownTruth) -> str:
    if len(study.null) == study.scores.n_algorithms:
        return "all algorithms"
    return numerals.name_list([numerals.plain(name) for name in study.null])


def _basis(study: KnownTruth) -> str:
    problems = numerals.count(study.drawn_from, study.unit)
    return (
        f"{numerals.count(study.draws, 'draw')} of {study.size} of {problems}; on each, the scores of {_alike(study)} "
        f"dealt to them at random, then {numerals.plain(study.a)} made better by the shift times "
        f"{significant(study.scale, 3)}. α = {study.alpha:g}, seed {study.seed}."
    )


def _errors(study: KnownTruth) -> Table | Any:
    rows = [study.row(test, 0.0) for test in study.tests]
    known = [row for row in rows if row.errors is not None]

    def interval(count: int) -> str:
        low, high = clopper_pearson(count, study.draws, INTERVAL)
        return f"{decimals(100 * low, 1)} to {decimals(100 * high, 1)}"

    return tabulate(
        "errors",
        "Draws at shift 0 in which a true hypothesis is rejected",
        [
            text_column("test", "procedure", lambda row: TESTS[row.test].short),
            text_column("looks", "looks at", lambda row: LOOKS[TESTS[row.test].looks], rank=1),
            number_column("errors", "errors", lambda row: str(row.errors)),
            number_column("share", "%", lambda row: share(row.errors, study.draws)),
            number_column("interval", "95 % interval", lambda row: interval(row.errors or 0)),
        ],
        known,
        strong=lambda row: clopper_pearson(row.errors or 0, study.draws, INTERVAL)[0] > study.alpha,
        note="Intervals of Clopper and Pearson. A procedure that tests several true hypotheses errs if it rejects any "
        "of them. Tests of all algorithms are listed if all are equal.",
    )


def _power(study: KnownTruth) -> tuple[Block, ...]:
    steps = Steps("shift", study.shift, study.row)
    worst = largest_error([row.power for row in study.rows], lambda row: row.rejections_se / row.draws)
    tables: list[Block] = [
        steps.table(
            "power",
            f"Percent of draws in which {both(study)} are declared different",
            study.tests,
            lambda row: share(row.power.rejections, study.draws),
            f"Monte Carlo standard errors are at most {decimals(100 * worst, 1)}.",
        )
    ]
    comparable = [test for test in study.tests if study.row(test, 0.0).at_size is not None]
    if comparable and len(study.shift) > 1:
        tables.append(
            steps.table(
                "at-size",
                f"The same, each procedure at the level that gives at most {100 * study.alpha:g} % errors at shift 0",
                comparable,
                lambda row: share(row.at_size, study.draws),
                "The level follows from the draws at shift 0; a discrete test may stay well below the error allowed.",
            )
        )
    return tuple(tables)


def _reading(study: KnownTruth) -> list[tuple[str, str]]:
    points = [
        (
            "what is true",
            f"At shift 0 there is no difference between {_alike(study)}; all other hypotheses are as in the real "
            f"scores. Beyond, {numerals.plain(study.a)} is better than each of the others among these.",
        ),
        (
            "the same error",
            "Compare procedures in the table at the same error: in the table above it, a procedure may reject more "
            "because it errs more.",
        ),
    ]
    if len(study.null) < study.scores.n_algorithms:
        points.append(
            (
                "partial null",
                "If some algorithms differ and others do not, z tests on mean ranks and the procedures of Finner and "
                'Li do not keep their level (errata F19). With null="all" all are equal.',
            )
        )
    return points


def _methods(study: KnownTruth) -> Text:
    level = f"{study.alpha:g}"
    paragraph = (
        f"In each of {study.draws} draws, {study.size} {study.unit}s were taken at random without replacement. The "
        "scores of algorithms that are equal by construction were permuted within each problem. One was then made "
        f"better by a shift. Applied at α = {level}: {applied(study)}. Power is also given at the level at which the "
        f"share of draws with a true hypothesis rejected is at most {level} without a shift. Draws of problems as in "
        "Demšar [@demsar2006], whose study has no known truth."
    )
    return joined(sample(study.scores), text(paragraph), software())


_MEASURED = [field.name for field in fields(PowerRow) if field.name not in ("test", "k")]
_OF_ROWS = ("test", "shift", "errors", "at_size", *(f"power.{name}" for name in _MEASURED))


def _rows(study: KnownTruth) -> list[dict[str, Any]]:
    return [values_of(row, _OF_ROWS) for row in study.rows]


def _body(study: KnownTruth) -> list[Section | None]:
    return [
        Section("errors", "Errors", (_errors(study),)),
        Section("power", "Power", _power(study)),
        Section("figures", "Rejections over the shift", figures(study)),
        sections.points("reading", "How to read this", _reading(study)),
    ]


REPORT = Reporting[KnownTruth](
    schema="bakeoff.study-known-truth/1",
    title=lambda study: f"Error and power, with the truth known, on {sections.sizes(study.scores)}",
    verdict=verdict,
    basis=_basis,
    body=_body,
    on_screen=("errors", "power", "reading"),
    methods=_methods,
    keys=(
        *(*SIZES, "a", "b", "null", "tests", "size", "unit", "drawn_from", "shift", "draws", "alpha", "scale", "seed"),
        ("rows", _rows),
    ),
    source=None,
    more=lambda study: [("seed", str(study.seed))],
    main=lambda study: sheet_columns(study.rows, *_OF_ROWS),
    second=lambda study: rows_of(study.rows, *_OF_ROWS),
)
