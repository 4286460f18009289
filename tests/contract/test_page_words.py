"""``bakeoff serve``: no sentence of a page has words of a shell or of Python; those stand in the boxes to copy from."""

from __future__ import annotations

import html
import io
import re
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from bakeoff.wings.page.application import app
from bakeoff.wings.page.page_words import in_page_words
from bakeoff.wings.page.settings import Settings
from bakeoff.wings.page.views import VIEWS, offered_first

pytestmark = pytest.mark.filterwarnings("ignore:Using `httpx` with")

PLACE = "http://127.0.0.1:8421"
RNG = np.random.default_rng(3)
RUNS = "problem,algorithm,run,score,family,seconds\n" + "".join(
    f"p{i},{name},{r},{(i * 7 + r * 3) % 11 + k},f{i % 6},{9 + i + k}\n"
    for i in range(6)
    for k, name in enumerate("ABC")
    for r in range(4)
)
FEW = "problem,A,B,C\n" + "".join(f"p{i},{i % 3},{i % 3 + 1},{(i * 7) % 5}\n" for i in range(5))
SKEW = "problem,A,B,C\n" + "".join(
    f"p{i},{a:.3f},{b:.3f},{c:.3f}\n" for i, (a, b, c) in enumerate(RNG.lognormal(0, 2, (12, 3)))
)
HOLED = "problem,A,B,C\n" + "".join(f"p{i},{i % 7},{i % 5 + 2},{'' if i in (5, 8) else 9}\n" for i in range(12))
CURVES = "problem,algorithm,budget,score\n" + "".join(
    f"p{i},{a},{b},{i + 9 / b}\n" for i in range(4) for a in "AB" for b in (1, 2, 4)
)
TABLES = {"runs": RUNS, "few": FEW, "skew": SKEW, "holed": HOLED, "curves": CURVES}
BAD = {
    "words": "problem,A,B\np1,good,bad\np2,1,2\n",
    "one": "problem,A\np1,1\np2,2\n",
    "repeated": "problem,algorithm,score\np1,A,1\np1,A,2\np1,B,1\n",
    "decimal": "problem;A;B\np1;1,2;3.4\np2;1,5;2,2\n",
    "percent": "problem,A,B\np1,5%,3\np2,4,2%\n",
    "summary": "problem,A,B\np1,1,2\np2,2,3\nmean,1.5,2.5\n",
}
CHOICES = ("", "&alpha=2", "&control=Z", "&missing=drop", "&missing=refuse", "&margin=x", "&cluster=nothing", "&drop=A")
PYTHON = re.compile(r"\bbo\.\w|\b\w+\((?:\w+=|…)|\b[a-z_]+=(?:['\"\[]|True|False|None)")


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with pytest.warns(Warning, match="httpx") if "starlette.testclient" not in sys.modules else nullcontext():
        from starlette.testclient import TestClient
    with TestClient(app(Settings(token="secret", megabytes=1, processes=2)), base_url=PLACE) as user:
        assert user.get("/?token=secret").status_code == 200
        yield user


