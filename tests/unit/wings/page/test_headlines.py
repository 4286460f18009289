"""How a headline is written on the local page."""

import re

import pytest

from bakeoff.wings.page.templating import unbroken


@pytest.mark.parametrize("text", ["39 to 48 % of <all>; 95.5 %", "no outcome reaches α = 0.05, p < 0.1 & n ≥ 7"])
def test_numbers_of_a_headline_stay_whole(text: str) -> None:
    marked = str(unbroken(text))
    plain = re.sub(r'<span class="nb">|</span>', "", marked)
    assert plain == text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert re.findall(r'"nb">(.*?)</span>', marked) == (
        ["48 %", "95.5 %"] if "48" in text else ["α = 0.05", "p &lt; 0.1", "n ≥ 7"]
    )
