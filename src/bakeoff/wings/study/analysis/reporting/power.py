"""From a study of power on draws of problems to the format-free Document, to JSON, and to columns."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from bakeoff import numerals
from bakeoff.dataclass import dataclass, fields
from bakeoff.numerals import decimals, significant
from bakeoff.report import sections
from bakeoff.report.document import Block, Column, Figure, Row, Section, Table, Text
from bakeoff.report.methods import joined, mark, sample, software, text
from bakeoff.report.reporting import SIZES, Reporting, rows_of, sheet_columns
from bakeoff.wings.study import KnownTruth, PowerStudy
from bakeoff.wings.study.analysis.figure import FAMILIES, PowerPlot, families
from bakeoff.wings.study.many_tables.procedures import TESTS
from bakeoff.wings.study.power_measures import PowerRow

# Tables of a study of power: a row for each procedure, a column for each bias or shift.


Item = TypeVar("Item")
LOOKS = {"pair": "pair", "table": "table", "control": "control", "pairs": "all pairs"}


@dataclass(frozen=True, slots=True)
class Steps(Generic[Item]):
    """A study by its steps: the symbol of the bias or the shift, its values, and the row of a procedure at one."""

    symbol: str
    values: Sequence[float]
    row: Callable[[str, float], Item]

    def table(
        self,
        key: str,
        caption: str,
        tests: Sequence[str],
        cell: Callable[[Item], str],
        note: str = "",
        folded: bool = False,
    ) -> Table:
        """Tabulate what ``cell`` says of each procedure at each step."""
        columns = (
            Column("test", "procedure"),
            Column("looks", "looks at", rank=1),
            *(Column(str(i), f"{self.symbol} = {significant(x, 3)}", numeric=True) for i, x in enumerate(self.values)),
        )
        rows = [
            Row((TESTS[test].short, LOOKS[TESTS[test].looks], *(cell(self.row(test, x)) for x in self.values)))
            for test in tests
        ]
        return Table(key=key, caption=caption, columns=columns, rows=rows, note=note, folded=folded, square=True)


def share(count: int | None, draws: int) -> str:
    """In percent; a dash where nothing could be counted."""
    return "–" if count is None else decimals(100 * count / draws, 1)


def both(study: PowerStudy | KnownTruth) -> str:
    """The two algorithms, by name."""
    return f"{numerals.plain(study.a)} and {numerals.plain(study.b)}"


def applied(study: PowerStudy | KnownTruth) -> str:
    """The procedures in a sentence, with citations."""
    return ", ".join(f"{TESTS[test].phrase}{mark(TESTS[test])}" for test in study.tests)


def largest_error(rows: Sequence[PowerRow], error: Callable[[PowerRow], float | None]) -> float:
    """The largest of the standard errors of a table."""
    return max((one for row in rows if (one := error(row)) is not None), default=0.0)


def figures(study: PowerStudy | KnownTruth) -> tuple[Figure, ...]:
    """One for each family of procedures."""
    return tuple(
        Figure(PowerPlot(study=study, family=family), f"{FAMILIES[family].capitalize()}.", key=family, small=True)
        for family in families(study)
    )


def verdict(study: PowerStudy) -> str:
    """State how much the answer depends on the procedure, at the largest bias."""
    k = study.bias[-1]
    rows = [row for row in study.rows if row.k == k]
    of_pair = [row for row in rows if TESTS[row.test].looks != "table"] or rows
    low, high = (pick(of_pair, key=lambda row: row.rejections) for pick in (min, max))
    what = f"{both(study)} are declared different" if of_pair is not rows else "A difference is declared"
    drawn = f"of {study.draws} draws of {study.size} of {numerals.count(study.drawn_from, study.unit)}"
    at = f" at bias {significant(k, 3)}"
    if len(of_pair) == 1:
        return f"{what} in {share(low.rejections, low.draws)} % {drawn}{at}, by {TESTS[low.test].phrase}."
    return (
        f"{what} in {share(low.rejections, low.draws)} % ({TESTS[low.test].short}) to "
        f"{share(high.rejections, high.draws)} % ({TESTS[high.test].short}) {drawn}{at}."
    )


def _basis(study: PowerStudy) -> str:
    led = numerals.plain(study.b) if study.lead == "pair" else "the average of the others"
    unit = "" if study.scale == 1.0 else f"/{significant(study.scale, 3)}"
    return (
        f"{numerals.count(study.draws, 'draw')} at each bias k; a {study.unit}'s chance is proportional to 1/(1 + "
        f"exp(−k·d{unit})), where d is how much better {numerals.plain(study.a)} is than {led}. α = {study.alpha:g}, "
        f"seed {study.seed}."
    )


def _steps(study: PowerStudy) -> Steps[PowerRow]:
    return Steps("k", study.bias, study.row)


def _rejections(study: PowerStudy) -> Table:
    worst = largest_error(study.rows, lambda row: row.rejections_se)
    return _steps(study).table(
        "rejections",
        f"Draws, of {study.draws}, in which {both(study)} are declared different",
        study.tests,
        lambda row: str(row.rejections),
        f"Monte Carlo standard errors are at most {decimals(worst, 1)}. Procedures that look at the table test whether "
        f"any algorithms differ; those with a control compare all others with {numerals.plain(study.a)}.",
    )


def _pvalues(study: PowerStudy) -> tuple[Block, ...]:
    worst = largest_error(study.rows, lambda row: row.mean_p_se)
    tables: list[Block] = [
        _steps(study).table(
            "mean-p",
            "Mean p of the pair, adjusted where a family is tested; of the table for tests of all algorithms",
            study.tests,
            lambda row: decimals(row.mean_p, 3),
            f"Monte Carlo standard errors are at most {decimals(worst, 3)}. A Bayesian decision has twice the smaller "
            "posterior probability in place of p.",
        )
    ]
    of_family = [test for test in study.tests if study.row(test, study.bias[0]).mean_p_all is not None]
    if of_family:
        worst = largest_error(study.rows, lambda row: row.mean_p_all_se)
        tables.append(
            _steps(study).table(
                "mean-p-all",
                "Mean adjusted p of all pairs of the family",
                of_family,
                lambda row: decimals(row.mean_p_all or 0.0, 3),
                f"Monte Carlo standard errors are at most {decimals(worst, 3)}.",
                folded=True,
            )
        )
    return tuple(tables)


def _replicabilities(study: PowerStudy) -> Table:
    worst = [largest_error(study.rows, error) for error in (lambda row: row.r_e_se, lambda row: row.r_p_se)]
    return _steps(study).table(
        "replicability",
        "Replicability R(e) / R(p)",
        study.tests,
        lambda row: f"{decimals(row.r_e, 2)} / {decimals(row.r_p, 2)}",
        "R(e): how often two draws agree on rejecting; R(p): 1 − 2 times the variance of p. Monte Carlo standard "
        f"errors are at most {decimals(worst[0], 3)} and {decimals(worst[1], 3)}.",
    )


def _reading(study: PowerStudy) -> list[tuple[str, str]]:
    points = [
        (
            "not evidence",
            "Problems are drawn knowing the result. A rejection here shows what a procedure detects on such "
            f"problems, not that {numerals.plain(study.a)} is better.",
        ),
        (
            "not power alone",
            "A procedure that rejects more may detect more or err more: the truth is not known. bo.study.known_truth "
            "(bakeoff study power --shift) tells the two apart.",
        ),
        (
            "R(e)",
            "It is lowest, one half, where half of the draws reject: a procedure near that looks unreliable because it "
            "is neither weak nor strong (Demšar 2006, section 4.2).",
        ),
    ]
    if any(test.startswith("bayes") for test in study.tests):
        points.append(
            (
                "Bayesian",
                f"A decision for one of the two needs a posterior probability above 1 − α/2 = {1 - study.alpha / 2:g}; "
                "if all problems agree, under every prior of the same strength.",
            )
        )
    return points


def _methods(study: PowerStudy) -> Text:
    deviation = " (their standard deviation)" if study.scale_asked == "sd" else ""
    divided = f"divided by {significant(study.scale, 4)}{deviation}"
    unit = "in score units" if study.scale_asked is None else divided
    steps = numerals.name_list([significant(k, 3) for k in study.bias])
    paragraph = (
        f"Power and replicability were studied as by Demšar [@demsar2006] and García et al. [@garcia2010]. At each "
        f"bias k = {steps}, {study.draws} samples of {study.size} {study.unit}s were drawn without replacement, one "
        "after the other with the remaining weights renormalised [@efraimidisspirakis2006]. Weights are "
        f"1/(1 + exp(−k·d)), d being differences {unit}. On each, these were applied at α = {study.alpha:g}: "
        f"{applied(study)}. Replicability is the share of pairs of samples with the same decision [@bouckaert2004], "
        "and 1 − 2·var(p)."
    )
    return joined(sample(study.scores), text(paragraph), software())


def _body(study: PowerStudy) -> list[Section | None]:
    return [
        Section("rejections", "Rejections", (_rejections(study),)),
        Section("figures", "Rejections and mean p over the bias", figures(study)),
        Section("pvalues", "Mean p", _pvalues(study)),
        Section("replicability", "Replicability", (_replicabilities(study),)),
        sections.points("reading", "How to read this", _reading(study)),
    ]


_OF_ROWS = [field.name for field in fields(PowerRow)]

REPORT = Reporting[PowerStudy](
    schema="bakeoff.study-power/1",
    title=lambda study: f"Power and replicability on {sections.sizes(study.scores)}",
    verdict=verdict,
    basis=_basis,
    body=_body,
    on_screen=("rejections", "replicability", "reading"),
    methods=_methods,
    keys=(
        *(*SIZES, "a", "b", "tests", "size", "unit", "drawn_from", "bias", "draws", "alpha", "scale", "scale_asked"),
        *("lead", "seed", "rows"),
    ),
    source=None,
    more=lambda study: [("seed", str(study.seed))],
    main=lambda study: sheet_columns(study.rows, *_OF_ROWS),
    second=lambda study: rows_of(study.rows, *_OF_ROWS),
)
