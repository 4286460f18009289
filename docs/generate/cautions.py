"""Write docs/understand/cautions.md from the texts and demonstrations in src/bakeoff/cautions.

    python docs/generate/cautions.py             writes the page
    python docs/generate/cautions.py --check     exits 1 if its texts and commands are not current

To write the page the demonstrations are carried out, which takes about twenty seconds. --check leaves the sentences
that they print as they are on the page: tests/contract/test_demos.py carries out each and compares.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import page_command

from bakeoff.cautions import Explanation, sections
from bakeoff.cli.commands.demo import MARKS, fired

PAGE = Path(__file__).resolve().parents[1] / "understand" / "cautions.md"
INTRODUCTION = """# Cautions

A caution is what a reader must know before quoting a result. Each has a code that stays the same, for scripts
(`result.cautions`, `"cautions"` in JSON), a sentence with the numbers of the case, a reference, and a severity:

* `stop`: the input is in doubt, or nothing can be concluded from it (printed above the verdict);
* `warning`: less may be claimed than the numbers suggest;
* `note`: what was left out, or how it was computed.

```python
import bakeoff as bo

result = bo.compare(bo.datasets.load("demsar_2006"), recipe="demsar-2006")
for caution in result.cautions:
    print(caution.severity, caution.code, caution.text)
```

This page lists all codes by the command that a reader is likely to meet them in; other commands print some of them too.
`bakeoff explain CODE` prints the entry of a code. `bakeoff demo CODE` shows it: a tiny table, the command, and its
output (`bakeoff demo clean`: the same without a caution). The commands and the sentences they print are below.
`bakeoff demo CODE --copy DIR` writes the files, to try things out.
"""


def page(answer: Callable[[Explanation], str]) -> str:
    """The whole page, with the answer of each demonstration."""
    parts = [INTRODUCTION]
    for section in sections():
        parts.append(f"## {section.title}\n")
        parts += [f"{section.text}\n"] if section.text else []
        parts += [entry_of(entry, answer) for entry in section.entries]
    return "\n".join(parts)


def entry_of(entry: Explanation, answer: Callable[[Explanation], str]) -> str:
    """Heading, text and demonstration of one code."""
    said = f"### `{entry.code}`\n\n*{entry.question}*\n\n{entry.means} **Do:** {entry.do}\n"
    if not entry.run:
        return said
    return f"{said}\n```text\n{asked(entry.run)}\n{answer(entry)}\n```\n"


def asked(run: str) -> str:
    """The command lines, or Python, with prompts."""
    prompt = "$ " if run.startswith("bakeoff ") else ">>> "
    return "\n".join(prompt + line for line in run.splitlines())


def printed(entry: Explanation) -> str:
    """The caution as its demonstration prints it now."""
    found = next(caution for caution in fired(entry.run) if caution["code"] == entry.code)
    text = f"{MARKS[found['severity']]} {entry.code}: {found['text']}"
    return textwrap.fill(text, 110, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def stored(entry: Explanation) -> str:
    """The caution as it is on the page; only its mark and code if it is not there."""
    _, _, below = PAGE.read_text(encoding="utf-8").partition(f"### `{entry.code}`\n")
    begin = f"{MARKS[entry.severity]} {entry.code}: "
    said = below.partition("\n### ")[0].partition(f"\n{begin}")[2].partition("\n```")[0]
    return begin + said


def files(answer: Callable[[Explanation], str]) -> dict[Path, str]:
    """The page with its path."""
    return {PAGE: page(answer)}


if __name__ == "__main__":
    told = stored if sys.argv[1:] == ["--check"] else printed
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/cautions.py", lambda: files(told)))
