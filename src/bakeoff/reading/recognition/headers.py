"""Headers whose names come again: two lines of names, or copies; and the command that writes one line of them."""

import csv
import io
import shlex
from itertools import islice

from bakeoff.errors import listing
from bakeoff.reading.encodings import in_a_command
from bakeoff.reading.number_parsing import is_name

LONGEST_HEADER = 500
"""Characters of a header that somebody would paste into a command."""


def one_header(header: list[str], text: str, mark: str, line: int, origin: str) -> str:
    """What is wrong with a header, and a command that mends it; "" if nothing is.

    pandas writes columns of two levels as two lines, and the name of the rows on a third; in workbooks the names of
    the first are merged, and stand once.
    """
    names = [name.strip() for name in header]
    places: dict[str, list[int]] = {}
    for j, name in enumerate(names):
        places.setdefault(name, []).append(j + 1)
    again = {name: at for name, at in places.items() if name and len(at) > 1}
    if not again and "" not in names[1:]:
        return ""
    records = csv.reader(io.StringIO(text, newline=""), delimiter=mark, skipinitialspace=True)
    below = [[field.strip() for field in row] for row in islice(records, 1, 4) if len(row) == len(names)]
    third = len(below) > 2 and bool(below[1][0]) and not any(below[1][1:])
    named = len(below) > 1 and all(map(is_name, below[0][1:])) and not all(map(is_name, below[1][1:]))
    if not third and not named:
        copies = listing(f"{name!r} (columns {listing(map(str, at))})" for name, at in again.items())
        each = list(names)
        for name, at in again.items():
            for copy, j in enumerate(at, 1):
                each[j - 1] = f"{name}.{copy}"
        rule = f"column names must be unique; repeated: {copies}. Rename or remove the copies"
        return _written(rule, each, mark, line + 1, origin) if again else ""
    above = names[1:]
    for j, name in enumerate(above):
        above[j] = name or (above[j - 1] if j else "")
    first = below[1][0] if third else below[0][0] or names[0] or "problem"
    each = [first, *(f"{name}_{own}" if name else own for name, own in zip(above, below[0][1:], strict=True))]
    return _written(f"there are {2 + third} lines of names. Write one", each, mark, line + 2 + third, origin)


def _written(rule: str, names: list[str], mark: str, line: int, origin: str) -> str:
    """The rule and a command that keeps it, if it is short enough to be typed."""
    record = io.StringIO()
    csv.writer(record, delimiter=mark, lineterminator="").writerow(names)
    if len(record.getvalue()) > LONGEST_HEADER:
        return rule
    kept = f"{{ echo {shlex.quote(record.getvalue())}; tail -n +{line} {in_a_command(origin)}; }} > new.csv"
    return f"{rule}: {kept}"
