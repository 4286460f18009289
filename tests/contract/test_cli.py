"""The command line: what it prints, where, and with which exit code."""

import json
import os
import re
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.analyses.compare import options as compare_options
from bakeoff.analyses.compare.statistics.recipes import RECIPES
from bakeoff.cli import _main as door, main
from bakeoff.omnibus import OMNIBUS
from bakeoff.posthoc.pairs import PAIRWISE

CEC = str(Path(bo.__file__).parent / "datasets" / "derrac_cec2005.csv")
HYPERFINE = Path(__file__).parents[1] / "oracles" / "data" / "formats" / "hyperfine.json"
LOWER = ("--better", "lower")
SMALL = "problem,new,old,my method\n" + "".join(
    f"p{i},{i / 7:.3f},{i / 6 + 1:.3f},{i % 5 + i / 5:.3f}\n" for i in range(12)
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small.csv").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bakeoff(*args: str, stdin: str | bytes | None = None, **options: object) -> Result:
    return CliRunner().invoke(main, args, input=stdin, **options)  # type: ignore[arg-type]


def done(result: Result) -> str:
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def refused(result: Result) -> str:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert re.fullmatch(r"bakeoff: [^\n]+\n", result.stderr)
    return result.stderr


def process(*args: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-W", "error", "-m", "bakeoff", *args]
    return subprocess.run(command, input=stdin, capture_output=True, env={**os.environ, **environment})


# --- compare ----------------------------------------------------------------------------------------------


def test_the_verdict_comes_first_then_ranking_pairs_and_cautions() -> None:
    shown = done(bakeoff("compare", CEC, *LOWER, "--control", "DE-Exp"))
    assert " ".join(shown.split()).startswith("DE-Exp (the control) is better than PSO and CHC (2 of 8); no difference")
    assert shown.index("Algorithms, best mean rank first") < shown.index("(the control) is better than\n")
    assert re.search(r"^1  DE-Exp +3\.440 ", shown, re.MULTILINE)
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "\x1b" not in shown


def test_json_is_the_whole_output_and_equals_to_dict() -> None:
    shown = done(bakeoff("compare", CEC, *LOWER, "--json"))
    content = json.loads(shown)
    expected = bo.compare(bo.read_scores(CEC, "lower")).to_dict()
    assert content.pop("command").startswith("bakeoff compare ")
    assert content == expected


@pytest.mark.parametrize("given", [["--posthoc", "shaffer,holm"], ["--posthoc", "shaffer", "--posthoc", "holm"]])
def test_corrections_can_be_listed_or_repeated(given: list[str]) -> None:
    content = json.loads(done(bakeoff("compare", CEC, *LOWER, "--json", *given)))
    assert content["primary"] == "shaffer"
    assert list(content["pairs"][0]["adjusted"]) == ["shaffer", "holm"]


def test_every_option_reaches_compare(folder: Path) -> None:
    long = "data;who;value;rep\n" + "".join(f"p{i};{a};{i + j};1\n" for i in range(6) for j, a in enumerate("xyz"))
    (folder / "long.csv").write_text(long + "p9;x;;1\np9;y;2;1\np9;z;3;1\n")
    content = json.loads(
        done(
            bakeoff(
                *("compare", "long.csv", "--better", "higher", "--read", "layout=long", "--problem", "data"),
                *("--algorithm", "who", "--score", "value", "--run", "rep", "--missing", "drop", "--control", "z"),
                *("--omnibus", "friedman", "--pairwise", "wilcoxon", "--posthoc", "all", "--alpha", "0.1", "--json"),
            )
        )
    )
    assert (content["better"], content["n_problems"], content["dropped"]) == ("higher", 6, ["p9"])
    assert (content["control"], content["alpha"], content["pairwise"]) == ("z", 0.1, "wilcoxon")
    assert content["omnibus"]["name"] == "friedman"
    assert len(content["posthoc"]) >= 9


@pytest.mark.slow
def test_a_recipe() -> None:
    content = json.loads(done(bakeoff("compare", CEC, *LOWER, "--recipe", "derrac-2011", "--json")))
    assert content["recipe"] == "derrac-2011"
    assert [step["name"] for step in content["steps"]]
    shown = done(bakeoff("compare", CEC, *LOWER, "--recipe", "derrac-2011", "--details"))
    assert "The recipe derrac-2011, step by step" in shown
    assert "Also computed, shown by --json and --report: Shaffer, Holm, Nemenyi (m·p)." in shown


def test_names_with_spaces() -> None:
    shown = done(bakeoff("compare", "-", *LOWER, "--control", "my method", stdin=SMALL))
    assert "my method (the control)" in shown


@pytest.mark.slow
def test_reports_of_every_kind_are_written_and_named(folder: Path) -> None:
    paths = [f"r{suffix}" for suffix in (".html", ".md", ".tex", ".json", ".svg", ".pdf", ".png")]
    shown = done(bakeoff("compare", "small.csv", *LOWER, *(arg for path in paths for arg in ("--report", path))))
    assert [line for line in shown.splitlines() if line.startswith("Written:")] == [f"Written: {p}" for p in paths]
    assert all((folder / path).stat().st_size > 500 for path in paths)
    assert "bakeoff compare small.csv --better lower --report r.html" in (folder / "r.html").read_text()


@pytest.mark.slow
def test_two_hundred_algorithms_stay_readable(folder: Path) -> None:
    names = [f"m{j}" for j in range(200)]
    rows = [",".join([f"p{i}", *(str((7 * i + j * (i % 3 + 1)) % 211) for j in range(200))]) for i in range(12)]
    (folder / "wide.csv").write_text("\n".join([",".join(["problem", *names]), *rows]) + "\n")
    shown = done(bakeoff("compare", "wide.csv", *LOWER, "--control", "m7"))
    assert "and 187 more" in shown or "and 188 more" in shown
    assert len(shown.splitlines()) <= 40
    assert all(len(line) <= 80 for line in shown.splitlines())


@pytest.mark.parametrize("rows", [1, 2])
def test_few_problems_have_a_verdict(rows: int) -> None:
    table = "\n".join(SMALL.splitlines()[: rows + 1])
    assert "cannot tell" in " ".join(done(bakeoff("compare", "-", *LOWER, stdin=table)).split())


def test_the_direction_is_asked_for_with_its_likely_reason(folder: Path) -> None:
    (folder / "my t.csv").write_text(SMALL)
    said = refused(bakeoff("compare", "my t.csv", "--metric", "test accuracy"))
    assert "--better is required: higher is better, likely: the scores are called test accuracy." in said
    command = said.strip().partition(" Say bakeoff ")[2]
    assert command == "compare 'my t.csv' --metric 'test accuracy' --better higher"
    done(bakeoff(*shlex.split(command)))
    (folder / "gap.csv").write_text("problem,model,rmse\np,a,1\np,b,\nq,a,2\nq,b,3\n")
    assert "lower is better, likely: the scores are called rmse" in refused(bakeoff("compare", "gap.csv"))
    assert "did you mean --better lower?" in refused(bakeoff("compare", "gap.csv", "--better", "min"))
    unknown = refused(bakeoff("compare", "small.csv"))
    assert "The table does not say" in unknown


def test_what_is_wrong_is_said_in_one_line(folder: Path) -> None:
    assert "--better is required" in refused(bakeoff("compare", "small.csv"))
    assert "'nowhere.csv'" in refused(bakeoff("compare", "nowhere.csv", *LOWER))
    assert "did you mean 'my method'" in refused(bakeoff("compare", "small.csv", *LOWER, "--control", "my metod"))
    assert "--controll" in refused(bakeoff("compare", "small.csv", *LOWER, "--controll", "new"))
    assert "'holm'" in refused(bakeoff("compare", "small.csv", *LOWER, "--posthoc", "hollm"))
    assert "'all' or names" in refused(bakeoff("compare", "small.csv", *LOWER, "--posthoc", "all,holm"))
    assert "missing" in refused(bakeoff("compare", "-", *LOWER, stdin="problem,a,b\np,1,\n"))
    assert "empty" in refused(bakeoff("compare", "-", *LOWER, stdin=""))
    assert "UTF-8" in refused(bakeoff("compare", "-", *LOWER, stdin="problem,ä,b\np,1,2\n".encode("latin-1")))
    assert "did you mean 'cite'" in refused(bakeoff("cit"))


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        (["--read", "layout=long"], "Name it with --algorithm COLUMN"),
        (["--posthoc", "li"], "name one with --control NAME"),
        (["--recipe", "garcia-2010"], "--recipe garcia-2010 compares with a control"),
        (["--control", "New"], "--control: no algorithm is called 'New'; did you mean 'new'?"),
        (["--better", "Lower"], "--better must be one of 'lower', 'higher'; got 'Lower'; did you mean --better lower?"),
        (["--alpha", "5"], "--alpha must be a number strictly between 0 and 1"),
    ],
)
def test_advice_is_what_can_be_typed(options: list[str], advice: str, folder: Path) -> None:
    assert advice in refused(bakeoff("compare", "small.csv", *LOWER, *options))


