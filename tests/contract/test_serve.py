"""``bakeoff serve`` through its application: the first minute, choices in the address, the command line's bytes."""

from __future__ import annotations

import html
import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.wings.page.application import app
from bakeoff.wings.page.page_words import in_page_words
from bakeoff.wings.page.settings import Settings
from bakeoff.wings.page.views import VIEWS
from every_kind import ON_THE_PAGE

pytestmark = pytest.mark.filterwarnings("ignore:Using `httpx` with")

PLACE = "http://127.0.0.1:8421"
OWN = {"origin": PLACE}
SETTINGS = Settings(token="secret", megabytes=1, processes=2, cells=40_000)
CEC = (Path(bo.__file__).parent / "datasets" / "derrac_cec2005.csv").read_bytes()
HOLED = b"problem,A,B,C\n" + b"".join(
    b"p%d,%d,%d,%s\n" % (i, i % 7, i % 5 + 2, b"" if i in (5, 8) else b"9") for i in range(12)
)
RUNS = "problem,algorithm,run,score,family,seconds\n" + "".join(
    f"p{i},{name},{r},{(i * 7 + r * 3) % 11 + k},f{i % 6},{9 + i + k}\n"
    for i in range(12)
    for k, name in enumerate("ABC")
    for r in range(5)
)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with pytest.warns(Warning, match="httpx") if "starlette.testclient" not in sys.modules else nothing():
        from starlette.testclient import TestClient
    with TestClient(app(SETTINGS), base_url=PLACE) as found:
        assert found.get("/?token=secret").status_code == 200
        yield found


class nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *what: object) -> None: ...


