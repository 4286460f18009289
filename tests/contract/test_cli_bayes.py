"""``bakeoff bayes``: what it prints, where, and with which exit code."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from contract.test_start_up import HEAVY, TABLE, loaded_by

DEMSAR = str(Path(bo.__file__).parent / "datasets" / "demsar_2006.csv")
HIGHER = ("--better", "higher", "--draws", "500")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bayes(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["bayes", *args], input=stdin)


def done(result: Result) -> str:
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def refused(result: Result) -> str:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert re.fullmatch(r"bakeoff: [^\n]+\n", result.stderr)
    return result.stderr


@pytest.mark.slow
def test_the_verdict_comes_first_then_readings_ranking_pairs_and_cautions() -> None:
    shown = done(bayes(DEMSAR, "--better", "higher", "--prior", "flat"))
    assert " ".join(shown.split()).startswith("C4.5+m is better than C4.5 and C4.5+cf (2 of 3); the 3 statements")
    places = [shown.index(x) for x in ("What the probabilities say", "Who is best", "Pairs, most")]
    assert places == sorted(places)
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "\x1b" not in shown


def test_json_is_the_whole_output_and_equals_to_dict() -> None:
    content = json.loads(done(bayes(DEMSAR, *HIGHER, "--json")))
    expected = bo.bayes.overview(bo.read_scores(DEMSAR, "higher"), n_draws=500).to_dict()
    assert content.pop("command").startswith("bakeoff bayes ")
    assert content == expected
    assert content["schema"] == "bakeoff.bayes/1"


def test_every_option_reaches_the_overview() -> None:
    given = ("--control", "C4.5", "--rope", "0.01", "--prior", "ignorance", "--prior-strength", "2", "--gamma", "0.1")
    content = json.loads(done(bayes(DEMSAR, *HIGHER, *given, "--seed", "7", "--json")))
    expected = bo.bayes.overview(
        bo.datasets.load("demsar_2006"), "C4.5", 0.01, 2.0, 0.1, n_draws=500, rng=7, prior="ignorance"
    ).to_dict()
    for key in set(expected) - {"input_sha256", "command"}:
        assert content[key] == expected[key], key
    assert [pair["b"] for pair in content["pairs"]] == ["C4.5+m", "C4.5+cf", "C4.5+m+cf"]
    assert content["pairs"][0]["sign"]["p_better_bounds"] is not None


def test_two_algorithms_by_name() -> None:
    content = json.loads(done(bayes(DEMSAR, *HIGHER, "--a", "C4.5+m", "--b", "C4.5", "--json")))
    assert content["n_algorithms"] == 2
    sign = bo.bayes.sign_test(bo.datasets.load("demsar_2006"), "C4.5+m", "C4.5")
    assert content["pairs"][0]["sign"]["p_better"] == sign.p_better
    shown = " ".join(done(bayes(DEMSAR, *HIGHER, "--a", "C4.5+m", "--b", "C4.5")).split())
    assert shown.startswith("C4.5+m is better than C4.5 with probability 0.994.")


@pytest.mark.slow
def test_reports_of_every_kind_are_written_and_named(folder: Path) -> None:
    paths = [f"r{suffix}" for suffix in (".html", ".md", ".tex", ".json", ".svg", ".pdf", ".png", ".csv", ".xlsx")]
    shown = done(bayes("small.csv", "--better", "lower", *(arg for path in paths for arg in ("--report", path))))
    assert [line for line in shown.splitlines() if line.startswith("Written:")] == [f"Written: {p}" for p in paths]
    assert all((folder / path).stat().st_size > 100 for path in paths)
    assert "bakeoff bayes small.csv --better lower --report r.html" in (folder / "r.html").read_text()
    with (folder / "r.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [len(rows), rows[0]["accepted"]] == [3, "True"]


def test_cite_what_a_report_used(folder: Path) -> None:
    done(bayes("small.csv", "--better", "lower", "--rope", "0.1", "--report", "r.json"))
    result = CliRunner().invoke(main, ["cite", "r.json"])
    keys = re.findall(r"@\w+\{(\w+),", result.stdout)
    assert keys == ["ferguson1973", "benavoli2015", "gelmantuerlinckx2000", "benavoli2014", "benavoli2017", "bakeoff"]


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ([], "--better is required"),
        ([*HIGHER, "--rope", "-1"], "--rope must be finite and 0 or larger"),
        ([*HIGHER, "--prior-strength", "nan"], "--prior-strength must be finite"),
        ([*HIGHER, "--gamma", "1"], "--gamma must be a number strictly between 0 and 1"),
        (
            [*HIGHER, "--prior", "ignorant"],
            "--prior must be one of 'flat', 'exchangeable', 'ignorance', 'equal'; got 'ignorant'; did you mean",
        ),
        (["--better", "higher", "--draws", "3"], "--draws must be a whole number between 100"),
        ([*HIGHER, "--seed", "-3"], "--seed must be"),
        ([*HIGHER, "--control", "C4"], "--control: no algorithm is called 'C4'"),
        ([*HIGHER, "--a", "C4.5"], "give both"),
        ([*HIGHER, "--a", "C4.5", "--b", "C4.5"], "two different"),
        ([*HIGHER, "--a", "C4.5", "--b", "c4.5+m"], "--b: no algorithm is called 'c4.5+m'; did you mean 'C4.5+m'"),
        ([*HIGHER, "--rope", "x"], "--rope"),
        ([*HIGHER, "--report", "r.docx"], "--report must end in"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(options: list[str], advice: str) -> None:
    assert advice in refused(bayes(DEMSAR, *options))


def test_a_missing_score_is_refused_dropped_or_worst(folder: Path) -> None:
    gap = "problem,a,b\np1,1,\n" + "".join(f"q{i},{i},{i + 1 + i % 2}\n" for i in range(9))
    said = refused(bayes("-", "--better", "lower", stdin=gap))
    assert "--missing drop (" in said
    content = json.loads(done(bayes("-", "--better", "lower", "--missing", "drop", "--json", stdin=gap)))
    assert (content["n_problems"], content["dropped"]) == (9, ["p1"])
    assert "left-out" in [caution["code"] for caution in content["cautions"]]
    content = json.loads(done(bayes("-", "--better", "lower", "--missing", "worst", "--json", stdin=gap)))
    assert content["pairs"][0]["signed_rank"] is None
    assert "not-computed" in [caution["code"] for caution in content["cautions"]]


def test_a_report_never_replaces_the_scores(folder: Path) -> None:
    assert "would overwrite" in refused(bayes("small.csv", "--better", "lower", "--report", "small.csv"))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes() -> None:
    one, same, other = (done(bayes(DEMSAR, *HIGHER, "--json", "--seed", seed)) for seed in ("1", "1", "2"))
    assert one == same
    assert one != other


@pytest.mark.slow
def test_a_small_csv_loads_no_heavy_package(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(TABLE)
    code = (
        "from bakeoff.cli import main\n"
        "for args in ([], ['--json'], ['--rope', '0.1'], ['--prior', 'ignorance'], ['--report', 'out.md']):\n"
        "    sys.argv = ['bakeoff', 'bayes', 'scores.csv', '--better', 'lower', '--draws', '200', *args]\n"
        "    try:\n"
        "        status = main()\n"
        "    except SystemExit as end:\n"
        "        status = end.code\n"
        "    assert not status, (args, status)\n"
    )
    assert not loaded_by(code, tmp_path) & set(HEAVY)


@pytest.mark.slow
def test_a_real_process_in_plain_ascii(folder: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "bakeoff", "bayes", "small.csv", "--better", "lower"]
    found = subprocess.run(command, capture_output=True, env={"PYTHONIOENCODING": "ascii", "PATH": ""})
    assert found.returncode == 0, found.stderr
    assert found.stderr == b""
    assert found.stdout.isascii()


def test_a_report_that_cannot_be_written_is_refused_in_the_option_s_words_before_the_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, said in (("r.foo", "--report must end in"), ("no/r.html", "--report: the folder 'no' does not exist")):
        assert said in refused(bayes("small.csv", "--better", "lower", "--report", path))
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    monkeypatch.setattr(bo.bayes, "overview", None)
    assert "openpyxl" in refused(bayes("small.csv", "--better", "lower", "--report", "r.html", "--report", "r.xlsx"))
    assert not (folder / "r.html").exists()


def test_cautions_advise_what_can_be_typed(folder: Path) -> None:
    (folder / "one.csv").write_text("problem,A,B\n" + "".join(f"p{i},1,2\n" for i in range(3)))
    shown = done(bayes("one.csv", "--better", "lower"))
    assert "--prior ignorance" in shown
    assert "prior='" not in shown
    assert 'prior="' not in shown
    first = json.loads(done(bayes("one.csv", "--better", "lower", "--json")))["cautions"][0]
    assert 'prior="ignorance"' in first["text"]


def test_control_and_two_names_exclude_each_other() -> None:
    said = refused(bayes(DEMSAR, *HIGHER, "--a", "C4.5", "--b", "C4.5+m", "--control", "C4.5+cf"))
    assert "give one of them" in said


def test_the_parts_done_are_told_until_all_are() -> None:
    told: list[tuple[int, int]] = []
    bo.bayes.overview(bo.datasets.load("demsar_2006"), n_draws=200, progress=lambda *now: told.append(now))
    assert told == [(i, 9) for i in range(10)]  # joint, ranks, Friedman, six pairs
    told.clear()
    many = bo.Scores([list(range(46))] * 2, better="lower")
    bo.bayes.overview(many, n_draws=200, progress=lambda *now: told.append(now))
    assert told == [(i, 3) for i in range(4)]  # pairs beyond the limit are no part


@pytest.mark.slow
def test_too_many_algorithms_are_refused_without_python(folder: Path) -> None:
    names = ",".join(f"a{i}" for i in range(1001))
    (folder / "wide.csv").write_text(f"problem,{names}\np1,{','.join(map(str, range(1001)))}\n")
    said = refused(bayes("wide.csv", "--better", "lower"))
    assert said.startswith("bakeoff: at most 1000 algorithms")
    assert said.endswith("leave columns out of the table.\n")
