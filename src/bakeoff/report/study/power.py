"""From a study of power on draws of problems to the format-free Document, to JSON, and to columns."""

from dataclasses import fields
from typing import Any

from bakeoff import numerals
from bakeoff.figures.geometry.study.power_lines import FAMILIES, PowerPlot, families
from bakeoff.numerals import decimals, significant
from bakeoff.report import methods, sections
from bakeoff.report.data import finite, origin, plain_data
from bakeoff.report.document import Block, Document, Figure, Section, Sheets, Table, Text
from bakeoff.report.methods import joined, mark, sample, software, text
from bakeoff.report.study.power_tables import by_step, largest_error, share
from bakeoff.study import PowerStudy
from bakeoff.study.many_tables.procedures import TESTS
from bakeoff.study.power_measures import PowerRow

SCHEMA = "bakeoff.study.power/1"


def verdict(study: PowerStudy) -> str:
    """How much the answer depends on the procedure, at the largest bias."""
    k = study.bias[-1]
    rows = [row for row in study.rows if row.k == k]
    of_pair = [row for row in rows if TESTS[row.test].looks != "table"] or rows
    low, high = (pick(of_pair, key=lambda row: row.rejections) for pick in (min, max))
    pair = f"{numerals.plain(study.a)} and {numerals.plain(study.b)}"
    what = f"{pair} are found different" if of_pair is not rows else "A difference is found"
    drawn = f"of {study.draws} draws of {study.size} of {numerals.count(study.drawn_from, study.unit)}"
    at = f" at bias {significant(k, 3)}"
    if len(of_pair) == 1:
        return f"{what} in {share(low.rejections, low.draws)} % {drawn}{at}, by {TESTS[low.test].phrase}."
    return (
        f"{what} in {share(low.rejections, low.draws)} % ({TESTS[low.test].short}) to "
        f"{share(high.rejections, high.draws)} % ({TESTS[high.test].short}) {drawn}{at}."
    )


def document(study: PowerStudy, command: str | None = None) -> Document:
    """Rejections, mean p, replicability, the figures, and how to read them."""
    said = _methods(study)
    return Document(
        title=f"Power and replicability on {sections.sizes(study.scores)}",
        verdict=verdict(study),
        basis=_basis(study),
        sections=sections.present(
            Section("rejections", "Rejections", (_rejections(study),)),
            Section("figures", "Rejections and mean p over the bias", _figures(study)),
            Section("pvalues", "Mean p", _pvalues(study)),
            Section("replicability", "Replicability", _replicabilities(study)),
            sections.points("reading", "How to read this", _reading(study)),
            sections.cautions(study.cautions),
            sections.methods(said),
            sections.references(methods.cited(said)),
            sections.provenance(study.scores, command, ("seed", str(study.seed))),
        ),
        on_screen=("rejections", "replicability", "reading", "cautions"),
        doubts=sections.doubts(study.cautions),
    )


def _basis(study: PowerStudy) -> str:
    led = numerals.plain(study.b) if study.lead == "pair" else "the average of the others"
    unit = "" if study.scale == 1.0 else f"/{significant(study.scale, 3)}"
    return (
        f"{numerals.count(study.draws, 'draw')} at each bias k; a {study.unit}'s chance is proportional to "
        f"1/(1 + exp(−k·d{unit})), d how much better {numerals.plain(study.a)} is than {led}. α = {study.alpha:g}, "
        f"seed {study.seed}."
    )


def _rejections(study: PowerStudy) -> Table:
    worst = largest_error(study.rows, lambda row: row.rejections_se)
    pair = f"{numerals.plain(study.a)} and {numerals.plain(study.b)}"
    return by_step(
        "rejections",
        f"Draws, of {study.draws}, in which {pair} are found different",
        study.tests,
        study.bias,
        lambda test, k: str(study.row(test, k).rejections),
        "k",
        f"Monte Carlo standard errors are at most {decimals(worst, 1)}. Procedures that look at the table test whether "
        f"any algorithms differ; those with a control compare all others with {numerals.plain(study.a)}.",
    )