def test_advice_about_missing_scores_is_what_can_be_typed(folder: Path) -> None:
    (folder / "gap.csv").write_text("problem,control=,b\nmissing='x',1,\nq,2,3\n")
    error = refused(bakeoff("compare", "gap.csv", *LOWER))
    assert "--missing drop (" in error
    assert "problem \"missing='x'\"" in error  # a name stays as it is


def test_a_report_never_replaces_the_scores(folder: Path) -> None:
    (folder / "scores.json").write_text('[{"problem": "p", "a": 1, "b": 2}, {"problem": "q", "a": 1, "b": 3}]')
    (folder / "link.json").symlink_to(folder / "scores.json")
    before = (folder / "scores.json").read_text()
    for target in ("scores.json", str(folder / "scores.json"), "link.json"):
        assert "would overwrite" in refused(bakeoff("compare", "scores.json", *LOWER, "--report", target))
    assert (folder / "scores.json").read_text() == before
    assert done(bakeoff("compare", "scores.json", *LOWER, "--report", "other.json"))


def test_an_error_shows_no_control_characters() -> None:
    said = refused(bakeoff("compare", "-", *LOWER, "--control", "\x1b[2J\nx", stdin=SMALL))
    assert "\x1b" not in said


def test_a_report_that_cannot_be_written_is_refused_before_reading(folder: Path) -> None:
    assert "does not exist" in refused(bakeoff("compare", "nowhere.csv", *LOWER, "--report", "no/out.html"))
    assert ".html" in refused(bakeoff("compare", "nowhere.csv", *LOWER, "--report", "out.docx"))


