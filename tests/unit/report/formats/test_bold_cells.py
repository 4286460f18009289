"""Single cells in bold and a line above a row, in every format that has them."""

from bakeoff.report.document import Column, Document, Row, Section, Table
from bakeoff.report.formats import html, latex, markdown, terminal

COLUMNS = (Column("name", "problem"), Column("a", "A", numeric=True), Column("b", "B_1", numeric=True))
ROWS = (
    Row(("p|1", "0.10", "0.20"), bold=frozenset({1})),
    Row(("p2", "0.3", "0.3"), bold=frozenset({1, 2})),
    Row(("average", "0.20", "0.25"), ruled=True),
)
TABLE = Table(key="scores", caption="Scores", columns=COLUMNS, rows=ROWS)
DOCUMENT = Document(title="t", verdict="v.", basis="", sections=(Section("s", "S", (TABLE,)),), on_screen=("s",))


def test_markdown() -> None:
    assert markdown.render(DOCUMENT).split("*Scores*\n\n")[1] == (
        "| problem | A | B\\_1 |\n| :--- | ---: | ---: |\n| p\\|1 | **0.10** | 0.20 |\n| p2 | **0.3** | **0.3** |\n"
        "| average | 0.20 | 0.25 |\n"
    )


def test_latex() -> None:
    rows = latex.render(DOCUMENT).split("\\midrule\n", 1)[1].split("\n\\bottomrule")[0].splitlines()
    assert [row.count(r"\textbf{") for row in rows] == [1, 2, 0, 0]
    assert rows[2] == r"\midrule"


def test_html() -> None:
    page = html.render(DOCUMENT)
    assert '<th scope="row">p|1</th><td class="best">0.10</td><td>0.20</td>' in page
    assert page.count('<td class="best">') == 3
    assert page.count('<tr class="ruled">') == 1


def test_terminal() -> None:
    lines = terminal.render(DOCUMENT).splitlines()
    assert lines[-1].split() == ["average", "0.20", "0.25"]
    assert set(lines[-2]) == {"─"}
