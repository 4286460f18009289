"""On the command line, each choice of a sealed protocol contradicted in turn, of every command that takes one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.parameter import Parameter
from bakeoff.protocols import Protocol
from bakeoff.protocols.protocol import planned_commands, planned_parameters

PLANNED: dict[str, dict[str, Any]] = {
    "compare": {},
    "bayes": {"n_draws": 200},
    "evaluate": {"n_resamples": 99},
    "runtimes": {"cap": 9.0, "n_resamples": 100},
    "tradeoff": {"margins": {"error": 0.5, "seconds": "5%"}, "n_draws": 100},
    "check": {"margin": "5%"},
}
FILES = {"tradeoff": ["two.csv"], "check": ["base.csv", "new.csv"]}
METRICS = ["--metric", "error:lower:margin=0.5", "--metric", "seconds:lower:margin=5%"]
OTHER: dict[str, list[str]] = {
    "control": ["--control", "b"], "omnibus": ["--omnibus", "friedman"], "pairwise": ["--pairwise", "sign"],
    "also": ["--also", "contrast"], "alpha": ["--alpha", "0.2"],
    "posthoc": ["--posthoc", "holm", "--posthoc", "shaffer"],
    "recipe": ["--recipe", "demsar-2006"], "standard_error": ["--standard-error", "papers"],
    "transform": ["--transform", "log"], "effect": ["--effect", "percent"], "intervals": ["--intervals", "single"],
    "margin": ["--margin", "7%"], "unit": ["--unit", "problem"], "rng": ["--seed", "7"], "rope": ["--rope", "0.5"],
    "prior_strength": ["--prior-strength", "2"], "gamma": ["--gamma", "0.2"], "n_draws": ["--draws", "150"],
    "prior": ["--prior", "flat"], "suites": ["--suites", "clusters"], "tasks": ["--tasks", "new"],
    "weights": ["--weights", "question"], "n_resamples": ["--resamples", "150"], "cap": ["--cap", "5"],
    "k": ["--k", "1", "--k", "3"], "shift": ["--shift", "2"],
    "correction": ["--correction", "none"], "allow_missing": ["--allow-missing"], "level": ["--level", "problem"],
    "test": ["--test", "rank"], "scale": ["--scale", "ratio"], "paired": ["--paired"], "strict": ["--strict"],
    "center": ["--center"], "run_sd": ["--run-sd", "0.3"], "ties": ["--ties", "0.2"], "over": ["--over", "runs"],
    "margins": ["--margins", "margins.toml"],
}  # fmt: skip
"""Of each choice, another one than the protocol has, as it is typed."""
ELSE = {
    ("evaluate", "correction"): ["--correction", "holm"],
    ("tradeoff", "margins"): ["--metric", "error:lower:margin=0.5", "--metric", "seconds:lower:margin=7%"],
    ("check", "margin"): ["--margin", "7%"],
}
BESIDE: dict[tuple[str, str], dict[str, Any]] = {
    ("compare", "recipe"): {"unit": "problem"},
    ("compare", "standard_error"): {"pairwise": "mean-ranks"},
    ("evaluate", "tasks"): {"suites": "clusters"},
    ("evaluate", "weights"): {"suites": "clusters"},
    ("check", "paired"): {"paired": False},
}
"""What a choice needs: planned, so that it contradicts nothing."""
CHOICES = [
    (command, one)
    for command in planned_commands()
    for one in planned_parameters(command)
    if one.on_command and (command, one.name) != ("compare", "rng")  # nothing is drawn here: a seed decides nothing
]


@pytest.fixture(autouse=True)
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight problems in four groups, three algorithms, two runs; two metrics; benchmarks before and after."""
    monkeypatch.chdir(tmp_path)
    head, rows = "problem,group,algorithm,run,score", []
    for i in range(8):
        for name, runs in (("a", (1.0, 1.25)), ("b", (2.0, 2.5 + i % 3)), ("c", (1.5, 3.0))):
            rows += [f"p{i},g{i // 2},{name},{run},{i + score}" for run, score in enumerate(runs)]
    Path("scores.csv").write_text("\n".join([head, *rows]))
    two = [f"{row.rpartition(',')[0]},{float(row.rpartition(',')[2]) / 10},{row.rpartition(',')[2]}" for row in rows]
    Path("two.csv").write_text("\n".join(["problem,group,algorithm,run,error,seconds", *two]))
    for name, by in (("base", 1.0), ("new", 1.4)):
        runs_of = {f"P{i}": [by * x + i * by % 3 for x in (1.0, 1.1, 1.2, 1.05, 1.15, 1.08)] for i in range(5)}
        lines = [f"{p},{run},{x}" for p, xs in runs_of.items() for run, x in enumerate(xs)]
        Path(f"{name}.csv").write_text("\n".join(["problem,run,score", *lines]))
    Path("margins.toml").write_text("[margins]\nP0 = '7%'\n")


