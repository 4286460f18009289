"""The drawing of a result stands above its tables on the local page, and in the card beside another result."""

import pytest

from bakeoff.analyses import all_analyses
from bakeoff.report import document
from bakeoff.report.document import Figure, Section
from bakeoff.report.formats.html import render_strict
from bakeoff.wings.page.table_summary import fragments_of
from every_kind import RESULTS

OTHERWISE = ("run", "plan", "study-power", "study-known-truth")  # drawn beside the page
DRAWN = [record.kind for record in all_analyses() if record.drawn_by and record.kind not in OTHERWISE]


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", DRAWN)
def test_the_drawing_stands_above_the_tables(kind: str) -> None:
    above, below = render_strict(document(RESULTS[kind]()))
    assert "<svg" in above
    assert "<table" not in above
    assert "<table" in below


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", DRAWN)
def test_the_section_of_the_drawing_has_its_role(kind: str) -> None:
    result = RESULTS[kind]()
    with_it = [s for s in document(result).sections if s.blocks and _draws(s, result)]
    assert [section.role for section in with_it] == ["figure"]


def _draws(section: Section, result: object) -> bool:
    return any(isinstance(block, Figure) and block.result is result and not block.kind for block in section.blocks)


@pytest.mark.slow
def test_the_card_beside_a_comparison_has_a_drawing() -> None:
    assert "<svg" in fragments_of(RESULTS["sensitivity"](), brief=True)["above"]
