"""docs/how-to/r.md and bakeoff.R, with R where it is installed: the page's calls, names, NA, refusals, no program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bakeoff as bo

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
pytestmark = pytest.mark.skipif(not HOW_TO.exists(), reason="the pages are in the repository only")

MORE = r"""
stopifnot(isTRUE(all.equal(result$pairs$pvalue, PVALUES)))
says <- function(expression) tryCatch({ expression; "no error" }, error = conditionMessage)
few <- data.frame("my method" = c(1, NA, 3), old = c(2, 4, 6), check.names = FALSE, row.names = c("p 1", "p 2", "p 3"))
cat(says(bakeoff("compare", few, better = "higher")), "\n")
measured <- data.frame(problem = "sort", run = 1:8, score = 1000 + 1:8)
slower <- transform(measured, score = 1200 + 8:1)
write.csv(slower, "new one.csv", row.names = FALSE)
stopifnot(bakeoff("check", measured, "new one.csv", better = "lower", margin = "5%")$decision == "regressed")
Sys.setenv(PATH = dirname(Sys.which("Rscript")))
cat(says(bakeoff("compare", few, better = "higher")), "\n")
"""


@pytest.fixture
def rscript() -> str:
    """R with jsonlite; .ci/run installs both."""
    program = shutil.which("Rscript")
    if program is None or subprocess.run([program, "-e", "library(jsonlite)"], capture_output=True).returncode:
        pytest.skip("needs R and its package jsonlite")
    return program


@pytest.mark.slow
def test_the_page_in_r(tmp_path: Path, rscript: str) -> None:
    demsar = bo.datasets.load("demsar_2006")
    expected = [pair.pvalue for pair in bo.compare(demsar, control="C4.5").pairs]
    (call,) = [
        text for text in re.findall(r"```r\n(.*?)```", (HOW_TO / "r.md").read_text("utf-8"), re.S) if "source" in text
    ]
    shutil.copy(HOW_TO / "bakeoff.R", tmp_path)
    shutil.copy(Path(bo.__file__).parent / "datasets" / "demsar_2006.csv", tmp_path / "scores.csv")
    program = tmp_path / "a folder" / "bakeoff"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bakeoff "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = call + MORE.replace("PVALUES", f"c({', '.join(map(repr, expected))})")
    (tmp_path / "script.R").write_text(script, encoding="utf-8")
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        [rscript, "script.R"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "C4.5+m" in done.stdout
    assert "bakeoff: scores are missing: problem 'p 2', algorithm 'my method'" in done.stdout
    assert "no program bakeoff on the PATH" in done.stdout
