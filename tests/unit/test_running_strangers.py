"""Folders, files and settings as strangers have them."""

from __future__ import annotations

from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.running.naming import matching_files


def test_a_folder_may_be_called_like_a_pattern(tmp_path: Path) -> None:
    folder = tmp_path / "try[1]*"
    (folder / "data" / "deep").mkdir(parents=True)
    for name in ("one.txt", "deep/two.txt"):
        (folder / "data" / name).write_text("1")
    assert sorted(matching_files("data/**/*.txt", folder)) == ["deep/two.txt", "one.txt"]
    assert list(matching_files("data/one.*", folder)) == ["one.txt"]
    assert list(matching_files(str(tmp_path / "try*" / "data" / "one.txt"), folder)) == ["try[1]*/data/one.txt"]
    with pytest.raises(bo.errors.ParameterError, match="no file matches"):
        matching_files("none/*.txt", folder)
