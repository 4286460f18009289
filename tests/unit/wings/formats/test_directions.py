"""The list of directions is published: docs/how-to/formats.md prints it, and readers use no other."""

import re
from pathlib import Path

import pytest

from bakeoff.wings.formats import FORMATS
from bakeoff.wings.formats.directions import DIRECTIONS, EVERY_OTHER, listed_direction

PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "formats.md"


@pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")
def test_the_page_prints_the_list() -> None:
    printed = re.findall(r"^\| (.+?) \| (.+?) \| (lower|higher) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert printed == [
        (FORMATS[name].title, "every other" if measure == EVERY_OTHER else f"`{measure}`", better)
        for name, measures in DIRECTIONS.items()
        for measure, better in measures.items()
    ]


def test_what_is_not_listed_has_no_direction() -> None:
    assert listed_direction("scikit-learn", "my_scorer") == "higher"
    assert listed_direction("jmetal", "hv") is None  # a name, not its likeness
    assert listed_direction("mlflow", "accuracy") is None


@pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")
def test_every_format_has_a_section() -> None:
    headings = set(re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    own = ("scikit-learn", "optuna", "mlflow", "wandb", "automlbenchmark", "tabarena", "openml")
    assert {FORMATS[name].title for name in own} <= headings
