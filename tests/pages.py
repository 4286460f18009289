"""The page of a report without the script that it carries, for tests of everything else on it."""

from __future__ import annotations

import re

from bakeoff.report import script as explore

DATA = re.compile(r'<script type="application/json" id="bakeoff-data">[^<]*</script>\n')


def without_script(page: str) -> str:
    """Left out are exactly the data and the one script that the page's policy names."""
    found = DATA.search(page)
    if found is None:
        return page
    script = explore.script_for(found[0].partition(">")[2]).text
    return DATA.sub("", page, count=1).replace(f"<script>{script}</script>\n", "", 1)
