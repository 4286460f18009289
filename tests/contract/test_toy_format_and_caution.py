"""A format and a caution added in a copy of the package: each touches its folder and one other place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from package_copies import copied, edited, ran

pytestmark = pytest.mark.slow  # starts Python seven times
FORMAT = '''"""A toy: a line for each time, "TOY problem algorithm seconds"."""

from collections.abc import Iterator, Sequence

from bakeoff.wings.formats.measurement import Choices, Format, Measurement
from bakeoff.wings.formats.source_file import SourceFile


def recognise(file: SourceFile) -> bool:
    return file.text_head.startswith("TOY ")


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    for file in files:
        for line in file.lines():
            _, problem, algorithm, seconds = line.split()
            yield Measurement(problem, algorithm, float(seconds), metric="time", better="lower", unit="s")


FORMAT = Format("toy", "a toy", recognise, read, default_metric="time", takes=())
'''
CAUTION = """
[toy-fact]
severity = "note"
question = "Is this a toy?"
text = "The first problem is called {name}."
means = "The test adds it."
do = "nothing."
no_run = "takes a copy of the package"
"""


def program(folder: Path, *words: str) -> str:
    return ran(folder, "-m", "bakeoff", *words)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("toys")
    package = copied(made)
    # a format: its file, and its place in the registry
    (package / "wings" / "formats" / "toy.py").write_text(FORMAT, encoding="utf-8")
    edited(
        package / "wings/formats/__init__.py",
        '        "jmh":',
        '        "toy": "wings.formats.toy:FORMAT",\n        "jmh":',
    )
    # a caution: its text, and the place that warns
    with (package / "cautions" / "table.toml").open("a", encoding="utf-8") as texts:
        texts.write(CAUTION)
    edited(
        package / "ranks/cautions.py",
        "        one_problem(scores),\n",
        '        one_problem(scores),\n        caution_of("toy-fact", name=scores.problems[0]),\n',
    )
    lines = [f"TOY p{i} {name} {i + j + 1 + i % 3 * j}" for i in range(12) for j, name in enumerate("AB")]
    (made / "times.toy").write_text("\n".join(lines), encoding="utf-8")
    return made


def test_a_format_is_read_listed_and_imported(copy: Path) -> None:
    report = json.loads(program(copy, "compare", "times.toy", "--json"))
    assert report["scores"]["algorithms"] == ["A", "B"]
    assert "toy" in program(copy, "import", "--help")
    program(copy, "import", "toy", "times.toy", "-o", "long.csv")
    assert "p0" in (copy / "long.csv").read_text(encoding="utf-8")
    assert "bakeoff compare times.toy" in program(copy, "times.toy")


def test_a_caution_is_said_and_explained(copy: Path) -> None:
    report = json.loads(program(copy, "compare", "times.toy", "--json"))
    (found,) = (caution for caution in report["cautions"] if caution["code"] == "toy-fact")
    assert found["text"] == "The first problem is called p0."
    assert "Is this a toy?" in program(copy, "explain", "toy-fact")
