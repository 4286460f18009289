"""JSON Schemas: what every kind of result writes is what its published schema says, and nothing else is."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses import all_analyses
from bakeoff.cli import main
from schema_checks import SCHEMAS, faults, validator
from sources import FILES

ROOT = Path(__file__).parents[2]
EARLIER = {
    f"bakeoff.{name}/1"
    for name in ("interquartile-mean", "timing", "plackett-luce", "study.power", "study.known-truth")
}
"""Names that earlier versions wrote, which verify refuses."""
STORED = {"bakeoff.baseline/1", "bakeoff.protocol/1"}  # files that bakeoff keeps and reads itself


def refused(word: str) -> float:
    raise ValueError(f"{word} is not JSON")


def parsed(text: str) -> dict[str, Any]:
    """As a strict reader of JSON takes it."""
    found: dict[str, Any] = json.loads(text, parse_constant=refused)
    return found


# --- results (one of every kind: tests/unit/report/test_registries.py) --------------------------------------------


def test_a_number_that_is_none_is_no_json_either() -> None:
    with pytest.raises(ValueError, match="NaN is not JSON"):
        parsed(
            report.render(bo.compare(bo.datasets.load("demsar_2006")), "json").replace(
                '"alpha": 0.05', '"alpha": NaN', 1
            )
        )


RNG = np.random.default_rng(3)
INF = float("inf")
CLUSTERS = [f"c{i // 2}" for i in range(12)]
NOISE = RNG.normal(size=(12, 3))
HOLES = np.where((np.arange(36).reshape(12, 3) % 11) == 0, np.nan, NOISE)
VARIANTS: dict[str, Any] = {
    "a margin and clusters": lambda: bo.compare(bo.Scores(NOISE, better="lower", clusters=CLUSTERS), margin=0.5),
    "a control, a recipe": lambda: bo.compare(bo.Scores(NOISE, better="lower"), 0, recipe="demsar-2006"),
    "runs": lambda: bo.compare(bo.Scores(RNG.normal(size=(9, 3, 4)), better="higher"), effect="a12"),
    "holes": lambda: bo.compare(bo.Scores(HOLES, better="lower", missing="keep")),
    "bounds": lambda: bo.compare(bo.Scores(HOLES, better="lower", missing="keep"), missing="bounds"),
    "failed runs": lambda: bo.compare(bo.Scores([[1.0, INF, 3.0], [0.5, INF, INF], [1.5, 2.0, 3.0]], better="lower")),
    "perfect agreement": lambda: bo.compare(bo.Scores([[1.0, 2.0, 3.0]] * 6, better="lower")),
    "a rope": lambda: bo.bayes.overview(bo.Scores(NOISE, better="lower"), 0, rope=0.2, n_draws=200),
    "ignorance": lambda: bo.bayes.overview(bo.Scores(NOISE, better="lower"), prior="ignorance", n_draws=200),
    "right and wrong": lambda: bo.evaluate(bo.Scores((NOISE > 0).astype(float), better="higher", clusters=CLUSTERS)),
}


@pytest.mark.few(5)
@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_only_there_on_occasion_is_in_the_schema_too(name: str) -> None:
    assert faults(parsed(report.render(VARIANTS[name](), "json"))) == []


@pytest.mark.slow
def test_the_small_reports_of_commands_have_schemas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("steps.py").write_text("def new(problem, rng):\n    return problem + rng.normal()\n\n\nold = new\n")
    Path("e.toml").write_text(
        'better = "lower"\nseed = 1\nruns = 2\n[algorithms]\nnew = { python = "steps:new" }\n'
        'old = { python = "steps:old" }\n[problems.values]\np = 1.0\nq = 2.0\nr = 3.5\n'
    )
    ran = bakeoff("run", "e.toml", "--store", "e.sqlite", "--workers", "1", "--json")
    assert ran.exit_code == 0, ran.output
    bo.compare(bo.datasets.load("demsar_2006")).save("r.json")
    for words in (["status", "e.sqlite"], ["verify", "e.sqlite"], ["verify", "r.json"]):
        done = bakeoff(*words, "--json")
        assert done.exit_code == 0, done.output
        content = parsed(done.stdout)
        assert faults(content) == []
        assert faults({**content, "surplus": 1})
    assert faults(parsed(ran.stdout)) == []
    for code in ("clean", "near-ties"):
        assert faults(parsed(bakeoff("demo", code, "--json").stdout)) == []


# --- the files --------------------------------------------------------------------------------------------------


def test_every_schema_named_in_the_sources_is_published_and_no_other() -> None:
    """Named by words, or by the record of an analysis, whose schema has the name of its kind."""
    sources = "".join(path.read_text(encoding="utf-8") for path in FILES)
    named = set(re.findall(r'"(bakeoff\.[a-z.-]+/\d)"', sources)) - STORED - EARLIER
    named |= {record.schema for record in all_analyses() if record.schema}
    assert {f"{name.removeprefix('bakeoff.').removesuffix('/1')}.json" for name in named} == {
        path.name for path in SCHEMAS.values() if path.stem != "experiment-file"
    }


@pytest.mark.parametrize("path", sorted(SCHEMAS.values()), ids=lambda path: path.stem)
def test_a_schema_is_named_and_describes_every_key(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:bakeoff:{path.stem.replace('.', ':')}:1"
    assert schema["title"]
    assert schema["additionalProperties"] is False
    if path.stem != "experiment-file":
        assert schema["properties"]["schema"]["const"] == f"bakeoff.{path.stem}/1"
    assert [place for place, words in described(schema) if len(words) < 4 or words[-1] not in ".!?…"] == []


@pytest.mark.parametrize("path", sorted(SCHEMAS.values()), ids=lambda path: path.stem)
def test_no_two_keys_of_an_object_are_described_by_the_same_sentence(path: Path) -> None:
    sentences = Counter((place.rpartition(".")[0], words) for place, words in described(json.loads(path.read_text())))
    assert [sentence for sentence, times in sentences.items() if times > 1] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(SCHEMAS.values()), ids=lambda path: path.stem)
def test_a_schema_is_one_of_the_draft_it_names(path: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


def described(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """The description of every key."""
    if isinstance(value, dict):
        for name, one in value.get("properties", {}).items() if isinstance(value.get("properties"), dict) else ():
            yield f"{place}.{name}", one.get("description", "")
        for name, one in value.items():
            yield from described(one, f"{place}/{name}")
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from described(one, f"{place}[{i}]")


def test_verify_needs_no_schema() -> None:
    for module in ("bakeoff.wings.verify._verify", "bakeoff.wings.verify.parsing"):
        assert "jsonschema" not in Path(str(importlib.import_module(module).__file__)).read_text()


# --- experiments ------------------------------------------------------------------------------------------------


def experiments() -> list[str]:
    files = [
        *(ROOT / "examples").glob("*.toml"),
        Path(bo.__file__).parent / "datasets" / "starting" / "experiment.toml",
    ]
    texts = [path.read_text(encoding="utf-8") for path in files]
    for page in (ROOT / "docs").rglob("*.md"):
        blocks = re.findall(r"^```toml$\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        texts += [block for block in blocks if "[algorithms" in block and "[problems" in block]
    return texts


def test_every_experiment_of_the_docs_fits_the_schema_of_experiment_files() -> None:
    texts = experiments()
    assert len(texts) >= 3
    for text in texts:
        assert [error.message for error in validator("experiment-file").iter_errors(tomllib.loads(text))] == []


def test_a_misspelled_setting_does_not() -> None:
    good = {"better": "lower", "seed": 1, "algorithms": {"a": "./a {instance}"}, "problems": {"files": "*.txt"}}
    check = validator("experiment-file").is_valid
    assert check(good)
    assert not check(good | {"sed": 1})
    assert not check(good | {"better": "less"})
    assert not check({name: value for name, value in good.items() if name != "seed"})
    assert not check(good | {"problems": {"files": "*.txt", "python": "m:f"}})
    assert not check(good | {"repetitions": {"se": 0.1}})
    assert check(good | {"repetitions": {"se": 0.1, "nmax": 100, "differences": "percent"}})


def test_the_settings_are_those_that_are_read() -> None:
    from bakeoff.wings.run.design import toml

    schema = validator("experiment-file").schema
    assert set(schema["properties"]) == {*toml._SETTINGS, *toml._TABLES, *toml._LABELS}
    (program,) = (
        form
        for form in schema["properties"]["algorithms"]["additionalProperties"]["anyOf"]
        if "command" in form.get("properties", {})
    )
    assert set(program["properties"]) == set(toml._COMMAND)


# --- the command ------------------------------------------------------------------------------------------------


def bakeoff(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def test_the_command_prints_the_file(tmp_path: Path) -> None:
    expected = SCHEMAS["compare"].read_text(encoding="utf-8")
    bo.compare(bo.datasets.load("demsar_2006")).save(tmp_path / "r.json")
    for name in ("compare", "bakeoff.compare/1", str(tmp_path / "r.json")):
        assert bakeoff("schema", name).stdout == expected
    listed = bakeoff("schema").stdout.splitlines()
    assert [line.split()[0] for line in listed] == sorted(SCHEMAS)


def test_the_command_says_what_there_is(tmp_path: Path) -> None:
    wrong = bakeoff("schema", "comparee")
    assert wrong.exit_code == 2
    assert "did you mean 'compare'?" in wrong.stderr
    (tmp_path / "x.json").write_text("[1]")
    for name in ("x.json", "none.json"):
        done = bakeoff("schema", str(tmp_path / name))
        assert done.exit_code == 2
        assert name in done.stderr


@pytest.mark.slow
def test_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bo.compare(bo.datasets.load("demsar_2006")).save("result.json")
    page = (ROOT / "docs" / "reference" / "schemas.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ bakeoff (.*)$", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        words, _, target = command.partition(" > ")
        done = bakeoff(*words.split())
        assert done.exit_code == 0
        if target:
            Path(target).write_text(done.stdout, encoding="utf-8")
    (block,) = re.findall(r"^```python$\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(block, "schemas.md", "exec"), {})


def requests(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """The descriptions of the arguments in every ``request``, wherever it is."""
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key == "request" and isinstance(value, dict) and "properties" in value:
            yield path, {name: said["description"] for name, said in value["properties"].items()}
        yield from requests(value, f"{path}.{key}")


@pytest.mark.parametrize("path", sorted(SCHEMAS.values()), ids=lambda path: path.stem)
def test_each_argument_of_a_request_is_described_by_itself(path: Path) -> None:
    for place, described in requests(json.loads(path.read_text(encoding="utf-8"))):
        for argument, text in described.items():
            assert not text.startswith("The argument "), f"{place}: {argument}"
            assert len(text) > 15, f"{place}: {argument}"
        shared = [text for text, times in Counter(described.values()).items() if times > 1]
        assert shared == [], place
