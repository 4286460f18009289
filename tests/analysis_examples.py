"""What the tests of every analysis take from each: ``EXAMPLE`` in ``example.py`` of its folder below ``tests/unit``."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import bakeoff as bo
from bakeoff.analyses import folders
from bakeoff.reportable import Reportable

HERE = Path(__file__).parent / "unit"
OfScores = Callable[[bo.Scores], Any]


@dataclass(frozen=True)
class Ordinary:
    """A result, the cautions that it has, and those that such results can have and this one has not."""

    made: Callable[[], Any]
    has: str = ""
    lacks: str = ""


@dataclass(frozen=True, kw_only=True)
class Example:
    """Of one folder of analyses."""

    results: Mapping[str, Callable[[], Reportable]]
    """A small result of each of its kinds."""
    decisions: Mapping[str, str | None]
    """The word for scripts of each of these results."""
    on_the_page: Mapping[str, str] = field(default_factory=dict)
    """What is chosen in its tab of the local page, as its address says it; ``name?`` for more choices."""
    ordinary: Mapping[str, Ordinary] = field(default_factory=dict)
    """Results without a reason for most cautions."""
    one_process: Mapping[str, OfScores] = field(default_factory=dict)
    """Results of a table, which tell nothing of one process a side."""
    turned: Mapping[str, tuple[Callable[[], bo.Scores], OfScores]] = field(default_factory=dict)
    """By kind, a table and its result: the same table in another order of columns gives what turned pairs must be."""
    clusters: Mapping[str, tuple[Literal["means", "ranked", "weighted", "equal problems", "within"], OfScores]] = field(
        default_factory=dict
    )
    """By function, what a cluster counts in it, and numbers that show it (``test_clusters_everywhere``)."""
    engine: tuple[str, str] | None = None
    """Of means over units: the file that calls ``bakeoff.means``, and which of its modules."""
    forged: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    """More results whose reports are changed at random."""
    quick_to_forge: tuple[str, ...] = ()
    """Those of its results, these and others, that ``verify`` computes again in a moment."""


@cache
def examples() -> dict[str, Example]:
    """By folder, in the order of the registry."""
    return {folder: _loaded(HERE.joinpath(*folder.split("."), "example.py")) for folder in folders()}


def joined(attribute: str) -> dict[str, Any]:
    """A mapping of all examples as one."""
    return {name: value for each in examples().values() for name, value in getattr(each, attribute).items()}


def _loaded(file: Path) -> Example:
    assert file.exists(), f"an analysis has an example for the tests of all analyses: write {file}"
    spec = importlib.util.spec_from_file_location(f"example_of_{file.parent.name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    example = module.EXAMPLE
    assert isinstance(example, Example)
    return example