def cli(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def asked(command: str, **chosen: Any) -> list[str]:
    """The command on its tables with a protocol, sealed here, that plans ``chosen``."""
    better: Any = {"error": "lower", "seconds": "lower"} if command == "tradeoff" else "lower"
    base = {"command": command, "better": better, "algorithms": "any", "problems": "any", **PLANNED[command]}
    Path("p.sealed.json").write_text(Protocol.of(base | chosen).sealed())
    clustered = [] if command in ("check", "bayes", "runtimes") else ["--cluster", "group"]
    return [command, *FILES.get(command, ["scores.csv"]), *clustered, "--protocol", "p.sealed.json"]


def departs(words: list[str], option: str, choice: str) -> None:
    """Refused by name, without a report; with a reason, a departure above the verdict of a report that verifies."""
    refused = cli(*words, "--report", "r.html")
    assert refused.exit_code == 2, refused.output
    assert f"{option}: planned was" in refused.output, refused.output
    assert not Path("r.html").exists()
    allowed = cli(*words, "--deviate", "asked by a reviewer", "--report", "r.html", "--report", "r.json")
    assert Path("r.html").exists(), allowed.output
    page = Path("r.html").read_text(encoding="utf-8")
    assert page.index("Departures from the protocol") < page.index("<h1>")
    assert "asked by a reviewer" in page
    content = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert [each["choice"] for each in content["protocol"]["departures"]] == [choice]
    assert bo.verify("r.html").ok
    content["protocol"]["departures"] = []
    assert not bo.verify(content).ok


@pytest.mark.parametrize("command", planned_commands())
@pytest.mark.slow_cases("bayes")
def test_a_kept_protocol(command: str) -> None:
    words = asked(command)
    done = cli(*words, *(METRICS if command == "tradeoff" else []), "--report", "r.html", "--report", "r.json")
    assert Path("r.html").exists(), done.output
    protocol = json.loads(Path("r.json").read_text(encoding="utf-8"))["protocol"]
    assert protocol["departures"] == []
    assert protocol["sha256"] in Path("r.html").read_text(encoding="utf-8")
    assert bo.verify("r.html").ok


@pytest.mark.few(5, 10)
@pytest.mark.parametrize(("command", "parameter"), CHOICES, ids=lambda one: getattr(one, "name", one))
@pytest.mark.slow_cases("compare-control", "bayes-rope", "evaluate-unit")
def test_each_choice_contradicted(command: str, parameter: Parameter) -> None:
    place = command, parameter.name
    needed = BESIDE.get(place, {})
    other = ELSE.get(place, OTHER[parameter.name])
    metrics = METRICS if command == "tradeoff" and parameter.name != "margins" else []
    option = "margins: error" if place == ("tradeoff", "margins") else parameter.flag
    departs([*asked(command, **needed), *metrics, *other], option, parameter.name)


@pytest.mark.few(6)
@pytest.mark.parametrize("command", planned_commands())
@pytest.mark.parametrize("choice", ["better", "algorithms", "problems"])
@pytest.mark.slow_cases("better-compare", "better-runtimes", "algorithms-compare", "problems-bayes")
def test_another_table_than_planned(command: str, choice: str) -> None:
    planned: dict[str, Any] = {"better": "higher", "algorithms": ["a", "z"], "problems": {"at_least": 99}}
    if command == "tradeoff":
        planned["better"] = {"error": "lower", "seconds": "higher"}
    words = [*asked(command, **{choice: planned[choice]}), *(METRICS if command == "tradeoff" else [])]
    if choice == "better" and command not in ("tradeoff", "runtimes"):
        words += ["--better", "lower"]
    departs(words, choice, choice)
