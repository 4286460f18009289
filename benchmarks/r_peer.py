"""The R package scmamp as a peer, where it is installed."""

from __future__ import annotations

import subprocess

from benchmarks.data import pvalues_on_line, rank_sums
from benchmarks.model import Run

TIMEOUT = 300.0


def scmamp_bergmann() -> Run:
    """Bergmann–Hommel at k = 9, including the start of R (about 0.2 s of half a minute)."""
    _require("scmamp")
    p = pvalues_on_line(rank_sums(9))
    numbers = ",".join(f"{x:.17g}" for x in p.ravel())
    program = f"m <- matrix(c({numbers}), 9); diag(m) <- NA; invisible(scmamp::adjustBergmannHommel(m))"
    return lambda: _rscript(program)


def _require(package: str) -> None:
    """Raise ModuleNotFoundError if R or the package is missing."""
    try:
        _rscript(f'if (!requireNamespace("{package}", quietly = TRUE)) quit(status = 1)')
    except (OSError, subprocess.SubprocessError):
        raise ModuleNotFoundError(package) from None


def _rscript(program: str) -> None:
    subprocess.run(["Rscript", "--vanilla", "-e", program], check=True, capture_output=True, timeout=TIMEOUT)
