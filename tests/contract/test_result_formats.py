"""Formats of other programs are told apart: every file of theirs here is of one, or known to be of none."""

from pathlib import Path

import pytest

from bakeoff.wings.formats import FORMATS
from bakeoff.wings.formats.source_file import SourceFile

FILES = Path(__file__).parents[1] / "oracles" / "data" / "formats"
BESIDE = {"benchmark.json", "benchmarks.json", "machine.json"}  # read with another file, or not at all
TABLES = ("eval_ref_", "rliable_scores_")  # what read_scores reads
TRAJECTORIES = {".dat", ".tdat", ".rdat", ".mdat"}
EVERY = sorted(path for path in FILES.rglob("*") if path.is_file() and path.suffix not in TRAJECTORIES)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.relative_to(FILES).as_posix())
def test_a_file_is_of_one_format(path: Path) -> None:
    of = [name for name, each in FORMATS.items() if each.recognise(SourceFile(str(path)))]
    assert len(of) == (0 if path.name in BESIDE or path.name.startswith(TABLES) else 1), of


@pytest.mark.parametrize("path", sorted(p for p in FILES.rglob("*") if p.suffix in TRAJECTORIES), ids=lambda p: p.name)
def test_trajectories_are_of_none(path: Path) -> None:
    assert not [name for name, each in FORMATS.items() if each.recognise(SourceFile(str(path)))]


def test_every_format_has_a_file() -> None:
    files = [SourceFile(str(path)) for path in EVERY]
    without = [name for name, each in FORMATS.items() if not any(each.recognise(file) for file in files)]
    made = {"pyperf", "js-framework-benchmark", "aslib", "benchexec", "trec-eval"}  # by test_more_formats
    tests = {"catch2", "locust", "k6"}  # by test_tests_of_one_process
    assert set(without) == made | tests | {"rliable"}  # bare numbers, which are recognised in memory alone
