"""``bakeoff race``: an experiment, a finished table, and a race's own store; what it prints, refuses and keeps."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.cli.terminal import bar
from bakeoff.errors import StoreError
from bakeoff.wings.run.progress import Progress, RaceProgress
from bakeoff.wings.run.run.reporting.progress import footline, headline, rows
from bakeoff.wings.run.store.contents import read_store
from terminals import drawn_until
from waiting import PATIENCE, wait_until

SOLVERS = """
def noisy(problem, rng, level):
    return problem + level + rng.normal()

def good(problem, rng):
    return noisy(problem, rng, 0.0)

def fair(problem, rng):
    return noisy(problem, rng, 0.2)

def bad(problem, rng):
    return noisy(problem, rng, 3.0)

def slow(problem, rng):
    import time
    time.sleep(0.1)
    return 1.0

slower = slow
problems = {f"p{i}": float(i) for i in range(40)}
"""
TOML = """
better = "lower"
seed = 1
[algorithms]
good = { python = "race_solvers:good" }
fair = { python = "race_solvers:fair" }
bad = { python = "race_solvers:bad" }
[problems]
python = "race_solvers:problems"
"""
ENDLESS = TOML.replace("good", "slow").replace('fair = { python = "race_solvers:fair" }\n', "").replace("bad", "slower")
TABLE = "problem,new,old\n" + "".join(f"p{i},1,2\n" for i in range(10))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    own = re.sub(r"\W", "_", tmp_path.name)  # a process imports a module of one name once
    (tmp_path / f"{own}.py").write_text(SOLVERS)
    (tmp_path / "experiment.toml").write_text(TOML.replace("race_solvers", own))
    (tmp_path / "endless.toml").write_text(ENDLESS.replace("race_solvers", own))
    (tmp_path / "scores.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bakeoff(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def done(result: Result) -> str:
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def refused(*args: str) -> str:
    result = bakeoff(*args)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert re.fullmatch(r"bakeoff: [^\n]+\n", result.stderr)
    return result.stderr


@pytest.mark.slow
def test_from_toml_to_survivors(folder: Path) -> None:
    said = done(bakeoff("race", "experiment.toml"))
    assert said.startswith("2 of 3 candidates survive: good and fair. good has the best mean rank")
    assert "e-sign at α = 0.05, looked at every 5 problems; 40 problems" in said
    assert re.search(r"bad +worse", said)
    assert "is ever eliminated is at most 0.05" in " ".join(said.split())
    assert "Stored in experiment.race.sqlite" in said
    assert done(bakeoff("race", "experiment.toml")) == said  # nothing is run again, the same is said
    assert done(bakeoff("race", "experiment.race.sqlite")) + "\n" == said[: said.index("Stored in")]
    assert "40 of them finished. OK: every decision reproduced" in done(bakeoff("verify", "experiment.race.sqlite"))
    verified = bakeoff("verify", "experiment.race.sqlite", "--experiment", "experiment.toml")
    assert "OK: every decision reproduced" in done(verified)
    done(bakeoff("export", "experiment.race.sqlite", "-o", "runs.csv"))
    runs = (folder / "runs.csv").read_text().splitlines()
    assert len(runs) == 1 + len(read_store(folder / "experiment.race.sqlite").rows)


@pytest.mark.slow
def test_json_and_reports(folder: Path) -> None:
    made = ["race.html", "race.md", "race.tex", "race.json", "race.svg", "race.csv"]
    asked = [word for name in made for word in ("--report", name)]
    content = json.loads(done(bakeoff("race", "experiment.toml", "--json", *asked)))
    assert content["schema"] == "bakeoff.race/1"
    assert content["survivors"] == ["good", "fair"]
    assert content["best"] == "good"
    assert [e["algorithm"] for e in content["eliminated"]] == ["bad"]
    assert content["evaluations"] == content["n_runs"] < content["full_evaluations"] == 120
    assert content["command"].startswith("bakeoff race experiment.toml")
    assert all((folder / name).stat().st_size > 200 for name in made[:5])
    assert json.loads((folder / "race.json").read_text()) == content
    assert "<svg" in (folder / "race.html").read_text()
    assert (folder / "race.csv").read_text().startswith("algorithm,outcome,by,n_problems,evidence\n")
    assert "wangramdas2022" in done(bakeoff("cite", "race.json"))


@pytest.mark.slow
def test_the_race_is_the_same_on_two_workers(folder: Path) -> None:
    one = json.loads(done(bakeoff("race", "experiment.toml", "--json")))
    two = json.loads(done(bakeoff("race", "experiment.toml", "--json", "--store", "two.sqlite", "--workers", "2")))
    one.pop("command"), two.pop("command")
    assert one == two


@pytest.mark.slow
def test_settings_of_the_race(folder: Path) -> None:
    asked = ["--method", "e-sign", "--alpha", "0.01", "--block", "2", "--budget", "60", "--option", "strict=true"]
    content = json.loads(done(bakeoff("race", "experiment.toml", "--json", *asked)))
    assert (content["method"], content["alpha"], content["block"]) == ("e-sign", 0.01, 2)
    assert content["threshold"] == pytest.approx(300)
    assert content["evaluations"] <= content["budget"] == 60


@pytest.mark.slow
def test_the_level_is_the_experiments(folder: Path) -> None:
    (folder / "experiment.toml").write_text("alpha = 0.01\n" + (folder / "experiment.toml").read_text())
    assert json.loads(done(bakeoff("race", "experiment.toml", "--json")))["alpha"] == 0.01
    other = ["--alpha", "0.2", "--store", "other.sqlite"]
    assert json.loads(done(bakeoff("race", "experiment.toml", "--json", *other)))["alpha"] == 0.2


def test_a_finished_table_is_replayed(folder: Path) -> None:
    before = sorted(folder.iterdir())
    said = done(bakeoff("race", "scores.csv", "--better", "lower", "--block", "1"))
    assert said.startswith("new is the only survivor of 2 candidates.")
    assert "6 problems, 12 of 20 evaluations (40.0 % saved); one candidate survives." in " ".join(said.split())
    again = done(bakeoff("race", "scores.csv", "--replay", "--better", "lower", "--block", "1", "--order", "given"))
    assert "order" not in again.splitlines()[0]
    turned = done(bakeoff("race", "scores.csv", "--better", "higher", "--block", "1"))
    assert turned.startswith("old is the only survivor")
    piped = CliRunner().invoke(main, ["race", "-", "--better", "lower", "--json"], input=TABLE)
    assert json.loads(done(piped))["survivors"] == ["new"]
    assert sorted(folder.iterdir()) == before


def test_a_claim_about_the_winner(folder: Path) -> None:
    asked = ["race", "scores.csv", "--better", "lower", "--method", "e-choose", "--json"]
    found = json.loads(done(bakeoff(*asked, "--tolerance", "0.7", "--block", "1")))
    assert (found["best"], found["stopped"]) in (("new", "chosen"), ("new", "one left"))
    assert "with probability 0.7 or more" in found["claim"]
    assert "tolerance must be" in bakeoff(*asked, "--tolerance", "0.5").output.replace("--tolerance", "tolerance")
    refused = bakeoff("race", "scores.csv", "--better", "lower", "--tolerance", "0.7")
    assert refused.exit_code == 2
    assert "'e-sign' has no option 'tolerance'" in refused.output


@pytest.mark.slow
def test_a_candidate_appended_to_the_file_joins_late(folder: Path) -> None:
    whole = (folder / "experiment.toml").read_text()
    first = json.loads(done(bakeoff("race", "experiment.toml", "--json", "--budget", "20")))
    name = "late"
    lines = whole.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("[algorithms]"))
    end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("[") or not lines[i].strip()), len(lines))
    copied = lines[end - 1].split("=", 1)[1]
    lines.insert(end, f"{name} ={copied}")
    (folder / "experiment.toml").write_text("\n".join(lines) + "\n")
    found = json.loads(done(bakeoff("race", "experiment.toml", "--json")))
    assert found["algorithms"] == [*first["algorithms"], name]
    assert "late-candidates" in [caution["code"] for caution in found["cautions"]]
    assert done(bakeoff("verify", "experiment.race.sqlite"))


@pytest.mark.slow
def test_a_store_of_runs_is_replayed(folder: Path) -> None:
    done(bakeoff("run", "experiment.toml"))
    content = json.loads(done(bakeoff("race", "experiment.sqlite", "--json")))
    assert content["full_evaluations"] == 120
    assert content["eliminated"][0]["algorithm"] == "bad"


@pytest.mark.slow
def test_what_is_wrong_is_one_line(folder: Path) -> None:
    done(bakeoff("race", "experiment.toml"))
    assert "race.alpha is 0.05 in the store and 0.1 now" in refused("race", "experiment.toml", "--alpha", "0.1")
    assert "did you mean --method e-sign" in refused("race", "experiment.toml", "--method", "e-sig")
    assert "--budget must pay for the first block" in refused(
        "race", "scores.csv", "--better", "lower", "--budget", "3"
    )
    assert "did you mean 'strict'" in refused("race", "experiment.toml", "--option", "strit=true")
    assert "NAME=VALUE" in refused("race", "experiment.toml", "--option", "strict")
    assert "--better: the experiment file sets this" in refused("race", "experiment.toml", "--better", "lower")
    assert "--better is required" in refused("race", "scores.csv")
    assert "--workers: the file is a finished table" in refused(
        "race", "scores.csv", "--better", "lower", "--workers", "2"
    )
    assert "--order must be" in refused("race", "scores.csv", "--better", "lower", "--order", "-1")
    assert "--alpha: " in refused("race", "experiment.race.sqlite", "--alpha", "0.1")
    assert "holds a race" in refused("compare", "experiment.race.sqlite")
    assert "there is no store" in refused("race", "none.sqlite")
    assert "cannot read 'none.toml'" in refused("race", "none.toml")
    assert "would overwrite" in refused("race", "experiment.toml", "--store", "x.json", "--report", "x.json")


# --- stopping, and what a terminal sees ---------------------------------------------------------------------------


def started(folder: Path, **streams: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "bakeoff", "race", "endless.toml"]
    paths = [str(Path(bo.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "TERM": "xterm", "CI": ""}
    return subprocess.Popen(command, cwd=folder, env=environment, **streams)  # type: ignore[call-overload,no-any-return]


def until_runs(store: Path, number: int) -> None:
    def begun() -> bool:
        try:
            return len(read_store(store).rows) >= number
        except (StoreError, TypeError):
            return False

    wait_until(begun)


@pytest.mark.slow
def test_interrupted_it_goes_on_and_makes_the_same_decisions(folder: Path) -> None:
    process = started(folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until_runs(folder / "endless.race.sqlite", 3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == b""
    assert err.decode() == (
        "bakeoff: stopped; finished runs are stored in endless.race.sqlite. To resume: bakeoff race endless.toml\n"
    )
    half = json.loads(done(bakeoff("race", "endless.race.sqlite", "--json")))
    assert half["stopped"] == "interrupted"


@pytest.mark.slow
def test_a_terminal_sees_who_is_left(folder: Path) -> None:
    seen = drawn_until(b"eliminated at 20", lambda stderr: started(folder, stdout=subprocess.DEVNULL, stderr=stderr))
    assert b"2 of 2 candidates" in seen
    assert b"of 80 evaluations" in seen


def test_the_lines_of_the_live_table() -> None:
    race = RaceProgress(
        method="e-sign",
        measure="e-value",
        threshold=20.0,
        n_candidates=30,
        survivors=tuple((f"c{i}", float(i)) for i in range(20)),
        last_out=(("c\x1b[31m", "worse", 1),),
        n_blocks=9,
        n_problems=45,
        evaluations=1000,
        full_evaluations=3000,
    )
    picture = Progress(
        n_problems=100, problems_done=47, runs_done=1010, runs_expected=2100, runs_here=10, failed=1, retried=2,
        reasons={}, active=(), seconds=3.0, seconds_left=80.0, stopping=True, finished=False, race=race,
    )  # fmt: skip
    assert headline(picture) == (
        "20 of 30 candidates · 45 of 100 problems · 1000 of 3000 evaluations · at most 1 min 20 s left"
    )
    assert footline(picture).startswith(
        "last eliminated: c�[31m (worse, 1 problem) · 1 run failed · 2 tried again · stop"
    )
    assert [name for name, _ in rows(race.survivors)] == [
        *(f"c{i}" for i in range(6)), "… 8 more", *(f"c{i}" for i in range(14, 20))
    ]  # fmt: skip
    assert bar(5.0 / 20.0, 20) == "━" * 5 + "┄" * 15
    assert bar(1e9 / 20.0, 20) == "━" * 20