def _pvalues(study: PowerStudy) -> tuple[Block, ...]:
    worst = largest_error(study.rows, lambda row: row.mean_p_se)
    tables: list[Block] = [
        by_step(
            "mean-p",
            "Mean p of the pair, adjusted where a family is tested; of the table for tests of all algorithms",
            study.tests,
            study.bias,
            lambda test, k: decimals(study.row(test, k).mean_p, 3),
            "k",
            f"Monte Carlo standard errors are at most {decimals(worst, 3)}. A Bayesian decision has twice the smaller "
            "posterior probability in place of p.",
        )
    ]
    of_family = [test for test in study.tests if study.row(test, study.bias[0]).mean_p_all is not None]
    if of_family:
        worst = largest_error(study.rows, lambda row: row.mean_p_all_se)
        tables.append(
            by_step(
                "mean-p-all",
                "Mean adjusted p of all pairs of the family",
                of_family,
                study.bias,
                lambda test, k: decimals(study.row(test, k).mean_p_all or 0.0, 3),
                "k",
                f"Monte Carlo standard errors are at most {decimals(worst, 3)}.",
                folded=True,
            )
        )
    return tuple(tables)


def _replicabilities(study: PowerStudy) -> tuple[Block, ...]:
    def both(test: str, k: float) -> str:
        row = study.row(test, k)
        return f"{decimals(row.r_e, 2)} / {decimals(row.r_p, 2)}"

    worst = [largest_error(study.rows, error) for error in (lambda row: row.r_e_se, lambda row: row.r_p_se)]
    return (
        by_step(
            "replicability",
            "Replicability R(e) / R(p)",
            study.tests,
            study.bias,
            both,
            "k",
            "R(e): how often two draws agree on rejecting; R(p): 1 − 2 times the variance of p. Monte Carlo standard "
            f"errors are at most {decimals(worst[0], 3)} and {decimals(worst[1], 3)}.",
        ),
    )


def _figures(study: PowerStudy) -> tuple[Block, ...]:
    return tuple(
        Figure(PowerPlot(study=study, family=family), f"{FAMILIES[family].capitalize()}.", key=family, small=True)
        for family in families(study)
    )


def _reading(study: PowerStudy) -> list[tuple[str, str]]:
    points = [
        (
            "not evidence",
            "Problems are drawn knowing the result. A rejection here says what a procedure finds on such problems, "
            f"not that {numerals.plain(study.a)} is better.",
        ),
        (
            "not power alone",
            "A procedure that rejects more may find more or err more: the truth is not known. bo.study.known_truth "
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
    how = ", ".join(f"{TESTS[test].phrase}{mark(TESTS[test])}" for test in study.tests)
    if study.scale_asked is None:
        unit = "in score units"
    else:
        unit = f"divided by {significant(study.scale, 4)}"
        unit += " (their standard deviation)" if study.scale_asked == "sd" else ""
    steps = numerals.name_list([significant(k, 3) for k in study.bias])
    said = (
        f"Power and replicability were studied as by Demšar [@demsar2006] and García et al. [@garcia2010]: at each "
        f"bias k = {steps}, {study.draws} samples of {study.size} {study.unit}s were drawn without replacement, one "
        "after the other with the remaining weights renormalised [@efraimidisspirakis2006], with weights "
        f"1/(1 + exp(−k·d)), d being differences {unit}. On each, these were applied at α = {study.alpha:g}: {how}. "
        "Replicability is the share of pairs of samples with the same decision [@bouckaert2004], and 1 − 2·var(p)."
    )
    return joined(sample(study.scores), text(said), software())


def to_dict(study: PowerStudy, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    asked = (
        "a",
        "b",
        "tests",
        "size",
        "unit",
        "drawn_from",
        "bias",
        "draws",
        "alpha",
        "scale",
        "scale_asked",
        "lead",
        "seed",
    )
    content: dict[str, Any] = {"schema": SCHEMA, "verdict": verdict(study), "better": study.scores.better}
    content |= {"n_problems": study.scores.n_problems, "n_algorithms": study.scores.n_algorithms}
    content |= {name: plain_data(getattr(study, name)) for name in asked} | {"rows": plain_data(list(study.rows))}
    return finite(content | origin(study.scores, study.cautions, methods.cited(_methods(study)), command))


def sheets(study: PowerStudy) -> Sheets:
    """A row for each procedure and bias."""
    names = [field.name for field in fields(PowerRow)]
    columns = {name: [getattr(row, name) for row in study.rows] for name in names}
    ranking = [tuple(names), *(tuple(getattr(row, name) for name in names) for row in study.rows)]
    return Sheets(pairs=columns, ranking=ranking, cautions=study.cautions)
