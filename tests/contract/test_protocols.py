"""A sealed protocol: each of its choices contradicted in turn is refused by name, or is a departure in the report."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
import every_kind
import forging
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, ParameterError, ReportError
from bakeoff.protocols import Protocol, check_against_protocol, read_protocol, template
from bakeoff.protocols.protocol import planned_commands, planned_parameters
from bakeoff.report import render
from bakeoff.wings.guard.check.reporting import summary

COMMANDS = planned_commands()
SCORES = bo.datasets.load("demsar_2006")
RUNS = bo.Scores(
    [[[i + 1.0, i + 1.25], [i + 2.0, i + 2.5 + i % 3], [i + 1.5, i + 3.0]] for i in range(8)],
    list("abc"),
    better="lower",
)
CLUSTERED = bo.Scores(RUNS.values, list("abc"), better="lower", clusters=[f"c{i // 2}" for i in range(8)])
SUITES = [f"s{i // 4}/{i}" for i in range(8)]
TABLES = {"error": CLUSTERED, "seconds": CLUSTERED}
BASE = {f"P{i}": [1.0, 1.1, 1.2, 1.05, 1.15, 1.08] for i in range(2)}
NEW = {f"P{i}": [1.5, 1.6, 1.8, 1.55, 1.7, 1.62] for i in range(2)}


def run(command: str, **asked: Any) -> Any:
    """The analysis of that command, on a small table."""
    calls: dict[str, Any] = {
        "compare": lambda **more: bo.compare(CLUSTERED, **more),
        "bayes": lambda **more: bo.bayes.overview(RUNS, **{"n_draws": 200, **more}),
        "evaluate": lambda **more: bo.evaluate(CLUSTERED, **{"n_resamples": 99, **more}),
        "runtimes": lambda **more: bo.runtimes(RUNS, **{"cap": 9.0, "n_resamples": 100, **more}),
        "tradeoff": lambda **more: bo.tradeoff(
            TABLES, **{"margins": {"error": 0.5, "seconds": "5%"}, "n_draws": 100, **more}
        ),
        "check": lambda **more: bo.check(BASE, NEW, better="lower", **{"margin": "5%", **more}),
    }
    return calls[command](**asked)


USED: dict[str, dict[str, Any]] = {
    "compare": {},
    "bayes": {"n_draws": 200},
    "evaluate": {"n_resamples": 99},
    "runtimes": {"cap": 9, "n_resamples": 100},
    "tradeoff": {"margins": {"error": 0.5, "seconds": "5%"}, "n_draws": 100},
    "check": {"margin": "5%"},
}
OTHERS: dict[str, Any] = {
    "control": "b", "omnibus": "friedman", "pairwise": "sign", "posthoc": ["holm", "shaffer"], "alpha": 0.2,
    "recipe": "demsar-2006", "standard_error": "papers", "transform": "log", "effect": "percent",
    "intervals": "single", "margin": "7%", "unit": "problem", "rng": 7, "rope": 0.5, "prior_strength": 2.0,
    "gamma": 0.2, "n_draws": 99, "prior": "flat", "suites": "clusters", "tasks": "new", "weights": "clusters",
    "n_resamples": 277, "cap": 5, "k": [1, 3], "shift": 2.0, "correction": "none",
    "allow_missing": True, "level": "problem", "test": "rank", "scale": "difference", "paired": True, "strict": True,
    "also": ["contrast"], "points": "ok=1",
    "center": True, "run_sd": 0.3, "ties": 0.2, "margins": {"error": 0.5, "seconds": "7%"},
}  # fmt: skip
"""Of each choice, another one than the default."""
ELSE = {("evaluate", "correction"): "holm"}


def plan(command: str, **chosen: Any) -> Protocol:
    better: Any = {"error": "lower", "seconds": "lower"} if command == "tradeoff" else "lower"
    base = {"command": command, "better": better, "algorithms": "any", "problems": "any", **USED[command]}
    return Protocol.of(base | chosen)


CHOICES = [(command, one.name) for command in COMMANDS for one in planned_parameters(command)]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_was_planned_is_no_departure(command: str) -> None:
    found = check_against_protocol(run(command), plan(command))
    assert found.protocol["departures"] == []
    assert found.protocol["sha256"] == plan(command).sha256
    text = str(found)
    assert "Departures" not in text
    assert found.to_dict()["protocol"]["content"]["command"] == command
    assert bo.verify(found).ok


@pytest.mark.few(5, 6)
@pytest.mark.parametrize(("command", "name"), CHOICES)
@pytest.mark.slow_cases("bayes-control")
def test_each_choice_contradicted(command: str, name: str, tmp_path: Path) -> None:
    other = ELSE.get((command, name), OTHERS[name])
    planned = plan(command, **{name: other})
    result = run(command)
    assert planned.content[name] != plan(command).content[name]
    with pytest.raises(ParameterError, match=f"--?{name.replace('_', '-')}|--seed|--draws|--resamples|margins: "):
        check_against_protocol(result, planned)
    found = check_against_protocol(result, planned, "it was late")
    assert [each["choice"] for each in found.protocol["departures"]] == [name]
    page = str(found)
    assert page.index("Departures from the protocol") < page.index(" ".join(found.verdict.split()[:2]))
    assert "it was late" in page
    found.save(tmp_path / "r.html")
    assert bo.verify(tmp_path / "r.html").ok
    content = found.to_dict()
    content["protocol"]["departures"] = []
    assert not bo.verify(content).ok


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["better", "algorithms", "problems"])
@pytest.mark.few(6, 6)
def test_another_table_than_planned(command: str, name: str) -> None:
    others: dict[str, Any] = {"better": "higher", "algorithms": ["a", "z"], "problems": {"at_least": 99}}
    if command == "tradeoff":
        others["better"] = {"error": "lower", "seconds": "higher"}
    planned = plan(command, **{name: others[name]})
    with pytest.raises(ParameterError, match=name):
        check_against_protocol(run(command), planned)
    assert [each["choice"] for each in check_against_protocol(run(command), planned, "why").protocol["departures"]] == [
        name
    ]


def test_a_control_called_as_the_default_reads_is_a_departure() -> None:
    scores = bo.Scores(RUNS.values, ["all", "b", "c"], better="lower")
    with pytest.raises(ParameterError, match="--control: planned was default, not all"):
        check_against_protocol(bo.compare(scores, control="all"), plan("compare"))


def test_suites_that_were_planned_are_no_departure() -> None:
    for rule in ("clusters", "prefix"):
        scores = bo.Scores(CLUSTERED.values, list("abc"), problems=SUITES, better="lower", clusters=CLUSTERED.clusters)
        result: Any = bo.evaluate(scores, suites=rule, n_resamples=99)
        assert check_against_protocol(result, plan("evaluate", suites=rule)).protocol["departures"] == []


@pytest.mark.parametrize("planned", ["raise", "drop", "worst", "bounds"])
def test_missing_scores_were_planned_for(planned: str) -> None:
    values = CLUSTERED.values.copy()
    values[0, 0] = float("nan")
    result = bo.compare(bo.Scores(values, list("abc"), better="lower", missing="keep"))
    with pytest.raises(ParameterError, match=f"--missing: planned was {planned}, not keep"):
        check_against_protocol(result, plan("compare", missing=planned))
    assert check_against_protocol(result, plan("compare", missing="keep")).protocol["departures"] == []


def cli(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = zip(SCORES.problems, SCORES.values.tolist(), strict=True)
    lines = [",".join(["problem", *SCORES.algorithms]), *(",".join([p, *map(str, row)]) for p, row in rows)]
    Path("s.csv").write_text("\n".join(lines))
    made = cli(
        "protocol", "new", "compare", "--set", "better=higher", "--set", "control=C4.5", "--set", "posthoc=finner"
    )
    Path("p.toml").write_text(made.output)
    assert "sha256" in cli("protocol", "seal", "p.toml").output
    return Path("p.sealed.json")


def test_a_command_takes_every_choice_from_its_protocol(sealed: Path) -> None:
    done = cli("compare", "s.csv", "--protocol", str(sealed), "--json")
    content = json.loads(done.output)
    assert (content["primary"], content["control"], content["better"]) == ("finner", "C4.5", "higher")
    assert content["protocol"]["departures"] == []
    assert content["protocol"]["sha256"] in cli("protocol", "show", str(sealed)).output


OPTIONS = [
    *(
        ("--alpha", "0.1"),
        ("--posthoc", "holm"),
        ("--control", "C4.5+m"),
        ("--pairwise", "sign"),
        ("--better", "lower"),
    ),
    *(("--omnibus", "friedman"), ("--effect", "percent"), ("--intervals", "single"), ("--margin", "0.1")),
    *(("--transform", "log"),),
]


@pytest.mark.few(5)
@pytest.mark.parametrize(("option", "value"), OPTIONS)
@pytest.mark.slow_cases("--control-C4.5+m", "--better-lower", "--effect-percent", "--transform-log")
def test_an_option_that_contradicts_the_protocol(option: str, value: str, sealed: Path) -> None:
    words = ("compare", "s.csv", "--protocol", str(sealed), option, value)
    refused = cli(*words, "--report", "r.html")
    assert refused.exit_code == 2
    assert f"{option}: planned was" in refused.output
    assert not Path("r.html").exists()
    allowed = cli(*words, "--deviate", "asked by a reviewer", "--report", "r.html", "--report", "r.json")
    assert allowed.exit_code == 0
    said = Path("r.html").read_text(encoding="utf-8")
    assert said.index("Departures from the protocol") < said.index("<h1>")
    assert "asked by a reviewer" in said
    for report in ("r.html", "r.json"):
        assert cli("verify", report, "s.csv").exit_code == 0


def test_a_seal_that_does_not_hold_and_what_is_no_protocol(sealed: Path) -> None:
    content = json.loads(sealed.read_text())
    content["protocol"]["alpha"] = 0.1
    sealed.write_text(json.dumps(content))
    assert "was changed since it was sealed" in cli("compare", "s.csv", "--protocol", str(sealed)).output
    twice = json.dumps(content).replace('"alpha": 0.1', '"alpha": 0.1, "alpha": 0.05')
    sealed.write_text(twice)
    assert "'alpha' occurs twice" in cli("compare", "s.csv", "--protocol", str(sealed)).output
    assert "bakeoff protocol seal" in cli("compare", "s.csv", "--protocol", "p.toml").output
    assert "cannot read" in cli("compare", "s.csv", "--protocol", "nothing.json").output
    assert "--protocol FILE" in cli("compare", "s.csv", "--better", "higher", "--deviate", "x").output


def test_a_reason_without_a_departure_and_another_command(sealed: Path) -> None:
    asked = ("--protocol", str(sealed))
    assert "nothing departs" in cli("compare", "s.csv", *asked, "--deviate", "x").output
    assert "plans bakeoff compare, not evaluate" in cli("evaluate", "s.csv", *asked).output
    with pytest.raises(ParameterError, match="plans bakeoff compare"):
        check_against_protocol(bo.evaluate(SCORES), read_protocol(sealed))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_template_has_every_choice_and_reads_back(command: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"better": {"a": "lower"}} if command == "tradeoff" else {"better": "lower"}
    path = tmp_path / "p.toml"
    path.write_text(template(command, **given), encoding="utf-8")
    found = read_protocol(path, sealed=False)
    assert found.content["command"] == command
    assert found == Protocol.of({"command": command, "algorithms": "any", "problems": "any", **given})


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ({"better": "up"}, "better must be one of"),
        ({"algorithms": None}, "algorithms must be chosen"),
        ({"problems": []}, "problems must be chosen"),
        ({"problems": ["a", "a"]}, "must name each once"),
        ({"alpha": "much"}, "alpha must be a number"),
        ({"posthoc": "holms"}, "posthoc must be one of"),
        ({"aplha": 0.1}, "did you mean 'alpha'"),
        ({"command": "plan"}, "command must be one of"),
        ({"question": 3}, "question must be text"),
        ({"alpha": 10**400}, "alpha must be a finite number"),
        ({"margin": float("nan")}, "margin must be a finite number"),
    ],
)
def test_a_protocol_that_cannot_be_kept_is_refused(said: dict[str, Any], rule: str) -> None:
    with pytest.raises(BakeoffError, match=rule):
        Protocol.of({"command": "compare", "better": "lower", "algorithms": "any", "problems": "any"} | said)


def test_names_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("P1\n\nP2\n")
    (tmp_path / "p.toml").write_text('better = "lower"\nalgorithms = {at_least = 2}\nproblems = {file = "names.txt"}\n')
    assert read_protocol(tmp_path / "p.toml", sealed=False).content["problems"] == ["P1", "P2"]


def test_an_experiment_file_is_a_protocol_already(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("init", ".").exit_code == 0
    line = cli("protocol", "seal", "experiment.toml").output.split()
    assert line[:4] == ["bakeoff", "protocol", "run", "sha256"]
    assert line[4] == bo.Experiment.from_toml("experiment.toml").spec_hash
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".json") == []
    result: Any = every_kind.RESULTS["experiment"]()
    said = " ".join(render(result, "md").replace("*", "").split())
    assert f"protocol SHA-256: {result.contents.spec_hash}" in said


@pytest.mark.parametrize("chosen", [{}, {"alpha": 0.2}])
@pytest.mark.slow
def test_changes_of_a_protocol_in_a_report_are_found(chosen: dict[str, Any]) -> None:
    """All but the words of the reason, and a protocol that is removed with all that it says."""
    report = json.loads(
        json.dumps(
            check_against_protocol(run("compare"), plan("compare", **chosen), "late" if chosen else None).to_dict()
        )
    )
    assert bo.verify(report).ok
    for number in range(60):
        rng = random.Random(f"{number} {chosen}")
        at = ("protocol", *forging.random_place(rng, report["protocol"]))
        changed = rng.choice(forging.CHANGES)(rng, report, at)
        if forging.true_still(report, changed, False) or (at[1] == "reason" and "reason" in changed["protocol"]):
            continue
        assert not is_agreed_to(changed), at
    if chosen:
        assert not is_agreed_to({**report, "protocol": {**report["protocol"], "reason": " "}})


@pytest.mark.parametrize("stated", ["text", {}, {"content": "text", "reason": ""}])
def test_a_protocol_that_is_no_object_with_a_content_is_refused(stated: Any) -> None:
    report = json.loads(json.dumps(check_against_protocol(run("compare"), plan("compare"), None).to_dict()))
    with pytest.raises(ReportError, match="protocol must be an object"):
        bo.verify({**report, "protocol": stated})


def is_agreed_to(report: dict[str, Any]) -> bool:
    try:
        return bo.verify(report).ok
    except ReportError:
        return False


def test_the_summary_of_a_check_says_departures_first() -> None:
    planned = plan("check", margin="7%")
    said = summary(check_against_protocol(run("check"), planned, "*late*"))
    assert said.startswith("**Departures from the protocol**\n\n- **margin**: planned: 7%; done: 5%.")
    assert said.index("late") < said.index("REGRESSED")
    assert "- **reason**: *late*" not in said
    assert summary(check_against_protocol(run("check"), plan("check"))) == summary(run("check"))
