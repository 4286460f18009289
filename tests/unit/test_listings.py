"""Lists of names in sentences: as many as are wanted, or as fit."""

from bakeoff.checks import nearest_or_all
from bakeoff.errors import fitting, listing


def test_as_many_as_fit_in_the_room_and_three_at_least() -> None:
    assert fitting("abcde", 15) == "a, b, c, d, e"
    assert fitting("abcde", 14) == "a, b, c, d and 1 more (5 in all)"
    assert fitting(["long" * 9] * 4, 10) == listing(["long" * 9] * 4, 3)
    assert fitting([]) == ""


def test_the_nearest_name_takes_the_place_of_all() -> None:
    assert nearest_or_all("hollm", ["holm", "rom"]) == "; did you mean 'holm'?"
    assert nearest_or_all("xyz", ["holm", "rom"]) == "; there are holm, rom"
