"""Write llms.txt: what the package is, and which question leads to which command and page, for language models.

python docs/generate/llms.py           writes the file
python docs/generate/llms.py --check   exits 1 if it is not current
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import page_command

from bakeoff.cli._main import commands

ROOT = Path(__file__).resolve().parents[2]
PAGE, FILE = ROOT / "docs" / "questions.md", ROOT / "llms.txt"
ROW = re.compile(
    r"^\| (?P<question>[^|]+) \| `bakeoff (?P<command>[\w-]+)` \| \[(?P<title>[^]]+)\]\((?P<page>[^)]+)\) \|$", re.M
)
HEAD = """\
# bakeoff

> Python package and command line for benchmarks: which algorithm is better, by how much, how sure are we, and was the
> experiment large enough to know? From a table of scores (problems × algorithms) to a verdict that others can check.

- Install: `pip install '.[web]'` in a clone; Python 3.11 or newer. `bakeoff[all]` adds every optional part.
- Input: a CSV with a row per problem and a column per algorithm, or a row per score (problem, algorithm, score, run).
- `--better lower` or `--better higher` is required for a table: the direction is never guessed.
- From Python: `import bakeoff as bo; result = bo.compare(bo.read_scores("scores.csv", better="lower"))`, then
  `result.verdict`, `result.pairs`, `result.cautions`, `result.save("report.html")`.
- For programs: `--json` prints JSON; `bakeoff schema compare` prints its JSON Schema. Each caution has a stable code.
- "No difference shown" is not "equal": that needs a margin (`--margin`). A p-value is never 0. A caution of severity
  stop means that nothing may be concluded.
- `bakeoff verify result.json` computes a report again from the scores in it.

"""
START = """\
## Start

- [Two commands](docs/start/two-commands.md): install, compare a table
- [Tutorial](docs/start/tutorial.md): from a CSV to a paper
- [Which question do you have?](docs/questions.md): by field

"""
REST = """\
## Reference

- [Command line](docs/reference/cli.md): all options of all commands
- [JSON Schemas](docs/reference/schemas.md): of every report, and of experiment files
- [Input](docs/how-to/input.md): tables that are read, missing scores
- [Formats](docs/how-to/formats.md): other programs whose results are read
- [Cautions](docs/understand/cautions.md): every code, and what to do
- [Verdicts](docs/understand/verdicts.md): what each word means

## Optional

- [Calibration](docs/trust/calibration.md): how often the default verdict errs, measured
- [The papers](docs/papers/index.md): five papers, table by table, with the commands
- [Reproduction](docs/trust/reproduction.md): the papers' printed numbers
- [Errata](docs/trust/errata.md): misprints in the papers
- [For reviewers](docs/reviewers.md): check a verdict in ten minutes
"""


def text() -> str:
    rows = [row for row in ROW.finditer(PAGE.read_text(encoding="utf-8")) if row["command"] in commands()]
    assert {row["command"] for row in rows} == set(commands()), "docs/questions.md has no row for a command"
    listed = "".join(f"- [{r['title']}](docs/{r['page']}): {r['question']} `bakeoff {r['command']}`\n" for r in rows)
    return f"{HEAD}{START}## Questions and commands\n\n{listed}\n{REST}"


def files() -> dict[Path, str]:
    return {FILE: text()}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/llms.py", files))
