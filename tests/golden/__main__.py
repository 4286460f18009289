"""Write tests/golden/files: what every format says of every kind of result.

python tests/golden                writes them, and shows what has changed; elsewhere than where they were recorded,
                                   numbers that are as good stay
python tests/golden --pin          records this environment, and every last digit that it gives
python tests/golden --check        writes nothing, shows every line, and exits 1 if they are not current
python tests/golden --changes REV  groups all changes since REV by the item of explained.py that explains them, and
                                   exits 1 if none explains one, or if a number in JSON differs
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # as pytest has it
os.environ["BAKEOFF_CACHE"] = "off"

from golden.cases import CASES
from golden.changes import differing, full_diff, summary
from golden.comparing import FILES, PINNED, environment, is_pinned, recorded
from golden.explained import changes_since
from golden.rendering import everything


def main(words: list[str]) -> int:
    if words[:1] == ["--changes"] and len(words) == 2:
        changes = changes_since(words[1])
        sys.stdout.write(f"{changes}\n")
        return 0 if changes.in_order else 1
    checking, pinning = words == ["--check"], words == ["--pin"]
    if words and not (checking or pinning):
        raise SystemExit(__doc__)
    before, now, exact = recorded(), everything(CASES), pinning or is_pinned()
    found = differing(before, now, exact=exact)
    if found and checking:
        sys.stdout.write(full_diff(found))
    sys.stdout.write(f"{summary(found)}\n" if found else f"{len(now)} files are current\n")
    if checking:
        return 1 if found else 0
    for name in found:
        target = FILES / name
        if name in now:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(found[name][1].encode())
        else:
            target.unlink()
    if pinning:
        PINNED.write_bytes((json.dumps(environment(), indent=1) + "\n").encode())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
