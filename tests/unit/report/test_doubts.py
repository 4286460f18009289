"""Doubts about the input stand above the verdict in every format; what follows from them is not said again."""

import functools
import json
from dataclasses import replace

import click
import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses import of_command
from bakeoff.analyses.compare.reporting import document as comparison_document
from bakeoff.cli.analyses import made_command
from bakeoff.cli.options import show
from bakeoff.errors import SEVERITIES, Caution, by_severity
from bakeoff.wings.bayes.analysis.reporting.document import REPORT as OF_BAYES
from document_tables import table_in
from pages import without_script

compare_command = made_command(of_command("compare"))

GOOD = np.random.default_rng(5).normal(size=(40, 8)) + np.arange(8) / 4
TURNED = bo.Scores(GOOD.T, better="higher")


@functools.cache
def of_the_turned_table(ask):
    return ask(TURNED)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["txt", "md", "html", "tex"])
@pytest.mark.parametrize("ask", [bo.compare, bo.bayes.overview])
def test_a_transposed_table_is_questioned_before_the_verdict(ask, suffix):
    """U-A40: "is the table transposed?" was the last line but two of 107."""
    found = of_the_turned_table(ask)
    page = without_script(report.render(found, suffix))
    question = page.index("is the table transposed?" if suffix != "txt" else "doubtful-reading (rows):")
    verdict = page.index(found.verdict[:12])
    assert question < verdict
    assert "doubtful-reading" not in page[verdict:]
    if suffix == "txt":
        assert page.startswith(
            "Check this first\n! doubtful-reading (rows): There are more algorithms (40: A1, A2, A3 …)"
        )


@pytest.mark.slow
def test_in_json_the_gravest_come_first_with_their_severity():
    found = json.loads(report.render(bo.compare(TURNED), "json"))["cautions"]
    assert (found[0]["code"], found[0]["severity"]) == ("doubtful-reading", "stop")
    places = [SEVERITIES.index(one["severity"]) for one in found]
    assert places == sorted(places)


def test_the_question_cites_nobody():
    """U-B16: section 6 of Derrac et al. says nothing of transposed tables."""
    assert bo.compare(TURNED).cautions[0].reference == ""


def test_one_problem_is_said_once():
    """U-A40: five cautions said the same of one problem. U-B12: F = inf with p = 1 is no test."""
    found = bo.compare(bo.Scores(GOOD[:1], better="higher"))
    assert [caution.code for caution in found.cautions] == ["one-problem"]
    assert found.cautions[0].severity == "stop"
    page = report.render(found, "txt")
    assert "Iman–Davenport: no test possible.\n" in page
    assert "p = 1" not in page
    omnibus = table_in(comparison_document.REPORT.document(found), "omnibus")
    assert omnibus.rows[0].cells[1:4] == ("no test possible", "–", "–")


@pytest.mark.slow
def test_one_problem_is_a_doubt_of_a_bayesian_report_too():
    found = bo.bayes.overview(bo.Scores(GOOD[:1], better="higher"))
    assert found.cautions[0].code == "one-problem"
    implied = {"too-few (mean-ranks)", "certainty (problems)", "certainty (prior-rankings)"}
    assert not implied & {caution.name for caution in found.cautions}
    assert OF_BAYES.document(found).doubts is not None


def test_equal_scores_everywhere_are_doubted():
    found = bo.compare(bo.Scores(np.ones((20, 4)), better="higher"))
    assert (found.cautions[0].code, found.cautions[0].severity) == ("nothing-differs", "stop")
    assert "omnibus-not-rejected" not in {one.code for one in found.cautions}


def test_few_problems_make_one_caution_not_two():
    found = bo.compare(bo.Scores(GOOD[:4], better="higher"))
    assert {"out-of-reach", "too-few"} & {one.code for one in found.cautions} == {"out-of-reach"}


@pytest.mark.parametrize(("n", "tied", "said"), [(500, 4, False), (500, 24, False), (500, 25, True), (20, 1, True)])
def test_a_few_ties_are_not_worth_a_word(n, tied, said):
    """U-A40: ties in 4 of 500 problems brought the caution."""
    values = np.random.default_rng(1).normal(size=(n, 3)).round(1)
    values += [0.0, 0.01, 0.02]  # no ties but those below, and neighbours at one last digit
    values[:tied, 0] = values[:tied, 1]
    found = {one.name: one for one in bo.compare(bo.Scores(values, better="higher")).cautions}
    assert ("ties (rounded-scores)" in found) == said
    if said:
        assert found["ties (rounded-scores)"].severity == "note"


def test_ties_that_do_not_come_from_rounding_are_not_worth_a_word():
    """T15, N18: shares of finite test sets, and optima that were reached, tie with all their digits."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(60, 300, size=(40, 1))
    shares = rng.binomial(sizes, 0.9, size=(40, 4)) / sizes
    errors = rng.exponential(size=(40, 4))
    errors[:10, :2] = 0.0
    tables = {"4 digits": shares.round(4), "all digits": shares, "optima": errors, "2 digits": shares.round(2)}
    codes = {
        name: [one.name for one in bo.compare(bo.Scores(of, better="higher")).cautions] for name, of in tables.items()
    }
    assert [name for name in codes if "ties (rounded-scores)" in codes[name]] == ["2 digits"]


@pytest.mark.parametrize("top", [2, 5])
def test_ties_of_answers_and_grades_are_no_rounding(top):
    values = np.random.default_rng(2).integers(0, top, size=(200, 3)).astype(float)
    found = {one.name: one for one in bo.compare(bo.Scores(values, better="higher")).cautions}
    assert "ties (rounded-scores)" not in found
    values = ", ".join(map(str, range(top)))
    assert found["ties (scores)"].text.startswith(f"Scores take only the values {values} and are tied on ")
    assert "do not come from rounding" in found["ties (scores)"].text


def test_notes_alone_are_not_headed_as_a_warning():
    values = np.random.default_rng(2).integers(0, 2, size=(400, 2)).astype(float)
    values[:200, 0] = 1.0
    page = report.render(bo.compare(bo.Scores(values, better="higher")), "txt")
    assert "\nNotes\n- ties (scores): " in page
    assert "Read this before quoting" not in page


def test_the_gravest_come_first_and_equals_keep_their_order():
    one, two = Caution(code="a", text=""), Caution(code="b", text="", severity="stop")
    three, four = Caution(code="c", text="", severity="note"), Caution(code="d", text="")
    assert [caution.code for caution in by_severity([one, three, two, four])] == ["b", "a", "d", "c"]


def test_a_terminal_names_options_in_doubts_too(capsys):
    """A doubt's advice names the library's parameter; a user of the command line has an option."""
    advice = "No test is possible; name another with pairwise='sign'."
    doubt = Caution(code="one-problem", text=advice, severity="stop")
    found = replace(bo.compare(bo.Scores(GOOD, better="higher")), cautions=(doubt,))
    ctx = click.Context(compare_command, obj={"command": "bakeoff compare t.csv"})
    with ctx:
        show(found, ctx, as_json=False)
    page = capsys.readouterr().out
    assert "--pairwise sign" in page
    assert "pairwise='sign'" not in page
