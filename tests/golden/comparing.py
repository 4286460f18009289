"""Whether two texts are the same: to the byte where they were recorded, else but for the last digits of numbers."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import platform
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from importlib.metadata import version
from pathlib import Path

import numpy as np
from scipy import special

FILES = Path(__file__).with_name("files")
PINNED = Path(__file__).with_name("environment.json")
OLD_SCIPY = tuple(map(int, version("scipy").split(".")[:2])) < (1, 17)  # quantiles of t in 1.12 are off by 1.4e-9
RELATIVE = 1e-7 if OLD_SCIPY else 1e-9  # of numbers
ROUNDING = 1e-14  # noise around 0
COORDINATE = 0.02  # points: coordinates are written with two decimals

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?!\w)")
_DRAWN = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")  # of paths, too: M1.5 2L3.25 4Z
_INSIDE = {"svg": re.compile(r"<[^>]*>"), "tikz": re.compile(r"\([^()]*\)")}  # where a number is a coordinate


def environment() -> dict[str, str]:
    """What the last digits depend on: the programs, and how this processor adds."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {
        "python": python,
        **{name: version(name) for name in ("numpy", "scipy", "matplotlib")},
        "arithmetic": _arithmetic(),
    }


def _arithmetic() -> str:
    """The last bits of functions whose code depends on the processor."""
    x = np.linspace(0.1, 5.0, 257)
    square = np.cos(np.multiply.outer(x[:16], x[:16])) + 16 * np.eye(16)
    bits = [np.exp(x), np.log(x), np.sin(x), x**0.3, np.sqrt(x), x.sum(), x @ x, square @ square]
    bits += [np.linalg.cholesky(square), np.linalg.eigvalsh(square), np.linalg.solve(square, x[:16])]
    bits += [special.ndtr(-x), special.gammaln(x), special.betainc(x, 2.5, x / 6)]
    # The C library and OpenBLAS choose their code by the processor: two that agree above may differ elsewhere.
    bits += [[f(value) for value in x] for f in (math.exp, math.lgamma, math.erfc, math.log1p)]
    return hashlib.sha256(b"".join(np.asarray(part).tobytes() for part in bits) + _processor()).hexdigest()[:16]


def _processor() -> bytes:
    """Its maker, family and model, where Linux says them."""
    try:
        lines = Path("/proc/cpuinfo").read_bytes().split(b"\n\n")[0].splitlines()
    except OSError:
        return platform.processor().encode()
    return b"\n".join(line for line in lines if line.startswith((b"vendor_id", b"cpu family", b"model")))


def is_pinned() -> bool:
    """Whether the files were recorded in an environment such as this one."""
    return PINNED.exists() and bool(json.loads(PINNED.read_text(encoding="utf-8")) == environment())


@functools.cache
def recorded() -> dict[str, str]:
    """By name, what is committed."""
    paths = sorted(path for path in FILES.rglob("*") if path.is_file())
    return {path.relative_to(FILES).as_posix(): path.read_bytes().decode() for path in paths}


def settled(expected: str, actual: str) -> str:
    """``actual`` with the numbers of ``expected`` wherever theirs are as good: equal to it if nothing else differs."""
    if expected == actual:
        return expected
    old, new = list(_lines(expected)), list(_lines(actual))
    found = [line for line, _ in new]
    texts = [[_numbers(drawing).sub("#", line) for line, drawing in side] for side in (old, new)]
    for before, after, size in _matching(*texts):
        for i in range(size):
            found[after + i] = _settled_line(*old[before + i], found[after + i])
    return "".join(found)


def _matching(old: list[str], new: list[str]) -> Iterator[tuple[int, int, int]]:
    if old == new:
        yield 0, 0, len(old)
    else:
        yield from SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Each line, and the language of the drawing that it belongs to."""
    drawing = ""
    for line in text.splitlines(keepends=True):
        drawing = "svg" if "<svg" in line else "tikz" if r"\begin{tikzpicture}" in line else drawing
        yield line, drawing
        if "</svg>" in line or r"\end{tikzpicture}" in line:
            drawing = ""


def _settled_line(expected: str, drawing: str, actual: str) -> str:
    """Of two lines that differ in nothing but numbers."""
    spans = [found.span() for found in _INSIDE[drawing].finditer(expected)] if drawing else []
    numbers = _numbers(drawing).finditer(expected)

    def chosen(found: re.Match[str]) -> str:
        old = next(numbers)
        lax = any(start <= old.start() < end for start, end in spans)
        return old[0] if _is_close(float(old[0]), float(found[0]), lax) else found[0]

    return _numbers(drawing).sub(chosen, actual)


def _numbers(drawing: str) -> re.Pattern[str]:
    return _DRAWN if drawing else _NUMBER


def _is_close(old: float, new: float, lax: bool) -> bool:
    return math.isclose(old, new, rel_tol=RELATIVE, abs_tol=COORDINATE if lax else ROUNDING)