def upload(client: Any, name: str, content: bytes | str) -> str:
    sent = content.encode() if isinstance(content, str) else content
    answer = client.post("/upload", files={"file": (name, sent)}, headers={"origin": PLACE}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def sentences(page: str) -> str:
    """What a page says: without scripts, styles, drawings and the boxes to copy from."""
    bare = re.sub(r"<(pre|script|style|svg|code)\b.*?</\1>", " ", page, flags=re.DOTALL)
    titles = " ".join(re.findall(r' title="([^"]*)"', bare))
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", bare) + titles))


def foreign(text: str) -> list[str]:
    words = [
        match for pattern in (re.compile(r"(?<!\S)--[a-z]|[\s(“]--[a-z]"), PYTHON) for match in pattern.finditer(text)
    ]
    return [text[max(0, match.start() - 60) : match.end() + 60] for match in words]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.slow_cases("runs", "skew", "holed", "curves")
def test_no_view_speaks_as_a_shell(client: Any, table: str) -> None:
    place = upload(client, f"{table}.csv", TABLES[table])
    found: dict[str, str] = {}
    for view in VIEWS:
        for more in CHOICES if view in ("compare", "evaluate") else CHOICES[:2]:
            text = sentences(client.get(f"{place}/{view}?better=lower{more}").text)
            found |= dict.fromkeys(foreign(text), view + more)
    assert found == {}


@pytest.mark.parametrize("table", BAD)
def test_no_refusal_speaks_as_a_shell(client: Any, table: str) -> None:
    answer = client.get(upload(client, f"{table}.csv", BAD[table]))
    assert foreign(sentences(answer.text)) == []


def test_a_workbook_of_several_sheets_has_a_button_for_each(client: Any) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for title, shift in (("Scores", 0), ("Scores 2024", 1)):
        sheet = book.create_sheet(title)
        sheet.append(["problem", "A", "B"])
        for i in range(8):
            sheet.append([f"p{i}", i + shift, 2 * i])
    file = io.BytesIO()
    book.save(file)
    place = upload(client, "book.xlsx", file.getvalue())
    page = client.get(place)
    assert page.status_code == 422
    assert "“Sheet: Scores”" in sentences(page.text)
    assert foreign(sentences(page.text)) == []
    assert re.findall(r'<button name="sheet" value="([^"]*)"', page.text) == ["Sheet", "Scores", "Scores 2024"]
    assert "Which direction is good?" in client.get(f"{place}?sheet=Scores+2024").text


def test_the_others_say_which_analysis_was_first(client: Any) -> None:
    place = upload(client, "first.csv", FEW)
    assert "First analysis" not in client.get(f"{place}/compare?better=lower").text
    other = sentences(client.get(f"{place}/leaderboard?better=lower").text)
    assert "First analysis: Compare. This one was chosen after that verdict was seen: report both." in other
    assert "First analysis" not in client.get(f"{place}/compare?better=lower&alpha=0.1").text
    assert "First analysis" not in client.get(f"{place}/plan?better=lower").text


def test_four_questions_stand_first_and_reasons_are_visible(client: Any) -> None:
    page = client.get(upload(client, "four.csv", RUNS) + "/compare?better=lower").text
    first, more = page.split('<li class="more">')
    assert re.findall(r">([^<>]+\?) <span", first) == [
        "Which is better?",
        "How good is each?",
        "Which trade-off?",
        "How many problems?",
    ]
    assert "Curves needs a column of budgets." in sentences(more)


@pytest.mark.parametrize(
    ("facts", "first"),
    [
        ({"algorithms": ["A", "B"]}, ["compare", "evaluate", "sensitivity", "plan"]),
        ({"algorithms": ["v1", "v2"]}, ["compare", "evaluate", "history", "plan"]),
        ({"algorithms": ["v1", "v2"], "columns": ["x"], "metrics": ["a", "b"]},
         ["compare", "evaluate", "tradeoff", "plan"]),
        ({"curves": True}, ["curves", "plan"]),
    ],
)  # fmt: skip
def test_the_questions_are_those_that_the_table_allows(facts: dict[str, Any], first: list[str]) -> None:
    assert offered_first({"columns": ["p"], **facts}) == first


@pytest.mark.parametrize(
    ("text", "on_the_page"),
    [
        ("Choose one: --sheet Scores", "Choose one: “Sheet: Scores”"),
        ("--better is required", "“Better direction” is required"),
        ("--missing keep does it.", "“Missing scores: pairs on the problems both have” does it."),
        ("read it with --read decimal=, again", "read it with “Decimal sign”=, again"),
        ('compare(pairwise="sign") asks who is better', "“Compare” with “Pairwise test: sign” asks who is better"),
        ("Use means: bo.evaluate.", "Use means: “Means”."),
        ("say so: --layout long --score COLUMN)", "say so: “Layout: long”, “Column of the score”)"),
        ("--folds reads them", "“folds” on the command line reads them"),
    ],
)
def test_words_of_the_form(text: str, on_the_page: str) -> None:
    assert in_page_words(text, "compare") == on_the_page