def upload(client: Any, name: str, content: bytes | str) -> str:
    """The page of the table, as a browser comes to it."""
    sent = content.encode() if isinstance(content, str) else content
    answer = client.post("/upload", files={"file": (name, sent)}, headers=OWN, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def said(text: str, what: str = "h1") -> str:
    found = re.search(rf"<{what}[^>]*>(.*?)</{what}>", text, re.DOTALL)
    assert found, text[:400]
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<.*?>", "", found[1]))).strip()


def line(text: str, which: str) -> str:
    found = re.search(rf'<pre id="{which}".*?<code>(.*?)</code>', text, re.DOTALL)
    assert found
    return html.unescape(found[1])


# --- the first minute -------------------------------------------------------------------------------------------


def test_it_opens_on_the_shipped_example_with_its_verdict(client: Any) -> None:
    page = client.get("/").text
    assert said(page).startswith("DE-Exp has the best mean rank (3.440) and is better than PSO and CHC (2 of 8)")
    assert "<svg" in page
    assert "scales-differ" in page
    assert line(page, "shell") == "bakeoff compare derrac_cec2005.csv --better lower"


def test_a_table_is_counted_and_asked_its_direction(client: Any) -> None:
    page = client.get(upload(client, "holed.csv", HOLED))
    assert said(page.text) == "12 problems × 3 algorithms, 2 missing. Which direction is good?"
    buttons = re.findall(r'<button name="better" value="(\w+)">', page.text)
    assert buttons == ["lower", "higher"]
    answer = client.get(upload(client, "holed.csv", HOLED) + "/compare?better=higher")
    assert said(answer.text).startswith("C is better than each of the 2 other algorithms")
    assert line(answer.text, "shell") == "bakeoff compare holed.csv --better higher --missing keep"


@pytest.mark.slow
def test_what_a_caution_advises_is_a_link(client: Any) -> None:
    """Cautions said ``pairwise="sign"``, which nobody can click (N29); two headlines seemed to contradict (N28)."""
    page = client.get("/").text
    place = re.search(r'<a href="([^"]*)">Pairwise test: sign</a>', page)[1].replace("&amp;", "&")  # type: ignore[index]
    chosen = client.get(place).text
    assert "pairwise=sign" in place
    assert "--pairwise sign" in line(chosen, "shell")
    assert "Test of a pair: sign</a>" not in chosen
    beside = re.search(r'hx-get="([^"]*bayes/part[^"]*)"', page)[1].replace("&amp;", "&")  # type: ignore[index]
    assert "it may be high although the test shows no difference" in client.get(beside).text


@pytest.mark.parametrize("better", [None, "higher"])
def test_a_direction_that_was_said_is_not_asked(client: Any, tmp_path: Path, better: str | None) -> None:
    """``bakeoff serve f.csv --better higher`` had no such option (N31)."""
    app_state = client.app.state.app_state
    (tmp_path / "f.csv").write_text("problem,a,b\n" + "".join(f"p{i},{i}.5,{i}\n" for i in range(8)))
    app_state.open(tmp_path / "f.csv", better)
    try:
        page = client.get("/").text
    finally:
        app_state.opened = app_state.better = None
    assert ("a is better than b" in said(page)) == (better is not None)


@pytest.mark.parametrize(
    ("metric", "offered", "reason"),
    [
        ("accuracy", ["higher", "lower"], "likely: the scores are called accuracy"),
        ("error", ["lower", "higher"], "likely: the scores are called error"),
        ("score", ["lower", "higher"], "errors, costs, times"),
    ],
)
def test_the_likely_direction_comes_first_with_its_reason(
    client: Any, metric: str, offered: list[str], reason: str
) -> None:
    rows = [f"p{i},{name},{i + j}" for i in range(8) for j, name in enumerate("AB")]
    page = client.get(upload(client, "long.csv", "\n".join([f"problem,algorithm,{metric}", *rows]))).text
    assert re.findall(r'<button name="better" value="(\w+)">', page) == offered
    first = page.partition(f'value="{offered[0]}">')[2]
    assert said(first, "span") == reason


def test_every_choice_is_in_the_address_and_works_without_scripts(client: Any) -> None:
    place = upload(client, "cec.csv", CEC)
    page = client.get(
        place + "/compare?better=lower&control=&posthoc=hochberg&control=SaDE&drop=PSO&alpha=0.05&margin="
    )
    assert (
        line(page.text, "shell")
        == "bakeoff compare cec.csv --better lower --drop PSO --control SaDE --posthoc hochberg"
    )
    assert '<option value="SaDE" selected>' in page.text
    form = re.search(r'<form class="choices" method="get" action="([^"]+)"', page.text)
    assert form
    assert form[1] == place + "/compare"
    assert '<button type="submit" class="apply">' in page.text
    piece = client.get(place + "/compare?better=lower&control=SaDE&alpha=0.05", headers={"HX-Request": "true"})
    assert piece.headers["hx-push-url"] == place + "/compare?better=lower&control=SaDE"
    assert piece.text.lstrip().startswith('<div id="view"')
    restored = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert client.get(place + "/compare?better=lower", headers=restored).text.startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_sensitivity_and_bayes_load_beside(client: Any) -> None:
    place = upload(client, "small.csv", HOLED.replace(b",\n", b",8\n"))
    page = client.get(place + "/compare?better=lower").text
    parts = [html.unescape(p) for p in re.findall(r'hx-get="([^"]+/part[^"]*)" hx-trigger="load"', page)]
    assert [p.split("/")[3] for p in parts] == ["sensitivity", "bayes"]
    for part in parts:
        found = client.get(part, headers={"HX-Request": "true"}).text
        assert 'class="said"' in found
        assert '<pre id="shell"' not in found


# --- the same elsewhere -----------------------------------------------------------------------------------------


def test_all_views_are_examined_here() -> None:
    assert {name.rstrip("?") for name in ON_THE_PAGE} == set(VIEWS)


OF_ITS_OWN = {
    "history": "benchmark,v1,v2,v3,v4,v5,v6\n"
    + "".join(f"b{i},{i},{i + 1},{i},{i + 6},{i + 7},{i + 6}\n" for i in (3, 5)),
    "curves": "problem,algorithm,run,budget,score\n"
    + "".join(
        f"p{i},{name},{run},{budget},{(i * 7 + run * 3) % 11 + 9 / budget + k}\n"
        for i in range(8)
        for k, name in enumerate("AB")
        for run in range(2)
        for budget in (1, 2, 4)
    ),
}
SLOW = ("sensitivity", "bayes", "per-problem", "profile", "evaluate")


@pytest.mark.few(2)
@pytest.mark.parametrize("view", [pytest.param(v, marks=pytest.mark.slow) if v in SLOW else v for v in ON_THE_PAGE])
def test_command_and_python_line_give_the_numbers_of_the_page(
    client: Any, view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    table = OF_ITS_OWN.get(view.rstrip("?"), RUNS)
    Path("runs.csv").write_text(table)
    place, query = f"{upload(client, 'runs.csv', table)}/{view.rstrip('?')}", ON_THE_PAGE[view]
    page = client.get(f"{place}?{query}")
    assert page.status_code == 200
    assert 'class="refusal"' not in page.text
    saved = client.get(f"{place}/save/json?{query}")
    assert saved.status_code == 200, saved.text
    command = shlex.split(line(page.text, "shell"))
    assert command[0] == "bakeoff"
    written = view.rstrip("?") + ".json"
    ran = CliRunner().invoke(main, [*command[1:], "--report", written])
    assert ran.exit_code == 0, ran.output
    assert saved.content == Path(written).read_bytes(), "the command line's bytes"
    if view == "plan":
        return  # the command answers with a report of several parts, the function with one number
    scope: dict[str, Any] = {}
    exec(line(page.text, "python"), scope)
    assert without_command(scope["result"].to_dict()) == without_command(json.loads(saved.content))


def test_files_of_other_programs_are_read_as_such(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    formats = Path(__file__).parents[1] / "oracles" / "data" / "formats"
    monkeypatch.chdir(formats)
    name = "jmetal_QualityIndicatorSummary.csv"
    place = upload(client, name, (formats / name).read_bytes())
    assert "“Name of the score” must be one of HV, Time" in said(client.get(place).text)
    page = client.get(f"{place}/compare?metric=HV&better=higher").text
    assert "read_results" in line(page, "python")
    scope: dict[str, Any] = {}
    exec(line(page, "python"), scope)
    assert scope["result"].verdict == said(page)


def without_command(data: dict[str, Any]) -> Any:
    return json.loads(json.dumps({key: value for key, value in data.items() if key != "command"}))


LATER = [pytest.param(suffix, marks=pytest.mark.slow) for suffix in ("tex", "xlsx", "pdf")]


@pytest.mark.parametrize("suffix", ["html", "md", "csv", "svg", *LATER])
@pytest.mark.slow_cases("html")
def test_a_saved_report_has_the_bytes_of_the_command_line(
    client: Any, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cec.csv").write_bytes(CEC)
    answer = client.get(upload(client, "cec.csv", CEC) + f"/compare/save/{suffix}?better=lower&control=SaDE")
    assert f'filename="compare.{suffix}"' in answer.headers["content-disposition"]
    asked = ["compare", "cec.csv", "--better", "lower", "--control", "SaDE", "--report", f"compare.{suffix}"]
    assert CliRunner().invoke(main, asked).exit_code == 0
    if suffix in ("xlsx", "pdf"):  # both hold the time of writing
        assert abs(len(answer.content) - Path(f"compare.{suffix}").stat().st_size) < 200
    else:
        assert answer.content == Path(f"compare.{suffix}").read_bytes()


# --- what is refused --------------------------------------------------------------------------------------------

BAD = {
    "text.csv": b"problem,A,B\np1,1,x\n",
    "one.csv": b"problem,A\np1,1\n",
    "bytes.csv": bytes(range(256)) * 4,
    "broken.xlsx": b"PK\x03\x04 no",
    "words.pkl": b"\x80\x04\x95\x0c\x00\x00\x00\x00\x00\x00\x00\x8c\x08builtins\x94.",
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.slow_cases("broken.xlsx")
def test_a_bad_file_gets_the_message_of_the_command_line(
    client: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(BAD[name])
    page = client.get(upload(client, name, BAD[name]))
    assert page.status_code == 422
    ran = CliRunner().invoke(main, ["compare", name, "--better", "lower", "--missing", "keep"])
    assert ran.exit_code == 2
    assert said(page.text) == in_page_words(" ".join(ran.output.removeprefix("bakeoff: ").split()), "compare")
    assert 'name="layout"' in page.text, "how to read it is asked"


def test_sizes_are_limited(client: Any) -> None:
    large = client.post("/upload", files={"file": ("a.csv", b"1" * 1_200_000)}, headers=OWN)
    assert large.status_code == 413
    assert "larger than 1 MB, the limit of this page" in large.text
    many = b"problem,A,B\n" + b"".join(b"%d,1,2\n" % i for i in range(21_000))
    assert "at most 40,000" in said(client.get(upload(client, "many.csv", many)).text)
    assert client.post("/upload", files={"file": ("a.csv", b"")}, headers=OWN).status_code == 422
    assert client.post("/upload", data={"x": "y"}, headers=OWN).status_code == 422


def test_files_that_name_others_are_refused(client: Any) -> None:
    scenario = {"dimension": 2, "path": "../../etc/passwd", "runs": []}
    about = {"version": "0.3.5", "suite": "x", "function_id": 1, "function_name": "F1", "maximization": False}
    log = json.dumps({**about, "algorithm": {"name": "a", "info": ""}, "scenarios": [scenario]})
    page = client.get(upload(client, "IOHprofiler_f1.json", log))
    assert page.status_code == 422
    assert "bakeoff compare FOLDER" in said(page.text)


NAMES = ["<script>alert(1)</script>", "a\"b'c`$(id);&", "x\u202eevil", "-rf", "; rm -rf /", "n" * 10_000, "{{7*7}}"]


@pytest.mark.slow
def test_hostile_names_are_only_text(client: Any) -> None:
    rows = ['"problem",' + ",".join('"' + name.replace('"', '""') + '"' for name in NAMES)]
    rows += [f"p{i}," + ",".join(str((i * k) % 5 + k) for k in range(len(NAMES))) for i in range(9)]
    place = upload(client, "<script>alert(2)</script>.csv", "\n".join(rows))
    for name in NAMES[:2] + NAMES[3:4] + NAMES[-1:]:
        page = client.get(place + "/compare", params={"better": "lower", "control": name, "drop": "p1"})
        assert page.status_code == 200
        assert re.findall(r"<script(?! src=\"/static/)", page.text) == []
        command = shlex.split(line(page.text, "shell"))
        assert command[command.index("--control") + 1] == name
        assert compile(line(page.text, "python"), "line", "exec")
        assert repr(name) in line(page.text, "python")
        assert "49" not in said(page.text) or "{{7*7}}" in said(page.text)


def test_pages_that_do_not_exist(client: Any) -> None:
    assert client.get("/table/0000/compare?better=lower").status_code == 404
    assert client.get("/nowhere").status_code == 404
    assert client.get("/static/../settings.py").status_code == 404
    assert client.get(upload(client, "cec.csv", CEC) + "/nothing?better=lower").status_code == 404
    assert client.get(upload(client, "cec.csv", CEC) + "/compare/save/py?better=lower").status_code == 404


def test_nothing_needs_a_style_or_script_inside_the_page(client: Any) -> None:
    page = client.get(upload(client, "runs.csv", RUNS) + "/compare?better=lower").text
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert re.findall(r'(?:src|href)="([^"#]*)"', page)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


def test_equal_numbers_of_runs_are_not_the_largest_one(client: Any) -> None:
    cells = [f"p{i},a{j},{r},{i + j + r / 10}" for i in range(8) for j in range(2) for r in range(3)]
    head = "problem,algorithm,run,score\n"
    equal = client.get(upload(client, "equal.csv", head + "\n".join(cells) + "\n") + "/compare?better=lower").text
    assert "3 runs" in equal
    assert "up to 3 runs" not in equal
    fewer = client.get(upload(client, "fewer.csv", head + "\n".join(cells[:-1]) + "\n") + "/compare?better=lower").text
    assert "up to 3 runs" in fewer