def test_an_unwritable_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "cannot be written to" in refused(bakeoff("compare", "small.csv", *LOWER, "--report", "out.html"))


def test_the_help_lists_what_exists() -> None:
    listed = re.sub(r"-\s+", "-", " ".join(done(bakeoff("compare", "--help")).split()))
    for method in (*CONTROL_METHODS, *PAIRWISE_METHODS):
        assert re.search(rf"[ (]{method}\b", listed), method
    for name in (*OMNIBUS, *PAIRWISE, *RECIPES):
        assert re.search(rf"[ (]{name}\b", listed), name


def test_an_internal_error_is_one_line_and_code_1(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_options, "compared", lambda *_: 1 / 0)
    result = bakeoff("compare", "small.csv", *LOWER)
    assert result.exit_code == 1
    assert re.fullmatch(r"bakeoff: internal error[^\n]*ZeroDivisionError[^\n]*BAKEOFF_DEBUG=1[^\n]*\n", result.stderr)
    result = bakeoff("compare", "small.csv", *LOWER, env={"BAKEOFF_DEBUG": "1"})
    assert result.exit_code == 1
    assert "Traceback" in result.stderr


def test_packages_that_are_too_old_are_named_instead(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With click 8.1 each refusal was a traceback, and nothing said why."""
    monkeypatch.setattr(compare_options, "compared", lambda *_: 1 / 0)
    installed = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "8.1.8" if name == "click" else installed(name))
    said = bakeoff("compare", "small.csv", *LOWER).stderr
    assert said == (
        "bakeoff: ZeroDivisionError: division by zero. These packages are older than bakeoff needs: click 8.1.8 "
        "(8.2.1 is needed). Install newer ones.\n"
    )


def test_an_interruption_is_code_130(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(compare_options, "compared", interrupt)
    result = bakeoff("compare", "small.csv", *LOWER)
    assert (result.exit_code, result.stderr.strip()) == (130, "bakeoff: interrupted")


# --- cite and the rest ------------------------------------------------------------------------------------


def test_cite_what_a_report_used(folder: Path) -> None:
    done(bakeoff("compare", "small.csv", *LOWER, "--posthoc", "shaffer", "--report", "r.json"))
    shown = done(bakeoff("cite", "r.json"))
    assert "@article{shaffer1986," in shown
    assert "holm1979" not in shown
    assert f"Version {bo.__version__}" in shown
    assert done(bakeoff("compare", "small.csv", *LOWER, "--posthoc", "shaffer", "--json"))


def test_cite_by_name_or_everything() -> None:
    shown = done(bakeoff("cite", "holm", "wilcoxon", "demsar-2006"))
    assert re.findall(r"@\w+\{(\w+),", shown) == ["holm1979", "wilcoxon1945", "demsar2006", "bakeoff"]
    everything = done(bakeoff("cite"))
    assert everything.count("@") > 30
    for method in (*CONTROL_METHODS, *PAIRWISE_METHODS):
        assert done(bakeoff("cite", method)).count("@") >= 2


def test_cite_refuses(folder: Path) -> None:
    assert "did you mean 'holm'" in refused(bakeoff("cite", "hollm"))
    assert "nowhere.json" in refused(bakeoff("cite", "nowhere.json"))
    for content in ("", "[" * 100_000, "[]", "{}", '{"references": 3}', '{"references": ["smith2099"]}', "\xff"):
        (folder / "bad.json").write_text(content, encoding="latin-1")
        assert "bad.json" in refused(bakeoff("cite", "bad.json")) or "smith2099" in content


def test_an_error_needs_no_numbers(folder: Path) -> None:
    """Whoever interrupts the imports, or mistypes, must not wait for them, or meet their traceback."""
    code = (
        "import sys\n"
        "from bakeoff.cli import _main\n"
        "assert _main._guarded(lambda: (_ for _ in ()).throw(KeyboardInterrupt())) == 130\n"
        "assert _main._fail(2, 'no') == 2\n"
        "print(sorted({'numpy', 'scipy', 'bakeoff.report'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("[]\n", "\nbakeoff: interrupted\nbakeoff: no\n".lstrip("\n"))


def test_version_and_help() -> None:
    assert done(bakeoff("--version")) == f"bakeoff {bo.__version__}\n"
    assert re.findall(r"^  (\w[\w-]*)  ", done(bakeoff("--help")), re.MULTILINE) == list(door.commands())


# --- a real process ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_process_reads_stdin_and_prints_json_only() -> None:
    result = process("compare", "-", *LOWER, "--json", stdin=SMALL.encode())
    assert (result.returncode, result.stderr) == (0, b"")
    assert json.loads(result.stdout)["n_algorithms"] == 3


@pytest.mark.slow
def test_a_terminal_without_unicode_gets_ascii(folder: Path) -> None:
    (folder / "u.csv").write_text(SMALL.replace("new", "Šidák"), encoding="utf-8")
    for more in ((), ("--json",)):
        result = process("compare", "u.csv", *LOWER, *more, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
        assert (result.returncode, result.stderr) == (0, b"")
        assert result.stdout.isascii()
    assert json.loads(result.stdout)["mean_ranks"]["Šidák"] > 0


@pytest.mark.slow
def test_columns_stay_columns_where_names_had_to_be_spelt(folder: Path) -> None:
    (folder / "wide.csv").write_text(SMALL.replace("new", "日本語"), encoding="utf-8")
    shown = process("compare", "wide.csv", *LOWER, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout.decode()
    ranking = shown.split("Algorithms, best mean rank first\n")[1].split("\n\n")[0].splitlines()
    ends = {len(re.match(r"\d=?  .*? \d\.\d{3}", line)[0]) for line in ranking if line[0].isdigit()}  # type: ignore[index]
    assert len(ends) == 1
    assert re.search("^-+$", "\n".join(ranking), re.MULTILINE)


@pytest.mark.slow
def test_a_reader_that_stops_reading_is_no_error() -> None:
    command = [sys.executable, "-W", "error", "-m", "bakeoff", "cite"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal is needed")
@pytest.mark.slow
def test_on_a_terminal_the_advice_stands_below_the_error(folder: Path) -> None:
    """One line for a program that reads it."""
    (folder / "holes.csv").write_text("problem,a,b,c\nx,1,2,3\ny,2,,1\n")
    command = [sys.executable, "-m", "bakeoff", "compare", "holes.csv", *LOWER]
    read_end, terminal = os.openpty()
    subprocess.run(command, stderr=terminal)
    os.close(terminal)
    shown = os.read(read_end, 1 << 16).decode()
    os.close(read_end)
    error, advice = shown[shown.index("bakeoff: ") :].splitlines()  # a slow machine showed signs of life before
    assert error == "bakeoff: scores are missing: problem 'y', algorithm 'b'."
    assert "--missing drop" in advice
    assert subprocess.run(command, capture_output=True).stderr.decode() == f"{error} {advice}\n"


@pytest.mark.slow
def test_a_full_disk_is_said(folder: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        for asked in (["cite"], ["docs", "compare"], ["import", "auto", str(HYPERFINE), "-o", "-"], ["--version"]):
            result = subprocess.run(
                [sys.executable, "-m", "bakeoff", *asked], stdout=full, stderr=subprocess.PIPE, text=True
            )
            assert result.returncode == 2
            assert result.stderr == "bakeoff: cannot write to standard output: No space left on device\n"


@pytest.mark.slow
def test_an_html_report_from_a_cold_start(folder: Path) -> None:
    """How long it takes is measured in the benchmarks."""
    result = process("compare", CEC, *LOWER, "--control", "SaDE", "--posthoc", "all", "--report", "out.html")
    assert result.returncode == 0
    assert (folder / "out.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
