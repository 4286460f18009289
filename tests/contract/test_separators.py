"""Which sign separates columns where several occur: the one by which header and first row have as many fields."""

import pytest

from bakeoff.reading.text import _fits


@pytest.mark.parametrize(
    ("text", "mark", "fits"),
    [
        ("a;b\n1;2\n", ";", True),
        ("a;b\n1;2;3\n", ";", False),
        ("a;b\n\n1;2\n3;4;5\n", ";", True),
        ("a;b\n", ";", False),
        ('a;b\n"1;2\n', ";", False),
        ("a;b\n1;2", ";", True),
        ("", ";", False),
    ],
)
def test_header_and_first_row_have_as_many_fields(text: str, mark: str, fits: bool) -> None:
    assert _fits(text, mark) is fits
