"""What each bad file gets: from ``bo.read_scores`` an error that names the place, from the command line exit code 2 and
one line on standard error. Every row is tried both ways."""

from __future__ import annotations

import importlib
import io
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from strategies import OMNIBUS, PAIRWISE, check_comparison
from unprivileged import unprivileged

GOOD = "problem,x,y,z\n" + "".join(f"p{i},{i},{i + 1.5},{10 - i}\n" for i in range(8))
LONG = "problem,algorithm,run,score\n"

# name: (file, what the message must say)
BAD: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "empty"),
    "only blank lines": ("\n\n  \n", "empty|no "),
    "header only": ("problem,x,y\n", "at least 1 problem|no scores"),
    "one algorithm": ("problem,x\np1,1\np2,2\n", "at least 2 algorithms"),
    "no algorithm": ("problem\np1\np2\n", "2 algorithms|column"),
    "missing cell": ("problem,x,y\np1,1,2\np2,3,\n", "'p2'.*'y'.*missing[= ]"),
    "NA": ("problem,x,y\np1,1,2\np2,NA,4\n", "'p2'.*'x'.*missing[= ]"),
    "nan": ("problem,x,y\np1,1,nan\np2,3,4\n", "'p1'.*'y'.*missing[= ]"),
    "many missing": ("problem,x,y\n" + "".join(f"p{i},,\n" for i in range(8)), r"'p0'.*'p0'.*14 more \(16 in all\)"),
    "text cell": ("problem,x,y\np1,1,2\np2,3,fast\n", "line 3.*column 3.*'?y'?.*fast"),
    "percent": ("problem,x,y\np1,12%,2\n", "line 2.*column 2.*12%"),
    "underscore": ("problem,x,y\np1,1_000,2\n", "line 2.*column 2.*1_000"),
    "plus-minus": ("problem,x,y\np1,3.2±,2\n", "line 2.*column 2"),
    "hex": ("problem,x,y\np1,0x10,2\n", "line 2.*column 2"),
    "mixed column": ("problem,x,y\np1,1,2\np2,failed,3\np3,5,6\n", "problem 'p2', algorithm 'x' .failed."),
    "ragged short": ("problem,x,y\np1,1,2\np2,3\n", "line 3"),
    "ragged long": ("problem,x,y\np1,1,2\np2,3,4,5\n", "line 3"),
    "unclosed quote": ('problem,x,y\n"p1,1,2\np2,3,4\n', "line 2|quote"),
    "repeated algorithm": ("problem,x,y,x\np1,1,2,3\n", "x"),
    "repeated problem": ("problem,x,y\np1,1,2\np1,3,4\n", "p1"),
    "many repeated problems": (
        "problem,x,y\n" + "".join(f"p{i % 7},1,2\n" for i in range(14)),
        r"p0.*p1.*5 more \(7 in all\)",
    ),
    "no known encoding": (b"problem,x,gr\x81\xdfe\np1,1,2\n", "UTF-8"),
    "utf-16": ("problem,x,y\np1,1,2\n".encode("utf-16-le"), "UTF-8"),
    "NUL": (b"problem,x,y\np1,1,\x002\n", "NUL|binary|null|byte"),
    "long: repeated": (LONG + "p,a,1,2\np,b,1,2\np,a,1,3\n", "'?p'?.*'?a'?"),
    "long: repeated without runs": ("problem,algorithm,score\np,a,2\np,b,2\np,a,3\n", "run"),
    "long: missing": (LONG + "p,a,1,2\np,b,1,2\nq,a,1,3\n", "'?q'?.*'?b'?"),
    "long: many missing": (
        LONG + "p,b,1,1\n" + "".join(f"p{i},a,1,1\n" for i in range(9)) + "p,a,1,1\n",
        r"7 more \(9 in all\)",
    ),
    "long: text": (LONG + "p,a,1,2\np,b,1,slow\n", "line 3.*column 4.*slow"),
}


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, content: str | bytes) -> str:
    (folder / "scores.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    return "scores.csv"


def bakeoff(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, [*args], input=stdin)


def assert_one_line(result: Result, says: str = "") -> None:
    """Bad input: exit code 2, nothing on stdout, one line on stderr without a traceback."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("bakeoff: ")
    assert "Traceback" not in result.stderr
    assert "internal" not in result.stderr
    assert re.search(says, result.stderr), result.stderr


@pytest.mark.few(11)
@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_by_name_line_and_column(name: str, in_folder: Path) -> None:
    content, says = BAD[name]
    path = write(in_folder, content)
    for source in (path, Path(path), io.BytesIO((in_folder / path).read_bytes())):
        with pytest.raises(bo.BakeoffError, match=f"(?s){says}") as caught:
            bo.read_scores(source, better="lower")
        assert isinstance(caught.value, ValueError)
    assert_one_line(bakeoff("compare", path, "--better", "lower"), says)
    assert_one_line(bakeoff("compare", "-", "--better", "lower", stdin=(in_folder / path).read_bytes()), says)
    assert_one_line(bakeoff("compare", path, "--better", "lower", "--json", "--report", "out.html"), says)
    assert not (in_folder / "out.html").exists()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["compare", "nowhere.csv", "--better", "lower"], "nowhere.csv"),
        (["compare", "empty", "--better", "lower"], "empty.*folder without files"),
        (["compare", "scores.csv"], "--better is required"),
        (["compare", "scores.csv", "--better", "least"], "better.*lower.*higher"),
        (["compare", "scores.csv", "--better", "lower", "--control", "Z"], "control.*'Z'"),
        (["compare", "scores.csv", "--better", "lower", "--omnibus", "anove"], "omnibus.*anova"),
        (["compare", "scores.csv", "--better", "lower", "--pairwise", "welch"], "pairwise"),
        (["compare", "scores.csv", "--better", "lower", "--posthoc", "rom"], "posthoc.*control"),
        (["compare", "scores.csv", "--better", "lower", "--posthoc", "holm,all"], "posthoc"),
        (["compare", "scores.csv", "--better", "lower", "--recipe", "garcia-2010"], "control"),
        (["compare", "scores.csv", "--better", "lower", "--recipe", "fisher-1925"], "recipe.*demsar-2006"),
        (["compare", "scores.csv", "--better", "lower", "--alpha", "1.5"], "alpha"),
        (["compare", "scores.csv", "--better", "lower", "--alpha", "nan"], "alpha"),
        (["compare", "scores.csv", "--better", "lower", "--alpha", "five"], "alpha"),
        (["compare", "scores.csv", "--better", "lower", "--read", "layout=tall"], "layout.*wide"),
        (["compare", "scores.csv", "--better", "lower", "--missing", "ignore"], "missing.*drop"),
        (["compare", "scores.csv", "--better", "lower", "--score", "seconds"], "seconds"),
        (["compare", "scores.csv", "--better", "lower", "--report", "out.docx"], r"\.html"),
        (["compare", "scores.csv", "--better", "lower", "--report", "no/such/out.html"], "no/such|no.such"),
        (["compare", "--better", "lower"], "FILE"),
        (["compare", "scores.csv", "more.csv", "--better", "lower"], "more.csv"),
        (["compare", "scores.csv", "--better", "lower", "--worst"], "--worst"),
        (["compere", "scores.csv"], "compare"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else "",
)
def test_bad_usage_is_one_line(args: list[str], says: str, in_folder: Path) -> None:
    write(in_folder, GOOD)
    (in_folder / "empty").mkdir()
    assert_one_line(bakeoff(*args), says)


def run(*args: str, stdin: bytes = b"", cwd: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-W", "error", "-m", "bakeoff", *args]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd)


@pytest.mark.slow
def test_the_real_command_line_agrees(in_folder: Path) -> None:
    """The same through a real process: exit codes, streams, standard input as bytes."""
    write(in_folder, GOOD)
    done = run("compare", "-", "--better", "higher", "--json", stdin=GOOD.encode(), cwd=in_folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["better"] == "higher"
    bad = run("compare", "-", "--better", "higher", stdin=GOOD.encode("utf-16-le"), cwd=in_folder)
    assert (bad.returncode, bad.stdout, bad.stderr.count(b"\n")) == (2, b"", 1)
    version = run("--version", cwd=in_folder)
    assert version.stdout.decode().strip() == f"bakeoff {bo.__version__}"


@pytest.mark.skipif(os.name == "nt", reason="no POSIX permissions")
def test_an_unreadable_file_is_one_line() -> None:
    with unprivileged() as folder:
        path = folder / write(folder, GOOD)
        path.chmod(0)
        assert_one_line(bakeoff("compare", str(path), "--better", "lower"), "scores.csv")


@pytest.mark.few(9)
@pytest.mark.parametrize("omnibus", OMNIBUS)
@pytest.mark.parametrize("infinity", ["inf", "-inf", "Infinity", "-INF", "+inf"])
def test_infinite_scores_in_a_file(omnibus: str, infinity: str, in_folder: Path) -> None:
    path = write(in_folder, GOOD.replace("p3,3,4.5", f"p3,3,{infinity}"))
    s = bo.read_scores(path, better="lower")
    assert math.isinf(s.values[3, 1])
    result = bakeoff("compare", path, "--better", "lower", "--omnibus", omnibus, "--json")
    if omnibus in ("iman-davenport", "friedman"):
        assert result.exit_code == 0, result.stderr
        effects = [p["effect"] for p in json.loads(result.stdout)["pairs"]]
        assert all(math.isfinite(effect["estimate"]) for effect in effects), "an infinite difference has a rank"
    else:
        assert_one_line(result, "'p3'.*'y'")


@pytest.mark.few(4, 42)
@pytest.mark.parametrize("pairwise", PAIRWISE)
@pytest.mark.parametrize("args", [[], ["--control", "y"], ["--posthoc", "all"]], ids=str)
@pytest.mark.parametrize(
    "content",
    [
        "problem,x,y\np1,1,2\n",
        "problem,x,y,z\np1,1,1,1\np2,-0.0,0,0\n",
        "problem,x,y,z\np1,1,2,3\np2,1,2,3\np3,5,6,7\np4,1e300,2e300,3e300\n",
        "problem,x,y,z\np1,5e-324,1e-323,0\n",
    ],
    ids=["k2-n1", "all tied", "agreement", "denormals"],
)
def test_degenerate_files_have_a_verdict(content: str, args: list[str], pairwise: str, in_folder: Path) -> None:
    path = write(in_folder, content)
    result = bakeoff("compare", path, "--better", "lower", "--pairwise", pairwise, *args)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    assert "nan" not in result.stdout.lower().split()
    shown = bakeoff("compare", path, "--better", "lower", "--pairwise", pairwise, "--json", *args)
    assert json.loads(shown.stdout, parse_constant=pytest.fail)["pairs"]


@pytest.mark.slow
def test_an_underflowing_p_is_shown_as_less_than_1e_300(in_folder: Path) -> None:
    rows = "".join(f"p{i},{i},{i + 1 + i % 3},{i + 5 + i % 4}\n" for i in range(2100))
    path = write(in_folder, "problem,x,y,z\n" + rows)
    text = bakeoff("compare", path, "--better", "lower", "--details")
    assert text.exit_code == 0
    assert "< 10⁻³⁰⁰" in text.stdout
    pairs = json.loads(bakeoff("compare", path, "--better", "lower", "--json").stdout)["pairs"]
    assert pairs[1]["pvalue"] == 0.0
    assert -math.inf < pairs[1]["log_pvalue"] < -700
    for suffix in ("html", "md", "tex"):
        bo.compare(bo.read_scores(path, better="lower")).save(f"r.{suffix}")
        content = (in_folder / f"r.{suffix}").read_text()
        assert "300" in content
        assert "p = 0.0 " not in content


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_ordinary_text_files_are_read_alike(end: str, delimiter: str, bom: bytes, in_folder: Path) -> None:
    path = write(in_folder, bom + GOOD.replace(",", delimiter).replace("\n", end).encode())
    s = bo.read_scores(path, better="lower")
    assert (s.algorithms, s.problems[0], s.n_problems) == (("x", "y", "z"), "p0", 8)
    assert np.array_equal(s.values, bo.read_scores(io.StringIO(GOOD), better="lower").values)


def test_numbers_are_read_as_written(in_folder: Path) -> None:
    path = write(in_folder, "problem,x,y\n p1 ,1e-5, .5\np2,-0.0,+3\np3,5e-324,1E+10\n")
    s = bo.read_scores(path, better="lower")
    assert s.values.tolist() == [[1e-5, 0.5], [0.0, 3.0], [5e-324, 1e10]]
    assert s.problems[0] == "p1"


FRAME = {"problem": ["p", "q", "r"], "x": [1.0, 2.0, 3.0], "y": [2.0, 1.0, 9.0]}
LIBRARIES = ["pandas", pytest.param("polars", marks=pytest.mark.needs("polars"))]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("missing", [math.nan, None])
def test_missing_scores_in_a_frame(library: str, missing: object) -> None:
    frame = importlib.import_module(library).DataFrame(FRAME | {"y": [2.0, missing, 9.0]})
    with pytest.raises(bo.BakeoffError, match=r"'q'.*'y'.*missing="):
        bo.read_scores(frame, better="lower")
    dropped = bo.read_scores(frame, better="lower", missing="drop")
    assert (dropped.problems, dropped.dropped) == (("p", "r"), ("q",))
    worst = bo.read_scores(frame, better="higher", missing="worst")
    assert worst.values[1, 1] == -math.inf
    assert worst.filled == (("q", "y"),)
    check_comparison(bo.compare(worst))
    with pytest.raises(bo.BakeoffError, match="problem"):
        bo.read_scores(frame[1:2], better="lower", missing="drop")


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    "columns",
    [{"y": ["1", "2", "fast"]}, {"y": [True, False, True]}, {"problem": ["p", "p", "r"]}, {"y": [2**53 + 1, 1, 2]}],
    ids=["text", "bool", "repeated", "large"],
)
def test_bad_columns_of_a_frame(library: str, columns: dict[str, list[object]]) -> None:
    frame = importlib.import_module(library).DataFrame(FRAME | columns)
    with pytest.raises(bo.BakeoffError):
        bo.read_scores(frame, better="lower")


@pytest.mark.parametrize("library", LIBRARIES)
def test_frames_are_not_changed(library: str) -> None:
    frame = importlib.import_module(library).DataFrame(FRAME)
    before = frame.to_dict() if library == "pandas" else frame.to_dict(as_series=False)
    s = bo.read_scores(frame, better="lower")
    assert (s.problems, s.algorithms) == (("p", "q", "r"), ("x", "y"))
    after = frame.to_dict() if library == "pandas" else frame.to_dict(as_series=False)
    assert before == after


@pytest.mark.parametrize("source", [None, 5, 3.5, object(), [], {}, b"problem,x,y", [[1, 2], [3]], [["a", "b"]], ""])
def test_what_is_no_source_is_refused(source: object) -> None:
    with pytest.raises(bo.BakeoffError):
        bo.read_scores(source, better="lower")


@pytest.mark.parametrize(
    "options", [{"layout": "tall"}, {"missing": "ignore"}, {"better": "up"}, {"score": "speed"}, {"problem": "task"}]
)
def test_unknown_reading_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(bo.BakeoffError, match=next(iter(options.values()))):
        bo.read_scores(io.StringIO(GOOD), **{"better": "lower", **options})
