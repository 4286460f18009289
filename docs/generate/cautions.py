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

from bakeoff.cautions import Explanation, Fact, sections
from bakeoff.cli.commands.demo import MARKS, fired, line_of

PAGE = Path(__file__).resolve().parents[1] / "understand" / "cautions.md"
INTRODUCTION = """# Cautions

A caution is what a reader must know before quoting a result. It has a code, which is a fact and stays the same for
scripts (`result.cautions`, `"cautions"` in JSON). Many codes have an object, which says what the fact is about: in
`too-few (units)` it is `units`. A sentence gives the numbers of the case and often a reference. The severity is one of:

* `stop`: the input is in doubt, or nothing can be concluded from it (printed above the verdict);
* `warning`: less may be claimed than the numbers suggest;
* `note`: what was left out, or how it was computed.

```python
import bakeoff as bo

result = bo.compare(bo.datasets.load("demsar_2006"), recipe="demsar-2006")
for caution in result.cautions:
    print(caution.severity, caution.code, caution.object, caution.text)
```

This page lists all codes by the command that a reader is likely to meet them in, each with all its objects; other
commands print some of them too. `bakeoff explain CODE OBJECT` prints an entry. `bakeoff demo CODE OBJECT` shows it: a
tiny table, the command, and its output (`bakeoff demo clean`: the same without a caution). The commands and the
sentences they print are below. `bakeoff demo CODE OBJECT --copy DIR` writes the files, to try things out. Codes of
earlier versions are in the change log, and `bakeoff explain` knows their names.
"""


def page(answer: Callable[[Explanation], str]) -> str:
    """The whole page, with the answer of each demonstration."""
    parts = [INTRODUCTION]
    for section in sections():
        parts.append(f"## {section.title}\n")
        parts += [f"{section.text}\n"] if section.text else []
        parts += [fact_of(fact, answer) for fact in section.facts]
    return "\n".join(parts)


def fact_of(fact: Fact, answer: Callable[[Explanation], str]) -> str:
    """Heading and text of one code, and what differs between its objects."""
    do = f" **Do:** {fact.do}" if fact.do else ""
    parts = [f"### `{fact.code}`\n\n*{fact.question}*\n\n{fact.means}{do}\n"]
    if objects := [f"`{entry.object}`" for entry in fact.objects if entry.object]:
        parts.append(textwrap.fill(f"Objects: {', '.join(objects)}.", 120, break_on_hyphens=False) + "\n")
    for entry in fact.objects:
        own = not fact.do and not entry.like
        if own:
            alike = [f"`{other.object}`" for other in fact.objects if other.like == entry.object]
            parts.append(f"#### `{entry.name}`\n\n*{entry.question}*\n\n{entry.means} **Do:** {entry.do}\n")
            parts += [textwrap.fill(f"Also for {', '.join(alike)}.", 120) + "\n"] if alike else []
        if entry.run:
            parts.append(f"```text\n{asked(entry.run)}\n{answer(entry)}\n```\n")
    return "\n".join(parts)


def asked(run: str) -> str:
    """The command lines, or Python, with prompts."""
    prompt = "$ " if run.startswith("bakeoff ") else ">>> "
    return "\n".join(prompt + line for line in run.splitlines())


def printed(entry: Explanation) -> str:
    """The caution as its demonstration prints it now."""
    key = (entry.code, entry.object)
    found = next(caution for caution in fired(entry.run) if (caution["code"], caution["object"]) == key)
    return textwrap.fill(line_of(found), 110, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def stored(entry: Explanation) -> str:
    """The caution as it is on the page; only its mark and name if it is not there."""
    _, _, below = PAGE.read_text(encoding="utf-8").partition(f"### `{entry.code}`\n")
    begin = f"{MARKS[entry.severity]} {entry.name}: "
    said = below.partition("\n### ")[0].partition(f"\n{begin}")[2].partition("\n```")[0]
    return begin + said


def files(answer: Callable[[Explanation], str]) -> dict[Path, str]:
    """The page with its path."""
    return {PAGE: page(answer)}


if __name__ == "__main__":
    told = stored if sys.argv[1:] == ["--check"] else printed
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/cautions.py", lambda: files(told)))
