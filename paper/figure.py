"""Write what the paper takes from the package: its figure, and the bibliography of the works that the package knows.

python paper/figure.py           writes figure.pdf and paper.bib
python paper/figure.py --check   exits 1 if they are not current
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import bakeoff as bo
from bakeoff.report.references import bibliography, bibtex

HERE = Path(__file__).parent
SOFTWARE = HERE / "software.bib"
"""Other packages; the works behind the procedures are those of ``bakeoff cite``."""


def figure() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figure.pdf"
        bo.compare(bo.datasets.load("derrac_cec2005")).save(path)
        return path.read_bytes()


def works() -> str:
    """BibTeX of what the text cites, without the entry of bakeoff itself."""
    cited = set(re.findall(r"@([a-z]+\d{4})", (HERE / "paper.md").read_text(encoding="utf-8")))
    known = sorted(cited & set(bibliography()))
    entries = [entry for entry in bibtex(known, bo.__version__).split("\n\n") if not entry.startswith("@misc{bakeoff")]
    return "\n\n".join([*(entry.strip() for entry in entries if entry.strip()), SOFTWARE.read_text(encoding="utf-8")])


def main(words: list[str]) -> int:
    stale = 0
    for name, content in (("figure.pdf", figure()), ("paper.bib", works().encode())):
        path = HERE / name
        if words == ["--check"]:
            same = path.exists() and (name == "figure.pdf" or path.read_bytes() == content)
            if not same:
                sys.stderr.write(f"{name} is not current: run python paper/figure.py\n")
            stale |= not same
        else:
            path.write_bytes(content)
    return int(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
