"""Numbers in the tables of a page that its JSON does not have."""

import pytest

from bakeoff.verification.markup import Piece
from bakeoff.verification.page_alone import numbers_elsewhere

CONTENT = {"p": 0.25, "pairs": [{"difference": -3.125, "name": "A 7", "verdict": True}], "n": 40}
CELL = "the page: pairs, row 1, column 2"


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("0.25", CELL, None),
        ("25 %", CELL, None),  # in percent
        ("0.2", CELL, None),  # rounded, either way
        ("0.3", CELL, None),
        ("-3.13 of 40", CELL, None),
        ("312.5", CELL, None),
        ("A 7", CELL, None),  # a name
        ("0.5", CELL, "0.5"),
        ("0.26", CELL, "0.26"),
        ("1", CELL, "1"),  # true is no number
        ("B 7", CELL, "7"),
        ("41", CELL, "41"),
        ("0.5", "the page: pairs, paragraph", None),
    ],
)
def test_a_number_is_known_as_it_is_rounded_or_in_percent(text: str, where: str, said: str | None) -> None:
    note = (
        "" if said is None else f"Printed in tables, but not in the JSON: {said} ({where}); derived from other numbers"
    )
    assert numbers_elsewhere([Piece("text", text, where)], CONTENT).startswith(note)
    assert bool(numbers_elsewhere([Piece("text", text, where)], CONTENT)) == bool(note)
