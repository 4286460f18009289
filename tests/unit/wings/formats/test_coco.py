"""COCO: the files are of coco-experiment 2.8.2."""

import shutil
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

SAMPLE = Path(__file__).parents[3] / "oracles" / "data" / "formats" / "coco"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLE, tmp_path / "coco")
    return tmp_path / "coco"


def test_instances_are_runs_and_the_data_has_all_digits() -> None:
    """The .info file says 2.3e-01; its last line has no end."""
    assert not (SAMPLE / "bbobexp_f1.info").read_bytes().endswith(b"\n")
    rows = read_measurements(SAMPLE)
    assert (rows.problems.names, rows.algorithms.names, rows.runs.names) == (["f1/d2", "f2/d2"], ["RS"], ["1", "2"])
    assert list(rows.score) == [0.2317872502, 0.6193441596, 14661.44678, 291.3699525]
    assert (rows.metric, rows.run_kind, rows.direction(None)) == ("best error", "seed", "lower")


def test_an_instance_can_be_a_problem() -> None:
    rows = read_measurements(SAMPLE, choices=Choices(problem="function,dimension,instance"))
    assert rows.problems.names == ["f1/d2/i1", "f1/d2/i2", "f2/d2/i1", "f2/d2/i2"]


def test_evaluations_to_the_precision_and_to_other_targets() -> None:
    rows = read_measurements(SAMPLE, choices=Choices(metric="evals"))
    assert {rows.statuses[code] for code in rows.status} == {"timeout"}  # 60 evaluations do not reach 1e-8
    rows = read_measurements(SAMPLE, choices=Choices(metric="evals to 0.5"))
    assert rows.score[0] == 38
    assert [rows.statuses[code] for code in rows.status] == ["ok", "timeout", "timeout", "timeout"]
    with pytest.raises(MissingScoreError, match=r"\(timeout\)"):
        bo.read_results({"a": str(SAMPLE), "b": str(SAMPLE)}, metric="evals to 0.5")


def test_three_lines_for_every_dimension(copy: Path) -> None:
    info = copy / "bbobexp_f1.info"
    first = info.read_text()
    shutil.copy(copy / "data_f1" / "bbobexp_f1_DIM2.dat", copy / "data_f1" / "bbobexp_f1_DIM5.dat")
    info.write_text(f"{first}\n{first.replace('DIM = 2', 'DIM = 5').replace('DIM2', 'DIM5')}")
    assert read_measurements(copy).problems.names == ["f1/d2", "f1/d5", "f2/d2"]


def test_an_instance_that_is_repeated_is_several_runs(copy: Path) -> None:
    """As in 2009: five instances, three times each."""
    info = copy / "bbobexp_f1.info"
    info.write_text(info.read_text().replace("2:60|6.2e-01", "1:60|6.2e-01"))
    assert read_measurements(copy).runs.names == ["1", "1/2", "2"]


def test_data_that_is_not_there_or_not_whole(copy: Path) -> None:
    data = copy / "data_f1" / "bbobexp_f1_DIM2.dat"
    text = data.read_text()
    data.write_text(text[: text.rindex("%")])
    with pytest.raises(ReadingError, match=r"has 1 run, .*bbobexp_f1\.info names 2; the data is incomplete"):
        read_measurements(copy)
    data.unlink()
    with pytest.raises(ReadingError, match=r"bbobexp_f1_DIM2\.dat is not there.*keep the data folders"):
        read_measurements(copy)


def test_a_truncated_info_file(copy: Path) -> None:
    info = copy / "bbobexp_f1.info"
    info.write_text(info.read_text().split("\n")[0])
    with pytest.raises(ReadingError, match="f1 in dimension 2 has no line of runs"):
        read_measurements(copy)
