"""``bakeoff plan``: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main

HEAVY = {"pandas", "polars", "matplotlib", "scipy.stats", "numba", "dask", "narwhals", "rich", "jinja2"}


def plan(*args: str) -> Result:
    return CliRunner().invoke(main, ["plan", *args])


def done(*args: str) -> str:
    result = plan(*args)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    assert all(len(line) <= 80 for line in result.stdout.splitlines())
    return result.stdout


def refused(*args: str) -> str:
    result = plan(*args)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert re.fullmatch(r"bakeoff: [^\n]+\n", result.stderr)
    return result.stderr


@pytest.fixture
def pilot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = ["problem,algorithm,run,score"]
    for p in range(10):
        base = rng.normal(100, 8)
        for name, shift, spread in (("ours", 0, 4), ("old", 4, 2), ("base", 6, 2)):
            level = base + shift + rng.normal(0, 3)
            rows += [f"p{p},{name},{r},{level + spread * rng.normal():.4f}" for r in range(6)]
    (tmp_path / "pilot.csv").write_text("\n".join(rows) + "\n")
    return "pilot.csv"


@pytest.mark.slow
def test_the_answer_comes_first_and_fits_a_screen() -> None:
    text = done("--effect", "0.5", "--power", "0.8", "--algorithms", "4", "--comparisons", "all-pairs")
    expected = bo.plan.instances(0.5, n_algorithms=4)
    assert text.startswith(f"{expected.n} problems: 4 algorithms, all pairs, 6 two-sided paired t-tests with Holm's")
    flat = " ".join(text.split())
    assert expected.promise in flat
    assert "Friedman's test alone would detect" in flat
    assert text.count("\n") <= 45
    assert "●" in text


@pytest.mark.slow
def test_each_of_the_four_can_be_asked_for() -> None:
    assert done("--effect", "0.5").startswith("34 problems: two-sided paired t-test, alpha 0.05.")
    assert done("--n", "200", "--alternative", "greater").startswith("200 problems detect an effect of 0.176 or more")
    assert "with probability 0.754" in " ".join(done("--n", "30", "--effect", "0.5").split())
    assert "if alpha is 0.0471 or more" in " ".join(done("--n", "34", "--effect", "0.5", "--power", "0.8").split())


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("args", "question", "name", "value"),
    [
        (("--effect", "0.5"), "n", "n", 34),
        (("--effect", "0.8", "--test", "sign"), "n", "n_first", 23),
        (("--effect", "0,0,0.5", "--test", "friedman"), "n", "n", 85),
        (("--effect", "0.5", "--test", "wilcoxon", "--method", "are"), "n", "n", 40),
        (("--n", "20"), "effect_size", "effect_size", 0.660442),
        (("--n", "34", "--effect", "0.5"), "power", "power", 0.807778),
        (("--n", "34", "--effect", "0.5", "--power", "0.8"), "alpha", "alpha", 0.0470526),
    ],
)
def test_json(args: tuple[str, ...], question: str, name: str, value: float) -> None:
    content = json.loads(plan(*args, "--json").stdout)
    assert content["schema"] == "bakeoff.plan/1"
    assert content["question"] == question
    assert content[name] == pytest.approx(value, abs=1e-6)
    assert content["versions"] == {"bakeoff": bo.__version__}
    assert isinstance(content["cautions"], list)


@pytest.mark.slow
def test_a_pilot_says_what_would_help(pilot: str) -> None:
    text = " ".join(done("--pilot", pilot, "--better", "lower", "--delta", "3", "--se", "1").split())
    assert "More problems help most. Twice as many cut the standard error" in text  # numbers were in the headline
    assert "runs on 10 problems bring the standard error of every difference down to 1" in text
    content = json.loads(plan("--pilot", pilot, "--better", "lower", "--delta", "3", "--se", "1", "--json").stdout)
    scores = bo.read_scores(pilot, "lower")
    found = bo.plan.repetitions(scores, 1.0)
    assert content["repetitions"]["n"] == found.n.tolist()
    assert [pair["a"] for pair in content["variance"]["pairs"]] == ["ours", "ours", "old"]
    sds = [bo.plan.variance_components(scores, a, b).total_sd for a, b in ((0, 1), (0, 2), (1, 2))]
    assert content["effect_size"] == pytest.approx(3 / max(sds))
    assert content["n_algorithms"] == 3
    assert content["n"] == bo.plan.instances(3 / max(sds), n_algorithms=3).n


@pytest.mark.slow
def test_a_pilot_in_clusters_plans_runs_but_not_problems(pilot: str) -> None:
    rows = Path(pilot).read_text().split("\n")
    clustered = [rows[0] + ",cluster", *(f"{row},c{len(row.split(',')[0]) % 2}{row[1]}" for row in rows[1:] if row)]
    Path("clustered.csv").write_text("\n".join(clustered))
    text = " ".join(done("--pilot", "clustered.csv", "--better", "lower", "--se", "1").split())
    assert "The problems are in clusters: no estimate of what more would bring." in text
    refused = plan("--pilot", "clustered.csv", "--better", "lower", "--delta", "3")
    assert refused.exit_code != 0
    assert "leave out the column of clusters (--drop cluster)" in refused.stderr
    assert plan("--pilot", "clustered.csv", "--better", "lower", "--delta", "3", "--drop", "cluster").exit_code == 0


def test_a_pilot_may_be_a_store_or_have_columns_of_its_own(pilot: str) -> None:
    text = Path(pilot).read_text().replace("problem,algorithm,run,score", "where,who,turn,cost")
    Path("named.csv").write_text(text)
    columns = ("--problem", "where", "--algorithm", "who", "--score", "cost", "--run", "turn", "--read", "layout=long")
    named = plan("--pilot", "named.csv", "--better", "lower", *columns, "--json")
    assert json.loads(named.stdout) == json.loads(plan("--pilot", pilot, "--better", "lower", "--json").stdout)

    def noisy(problem: float, rng: np.random.Generator) -> float:
        return problem + float(rng.normal())

    problems = {f"p{i}": float(i) for i in range(4)}
    experiment = bo.Experiment({"new": noisy, "old": noisy}, problems, better="lower", seed=1, runs=5)
    bo.run(experiment, "runs.sqlite")
    content = json.loads(plan("--pilot", "runs.sqlite", "--json").stdout)
    assert [pair["a"] for pair in content["variance"]["pairs"]] == ["new"]


@pytest.mark.slow
def test_a_pilot_with_a_control_in_percent(pilot: str) -> None:
    args = ("--pilot", pilot, "--better", "lower", "--control", "ours", "--difference", "percent", "--se", "0.01")
    content = json.loads(plan(*args, "--delta", "0.05", "--json").stdout)
    assert content["comparisons"] == "control"
    assert content["repetitions"]["difference"] == "percent"
    assert len(content["variance"]["pairs"]) == 2
    assert "1.0 %" in done(*args)


@pytest.mark.slow
def test_units_of_friedmans_test(pilot: str) -> None:
    """A difference in score units is d·√2 residual standard deviations."""
    args = ("--pilot", pilot, "--better", "lower", "--delta", "3", "--json")
    pairs, omnibus = (json.loads(plan(*args, *more).stdout) for more in ((), ("--test", "friedman")))
    assert omnibus["effect_size"] == pytest.approx(pairs["effect_size"] * 2**0.5)
    assert "if alpha is" in done("--n", "60", "--effect", "0,0,0.5", "--power", "0.9", "--test", "friedman")
    assert "these means are detected with probability" in done("--n", "60", "--effect", "0,0,0.5", "--test", "friedman")


def test_names_in_markdown_are_no_markup(tmp_path: Path) -> None:
    table = "problem,algorithm,run,score\n" + "".join(
        f"p{p},{a},{r},{p + r * p % 3 + 5}\n" for p in range(4) for a in ("<b>|x_y*", "z") for r in range(3)
    )
    (tmp_path / "odd.csv").write_text(table)
    target = tmp_path / "plan.md"
    result = plan("--pilot", str(tmp_path / "odd.csv"), "--better", "lower", "--report", str(target))
    assert result.exit_code == 0, result.stderr
    assert r"| \<b\>\|x\_y\* – z |" in target.read_text()


def test_reports_and_figures(tmp_path: Path) -> None:
    targets = [tmp_path / f"plan{suffix}" for suffix in (".md", ".txt", ".json", ".svg", ".tex")]
    args = [part for target in targets for part in ("--report", str(target))]
    text = plan("--effect", "0.5", *args)
    assert text.exit_code == 0, text.stderr
    assert text.stdout.count("Written: ") == 5
    assert "**34 problems" in targets[0].read_text()
    assert targets[1].read_text().startswith("34 problems")
    assert json.loads(targets[2].read_text())["n"] == 34
    assert targets[3].read_text().startswith("<svg")
    assert "34 problems" in targets[3].read_text()


def test_bad_input_is_one_clear_line(pilot: str) -> None:
    assert "--effect D" in refused()
    assert "--effect must be a number" in refused("--effect", "big")
    assert "--effect must be a finite number other than 0" in refused("--effect", "0")
    assert "--alpha must be" in refused("--effect", "0.5", "--alpha", "2")
    assert "did you mean --test wilcoxon" in refused("--effect", "0.5", "--test", "wilcoxn")
    assert "--algorithms must be" in refused("--effect", "0.5", "--algorithms", "1")
    assert "looks the other way" in refused("--effect", "-0.5", "--alternative", "greater")
    assert "nothing is left" in refused("--effect", "1", "--n", "9", "--power", "0.8", "--alpha", "0.1")
    assert "below 6 problems" in refused("--n", "4", "--test", "sign")
    assert "--better is required" in refused("--pilot", pilot)
    assert "needs --pilot" in refused("--effect", "0.5", "--delta", "1")
    assert "give one of them" in refused("--pilot", pilot, "--better", "lower", "--delta", "1", "--effect", "1")
    assert "cannot read" in refused("--pilot", "nothing.csv", "--better", "lower")
    assert "--se must be a positive number" in refused("--pilot", pilot, "--better", "lower", "--se", "0")
    assert "--report must end in" in refused("--effect", "0.5", "--report", "plan.docx")
    assert "the folder 'nowhere' does not exist" in refused("--effect", "0.5", "--report", "nowhere/plan.md")
    assert "no power curve" in refused("--effect", "0,0,1", "--test", "friedman", "--figure", "a.svg")


@pytest.mark.slow
def test_advice_is_in_the_words_of_the_command() -> None:
    text = " ".join(done("--effect", "0.5", "--algorithms", "3", "--target", "mean").split())
    assert "! average-power: --target mean describes all comparisons together" in text
    assert "(--target worst covers it)" in text


def test_help_lists_every_option() -> None:
    text = plan("--help").stdout
    for option in ("--effect", "--power", "--n ", "--algorithms", "--pilot", "--delta", "--se ", "--json", "--report"):
        assert option in text


@pytest.mark.slow
def test_nothing_heavy_is_loaded(tmp_path: Path) -> None:
    code = (
        "import json, sys\nfrom bakeoff.cli import main\n"
        "sys.argv = ['bakeoff', 'plan', '--effect', '0.5', '--report', 'a.svg']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "sys.stderr.write(json.dumps(sorted(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert not set(json.loads(ran.stderr)) & HEAVY


@pytest.mark.slow
def test_a_terminal_without_unicode(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "bakeoff", "plan", "--effect", "0.5", "--algorithms", "3"]
    ran = subprocess.run(command, capture_output=True, env={"PYTHONIOENCODING": "ascii"}, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    text = ran.stdout.decode("ascii")
    assert "@" in text
    assert "?" not in text


@pytest.mark.slow
def test_the_page_on_planning_shows_what_is_printed() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guides" / "planning.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```console\n\$ bakeoff plan ([^\n]+)\n(.*?)^```$", page, flags=re.M | re.S)
    assert len(shown) == 4
    for command, output in shown:
        printed = done(*command.split())
        assert printed == output or (output.endswith("…\n") and printed.startswith(output.removesuffix("…\n")))


def test_questions_are_planned_from_single_answers_or_from_an_agreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    right = [(1, 0)] * 50 + [(0, 1)] * 30 + [(1, 1)] * 250 + [(0, 0)] * 70
    rows = ["question,A,B", *(f"q{i},{a},{b}" for i, (a, b) in enumerate(right))]
    (tmp_path / "answers.csv").write_text("\n".join(rows) + "\n")
    from_logs = done("--questions", "--delta", "0.05", "--pilot", "answers.csv", "--better", "higher")
    pilot = bo.plan.question_variance(bo.read_scores("answers.csv", better="higher"), "A", "B")
    assert from_logs.startswith(f"{bo.plan.questions(0.05, pilot).n} questions detect a difference of 0.05")
    assert "variance of" not in from_logs.lower()
    agreed = done("--questions", "--delta", "0.05", "--accuracy", "0.725", "--agreement", "0.8")
    assert agreed.startswith(f"{bo.plan.questions(0.05, agreement=0.8).n} questions detect a difference of 0.05")
    assert "right or both are wrong on 80.0 % of the questions" in " ".join(agreed.split())
    assert "--questions needs --pilot FILE; without one --accuracy 0.7" in refused("--questions", "--delta", "0.05")
    assert "--accuracy needs --questions" in refused("--effect", "0.5", "--accuracy", "0.7")
    assert "come from the pilot" in refused(
        "--questions", "--pilot", "answers.csv", "--agreement", "0.8", "--delta", "1"
    )
    assert "(plan --questions)" in refused("--pilot", "answers.csv", "--better", "higher")
