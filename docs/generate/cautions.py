"""Write docs/understand/cautions.md from the texts and demonstrations in src/bakeoff/datasets/demos.

    python docs/generate/cautions.py             writes the page
    python docs/generate/cautions.py --check     exits 1 if the page is not current

The demonstrations are carried out for it, which takes about half a minute.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import page_command

from bakeoff.cli.demonstrations import MARKS, fired
from bakeoff.datasets.demos import Explanation, sections

PAGE = Path(__file__).resolve().parents[1] / "understand" / "cautions.md"
INTRODUCTION = """# Cautions

A caution is what a reader must know before quoting a result. Each has a code that stays the same, for scripts
(`result.cautions`, `"cautions"` in JSON), a sentence with the numbers of the case, a reference, and a severity:
`stop` (the input is in doubt, or nothing can be concluded from it: printed above the verdict), `warning` (less may be
claimed than the numbers suggest) or `note` (what was left out, or how it was computed).

```python
import bakeoff as bo

result = bo.compare(bo.datasets.load("demsar_2006"), recipe="demsar-2006")
for caution in result.cautions:
    print(caution.severity, caution.code, caution.text)
```

This page has all codes, by the command that a reader is likely to meet them in; some are printed by others as well.
`bakeoff explain CODE` prints the entry of a code. `bakeoff demo CODE` shows it: a tiny table, the command, and what
that prints (`bakeoff demo clean`: the same without a caution); below are the commands, and the sentence that they give.
`bakeoff demo CODE --copy DIR` writes the files, to try things out.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for section in sections():
        parts.append(f"## {section.title}\n")
        parts += [f"{section.text}\n"] if section.text else []
        parts += [entry_of(entry) for entry in section.entries]
    return "\n".join(parts)


def entry_of(entry: Explanation) -> str:
    """Heading, text and demonstration of one code."""
    said = f"### `{entry.code}`\n\n*{entry.question}*\n\n{entry.means} **Do:** {entry.do}\n"
    if not entry.run:
        return said
    return f"{said}\n```text\n{asked(entry.run)}\n{answer(entry)}\n```\n"


def asked(run: str) -> str:
    """The command lines, or Python, with prompts."""
    prompt = "$ " if run.startswith("bakeoff ") else ">>> "
    return "\n".join(prompt + line for line in run.splitlines())


def answer(entry: Explanation) -> str:
    """The caution as it is printed."""
    found = next(caution for caution in fired(entry.run) if caution["code"] == entry.code)
    text = f"{MARKS[found['severity']]} {entry.code}: {found['text']}"
    return textwrap.fill(text, 110, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def files() -> dict[Path, str]:
    """The page with its path."""
    return {PAGE: page()}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/cautions.py", files))
