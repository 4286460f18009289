"""Tables for try.html, what it shows of them in any browser, and what ``bakeoff compare`` says of them."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np

import bakeoff as bo
from bakeoff.analyses.compare.reporting import pair_tables, tables
from bakeoff.analyses.compare.reporting.methods import methods
from bakeoff.errors import BakeoffError
from bakeoff.report.references import reference
from bakeoff.wing import PACKAGE
from browser.report_pages import HOSTILE
from waiting import PATIENCE

PAGE = PACKAGE / "wings" / "page" / "script" / "try.html"
DATASETS = PACKAGE / "datasets"
ASK = """async ([name, text, better, patience]) => {
  const end = performance.now() + 1000 * patience;
  const until = async (happened) => {
    while (!happened()) {
      if (performance.now() > end) throw Error("it never happened");
      await new Promise((go) => setTimeout(go, 2));
    }
  };
  const [found, answer] = ["found", "answer"].map((id) => document.getElementById(id));
  found.replaceChildren();
  answer.replaceChildren();
  const files = new DataTransfer();
  files.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
  await until(() => found.querySelector("fieldset, .left"));
  for (const button of found.querySelectorAll("fieldset button")) {
    if (button.textContent.toLowerCase() === `${better} is better`) button.click();
  }
  const left = () => document.querySelector("#found .left, #answer .left");
  await until(() => left() ?? answer.querySelector("section"));
  if (left()) return left().innerText;
  const tables = [...answer.querySelectorAll("table")];
  const cells = (name) => [...tables.find((one) => one.caption.textContent.startsWith(name)).tBodies[0].rows]
    .map((row) => [...row.cells].map((cell) => cell.textContent));
  return {
    verdict: answer.querySelector(".verdict").textContent,
    paragraph: answer.querySelector(".paragraph").textContent,
    data: answer.querySelector("textarea[aria-label=JSON]").value,
    ranking: cells("Algorithms"),
    pairs: cells("Pairs"),
  };
}"""
"""Drops a table on the page and says which scores are good; what is shown then."""
WIDE = {"A": "CART", "B": "kNN", "C": "NNEP", "D": "C4.5", "E": "SVM (RBF)"}


class Page(Protocol):
    """try.html in some browser."""

    def evaluate(self, expression: str, arg: Any = None, /) -> Any:
        """What a function of the page returns."""


def answered(page: Page, text: str, better: str, name: str = "scores.csv") -> dict[str, Any] | str:
    """What the page shows of a table that is dropped on it; or the sentence that leaves it to the command."""
    shown = page.evaluate(ASK, [name, text, better, PATIENCE])
    return shown if isinstance(shown, str) else dict(shown)


def differences(there: Any, here: Any, place: str = "") -> Iterator[str]:
    """The places where numbers differ by more than 1e-9, or anything else differs."""
    if isinstance(here, dict):
        for key, value in here.items():
            yield from differences(there[key], value, f"{place} {key}")
    elif isinstance(here, list):
        assert len(here) == len(there), place
        for i, (x, y) in enumerate(zip(there, here, strict=True)):
            yield from differences(x, y, f"{place} {i}")
    elif isinstance(here, float | int) and isinstance(there, float | int):
        slack = 1e-300 if "pvalue" in place or "adjusted" in place else 1e-11
        if not math.isclose(there, here, rel_tol=1e-9, abs_tol=slack):
            yield f"{place}: {there} and {here}"
    elif here != there and not (here is None and isinstance(there, float | str)):  # JSON has no infinite numbers
        yield f"{place}: {there} and {here}"


def compared(text: str, better: str, name: str) -> Any:
    """What the program makes of a file of this name."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8", newline="")
        return bo.compare(bo.read_scores(path, better))  # type: ignore[arg-type]


def disagreeing(page: Page, text: str, better: str, name: str = "scores.csv") -> list[str] | str:
    """Where the page and the program differ; or the sentence that leaves the table to the command."""
    shown = answered(page, text, better, name)
    if isinstance(shown, str):
        assert f"bakeoff compare {name} --better {better}" in shown
        return shown
    try:
        c = compared(text, better, name)
    except BakeoffError as error:
        return [f"the program refuses it: {error}"]
    data = json.loads(shown["data"])
    cautions = [(one.pop("name"), one.pop("text")) for one in data.pop("cautions")]
    for name in ("request", "scores", "command"):
        del data[name]
    said = "".join(
        part if isinstance(part, str) else f"({'; '.join(reference(key).label for key in part.keys)})"
        for part in methods(c)
    ).partition(" Computed with")[0]
    pairs = [row.cells for table in pair_tables.pairs(c) for row in table.rows]
    columns = [column.key for column in pair_tables.pairs(c)[0].columns]
    order = [
        columns.index(key) for key in ("a", "b", "verdict", "adjusted", "effect", "record", "pvalue") if key in columns
    ]
    every = {
        "verdict": (c.verdict, shown["verdict"]),
        "paragraph": (
            said,
            shown["paragraph"].partition(" Computed with")[0].replace(" Each problem counts the same.", ""),
        ),
        "cautions": ([(one.name, one.text) for one in c.cautions], cautions),
        "ranking": ([list(row.cells) for row in tables.ranking(c).rows], shown["ranking"]),
        "pairs": (sorted([cells[i] for i in order] for cells in pairs), sorted(shown["pairs"])),
    }
    found = [f"{name}: {there} and {here}" for name, (there, here) in every.items() if there != here]
    return found + list(differences(json.loads(json.dumps(c.to_dict(), default=str)), data))


def as_text(
    names: list[str], problems: list[str], cells: list[list[str]], mark: str = ",", head: str = "problem"
) -> str:
    rows = [[head, *names], *([label, *row] for label, row in zip(problems, cells, strict=True))]
    return "".join(f"{mark.join(row)}\n" for row in rows)


def random_table(seed: int) -> tuple[str, str]:
    """A table with or without ties, of any scale, in one of the usual forms; a few lack a score."""
    r, rng = random.Random(seed), np.random.default_rng(seed)
    k, n = r.choice([2, 2, 3, 3, 4, 5, 6, 8, 13]), r.choice([2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30])
    values = rng.normal(size=(n, 1)) * r.choice([0.2, 1, 3]) + rng.normal(size=(n, k)) * r.choice([0.1, 0.5, 1])
    values += rng.normal(size=(1, k)) * r.choice([0, 0.3, 1, 2])
    values = r.choice([lambda x: x, np.exp, lambda x: np.exp(4 * x), np.round, lambda x: np.round(x, 1), abs])(values)
    form, mark = r.choice(["{!r}", "{:.3f}", "{:.4g}"]), r.choice(",,;\t")
    cells = [[form.format(float(x)) for x in row] for row in values]
    if mark != "," and r.random() < 0.4:
        cells = [[cell.replace(".", ",") for cell in row] for row in cells]
    if r.random() < 0.05:
        cells[0][0] = r.choice(["", "NA", "inf", "1 %"])
    names = r.choice([[*WIDE.values(), *"FGHIJKLM"], [f"alg{i}" for i in range(13)], [*"ABCDEFGHIJKLM"]])[:k]
    stem = r.choice(["F", "set ", "glass-", "p"])
    head = r.choice(["problem", "dataset", "function", "Data set", "circuit", "instances", ""])
    return as_text(names, [f"{stem}{i}" for i in range(n)], cells, mark, head), r.choice(["lower", "higher"])


def named_tables() -> dict[str, tuple[str, str, bool]]:
    """Tables by what is special of them, the direction, and whether the page answers them."""
    rng = np.random.default_rng(5)
    x = np.round(rng.normal(size=(12, 5)) + np.arange(5) / 2 + 3 * rng.normal(size=(12, 1)), 3)
    names, problems = list(WIDE.values()), [f"p{i}" for i in range(12)]
    cells = [[str(value) for value in row] for row in x.tolist()]
    plain = as_text(names, problems, cells)
    binary = as_text(names, problems, [[str(int(value > 1)) for value in row] for row in x.tolist()])
    turned = as_text(problems, names, np.array(cells).T.tolist(), head="model")
    commas = plain.replace(",", ";").replace(".", ",").replace("C4,5", "C4.5")
    quoted = as_text([f'"{name}, new"' for name in names], [f'"{p}, 1"' for p in problems], cells)
    measures = as_text(["accuracy", "time", "f1"], problems, [row[:3] for row in cells])
    long = "".join(
        f"{p},{a},{v}\n" for p, row in zip(problems, cells, strict=True) for a, v in zip(names, row, strict=True)
    )
    hostile = [name.replace('"', "").replace("\u2028", " ") for name in HOSTILE]
    return {
        **{path.stem: (path.read_text(encoding="utf-8"), better, True) for path, better in shipped()},
        "plain": (plain, "lower", True),
        "semicolons, decimal commas": (commas, "lower", True),
        "tabs": (plain.replace(",", "\t"), "higher", True),
        "quoted names": (quoted, "lower", True),
        "Windows line ends, a byte order mark": ("\ufeff" + plain.replace("\n", "\r\n"), "lower", True),
        "right and wrong": (binary, "higher", False),
        "a missing score": (plain.replace(cells[3][2], "", 1), "lower", False),
        "an infinite score": (plain.replace(cells[3][2], "inf", 1), "lower", False),
        "models in rows": (turned, "higher", True),
        "transposed, and not said": (turned.replace("model", "", 1), "lower", False),
        "long": ("problem,algorithm,score\n" + long, "lower", True),
        "long, with runs": ("problem,algorithm,score\n" + long + long, "lower", False),
        "long, a cell missing": ("problem,algorithm,score\n" + long.partition("\n")[2], "lower", False),
        "long, by a metric": ("problem,algorithm,accuracy\n" + long, "higher", False),
        "two algorithms": (as_text(names[:2], problems, [row[:2] for row in cells]), "lower", True),
        "one algorithm": (as_text(names[:1], problems, [row[:1] for row in cells]), "lower", False),
        "percentages": (plain.replace("\n", "%\n"), "lower", False),
        "an average below": (plain + "Average," + ",".join(["0.5"] * 5) + "\n", "lower", False),
        "a column of sizes": (as_text(["n_features", *names[1:]], problems, cells), "lower", False),
        "columns of measures": (measures, "lower", False),
        "columns of splits": (
            as_text(["m_train", "m_test", "A_train", "A_test"], problems, [row[:4] for row in cells]),
            "lower",
            False,
        ),
        "columns of runs": (as_text([f"fold{i}" for i in range(5)], problems, cells), "lower", False),
        "rows in time": (as_text(names, [f"2024-{i + 1:02d}" for i in range(12)], cells), "lower", False),
        "clusters": (plain.replace("problem,", "cluster,").replace("p", "c"), "lower", False),
        "hostile names": (as_text(hostile, problems, cells, "\t"), "lower", False),
        "hostile rows": (as_text(names, [f"{i}{HOSTILE[i % 2]}" for i in range(12)], cells, "\t"), "lower", False),
        "look-alikes": (as_text(["CART", "C\u0410RT", *names[2:]], problems, cells), "lower", False),
        "ragged": (plain + "p99,1\n", "lower", False),
        "JSON in a file of CSV": ('[{"problem": "p", "algorithm": "a", "score": 1}]', "lower", False),
        "nothing": ("\n", "lower", False),
    }  # fmt: skip


def json_tables() -> dict[str, tuple[str, str, bool]]:
    """The same of tables in JSON; the name is that of the file, before a space."""
    x = np.round(np.random.default_rng(6).normal(size=(12, 4)) + np.arange(4) / 2, 3)
    names, problems = list(WIDE.values())[:4], [f"p{i}" for i in range(12)]
    wide = [{"dataset": p} | dict(zip(names, row, strict=True)) for p, row in zip(problems, x.tolist(), strict=True)]
    long = [
        {"problem": p, "algorithm": a, "score": value}
        for p, row in zip(problems, x.tolist(), strict=True)
        for a, value in zip(names, row, strict=True)
    ]
    columns = {name: [record[name] for record in wide] for name in wide[0]}
    models = [{"model": a} | dict(zip(problems, own, strict=True)) for a, own in zip(names, x.T.tolist(), strict=True)]
    lines = "\n".join(map(json.dumps, wide))
    plain, first = json.dumps(wide), str(wide[0]["CART"])
    nested = [{"dataset": p["dataset"], "metrics": {k: v for k, v in p.items() if k != "dataset"}} for p in wide]
    frame = {name: dict(zip(map(str, range(12)), own, strict=True)) for name, own in columns.items()}
    report = bo.compare(bo.datasets.load("garcia_2010")).to_dict()
    return {
        "scores.json records": (plain, "lower", True),
        "scores.json records, indented": (json.dumps(wide, indent=2), "higher", True),
        "scores.json records in lines": (lines, "lower", True),
        "scores.jsonl records in lines": (lines.replace("\n", "\r\n\r\n"), "lower", True),
        "scores.ndjson records in lines": (lines, "lower", True),
        "scores.jsonl a list": (plain, "lower", False),
        "scores.json columns": (json.dumps(columns), "lower", True),
        "scores.json a row per score": (json.dumps(long), "lower", True),
        "scores.json a row per score, as columns": (
            json.dumps({key: [record[key] for record in long] for key in long[0]}),
            "lower",
            True,
        ),
        "scores.json models in rows": (json.dumps(models), "higher", True),
        "scores.json a byte order mark": ("\ufeff" + plain, "lower", True),
        "scores.json numbers in exponents": (plain.replace(first, f"{10 * float(first)!r}E-1", 1), "lower", True),
        "scores.json a number that is text": (plain.replace(first, f'"{first}"', 1), "lower", False),
        "scores.json a large integer": (plain.replace(first, str(2**53 + 1), 1), "lower", False),
        "scores.json too large": (plain.replace(first, "1e999", 1), "lower", False),
        "scores.json vanishing": (plain.replace(first, "1e-999", 1), "lower", False),
        "scores.json NaN": (plain.replace(first, "NaN", 1), "lower", False),
        "scores.json null": (plain.replace(first, "null", 1), "lower", False),
        "scores.json a truth value": (plain.replace(first, "true", 1), "lower", False),
        "scores.json a name twice": (plain.replace("{", '{"CART": 1, ', 1), "lower", False),
        "scores.json a name that is lacking": (json.dumps([*wide[:-1], {"dataset": "p11"}]), "lower", False),
        "scores.json nested": (json.dumps(nested), "lower", False),
        "scores.json of a data frame": (json.dumps(frame), "lower", False),
        "scores.json of a report": (json.dumps(report, default=str), "higher", False),
        "scores.json cut off": (plain[:-5], "lower", False),
        "scores.json deep": ("[" * 40_000 + "]" * 40_000, "lower", False),
        "scores.json empty list": ("[]", "lower", False),
        "scores.json no list": ("1", "lower", False),
        "scores.json lists": (json.dumps(x.tolist()), "lower", False),
    }


def shipped() -> list[tuple[Path, str]]:
    directions = {"demsar_2006": "higher", "derrac_cec2005": "lower", "garcia_2010": "higher"}
    return [(DATASETS / f"{name}.csv", better) for name, better in directions.items()]


def random_json(seed: int) -> tuple[str, str, str]:
    """A table in JSON, or with a row per score, in one of the usual forms; the direction, and a name of the file.

    Every second one has an oddity: of a number, of a name, or of the shape.
    """
    r, rng = random.Random(seed), np.random.default_rng(seed)
    k, n = r.choice([2, 3, 4, 5, 7]), r.choice([2, 4, 6, 9, 12, 20])
    x = rng.normal(size=(n, 1)) * 2 + rng.normal(size=(n, k)) + rng.normal(size=k) * r.choice([0, 1, 2])
    x = r.choice([lambda x: x, np.exp, np.round, lambda x: np.round(x, 2), lambda x: 1e9 * x])(x)
    numbers = [[r.choice([f"{v!r}", f"{v:.6e}", f"{v:.3f}", f"{v:.2E}"]) for v in row] for row in x.tolist()]
    if r.random() < 0.3:
        numbers = [[f"{int(1000 * v)}" for v in row] for row in x.tolist()]
    names = r.choice([[*WIDE.values(), "F", "G"], [f"alg{i}" for i in range(9)], ["Grün", "naïve", *"CDEFG"]])[:k]
    problems = [f"{r.choice(['F', 'set ', 'p'])}{i}" for i in range(n)]
    head = r.choice(["problem", "dataset", "Data set", "function", ""])
    kind = r.choice(["records", "columns", "lines", "long", "long", "long columns", "long lines", "long csv"])
    long = kind.startswith("long")
    heads = [head or "problem", r.choice(["algorithm", "Algorithm"]), "score"] if long else [head, *names]
    rows: list[list[str]] = [[_quoted(p), *row] for p, row in zip(problems, numbers, strict=True)]
    if long:
        cells = [(p, a, v) for (p, *row) in rows for a, v in zip(map(_quoted, names), row, strict=True)]
        rows = [[p, a, v] for p, a, v in (r.sample(cells, len(cells)) if r.random() < 0.3 else cells)]
    if r.random() < 0.5:
        _spoil(r, heads, rows)
    order = r.sample(range(len(heads)), len(heads)) if r.random() < 0.2 else range(len(heads))
    heads, rows = [heads[j] for j in order], [[row[j] for j in order] for row in rows]
    better = r.choice(["lower", "higher"])
    if kind == "long csv":
        return "".join(",".join(map(_bare, row)) + "\n" for row in [heads, *rows]), better, "scores.csv"
    if kind.endswith("columns"):
        columns = [f"{_quoted(name)}: [{', '.join(row[j] for row in rows)}]" for j, name in enumerate(heads)]
        return f"{{{', '.join(columns)}}}", better, "scores.json"
    records = [
        f"{{{', '.join(f'{_quoted(name)}: {value}' for name, value in zip(heads, row, strict=True))}}}" for row in rows
    ]
    if r.random() < 0.1:
        records[-1] = r.choice(["{}", "[]", "1", records[0], records[-1][:-1] + ', "more": 1}', '{"a": {"b": 1}}'])
    if kind.endswith("lines"):
        return "\n".join(records), better, r.choice(["scores.json", "scores.jsonl", "scores.ndjson"])
    between = r.choice([", ", ",", ",\n  "])
    return f"[{between.join(records)}]", better, r.choice([*["scores.json"] * 9, "scores.jsonl"])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=len(text) % 2 == 0)


def _bare(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') and "," not in text else text


def _spoil(r: random.Random, heads: list[str], rows: list[list[str]]) -> None:
    """One oddity of a number, a name, or the shape."""
    odd = [
        "null",
        "true",
        '"0.5"',
        "NaN",
        "-Infinity",
        "1e999",
        "1e-400",
        "-0",
        "-0.0",
        "0.0",
        "0",
        "1E2",
        "9007199254740993",
    ]
    odd += [
        "[1]",
        '{"a": 1}',
        '""',
        '"NA"',
        '"ok"',
        "1e15",
        "123456789012345",
        "01",
        "1.",
        "+1",
        "0x1",
        "1_000",
        "2e+3",
        "1e-5",
    ]
    name = [
        "NA",
        " p1",
        "accuracy",
        "x\u0000",
        "\ud800",
        "p\u2028",
        "Average",
        "\u00df",
        "123",
        "",
        'a"b',
        "a,b",
        "<b>",
        "n",
    ]
    i, j = r.randrange(len(rows)), r.randrange(len(heads))
    what = r.choice(["number", "number", "number", "name", "head", "twice", "again", "gone"])
    if what == "number":
        rows[i][-1] = r.choice(odd)
    elif what == "name":
        rows[i][r.randrange(len(heads))] = json.dumps(r.choice(name))
    elif what == "head":
        heads[j] = r.choice([*name, heads[0], heads[-1].upper(), "cluster", "run", "score"])
    elif what == "twice":
        rows[i][0] = rows[0][0]
    elif what == "again":
        rows.append(list(rows[i]))
    else:
        del rows[i]


def wrong_seeds(
    page: Page, seeds: range, table: Callable[[int], tuple[str, ...]] = random_table
) -> tuple[dict[int, list[str] | str], int]:
    """Random tables on which page and program differ, and how many the page answered."""
    every = {seed: disagreeing(page, *table(seed)) for seed in seeds}
    answers = {seed: one for seed, one in every.items() if not isinstance(one, str)}
    return {seed: one for seed, one in answers.items() if one}, len(answers)


def wrong_tables(page: Page) -> dict[str, list[str] | str]:
    """Those of the named tables on which page and program differ, or that are answered, or not, against their list."""
    wrong = {}
    every = {("scores.csv", name): table for name, table in named_tables().items()}
    every |= {(name.split()[0], name): table for name, table in json_tables().items()}
    for (file, name), (text, better, is_answered) in every.items():
        differing = disagreeing(page, text, better, file)
        if differing if is_answered else not isinstance(differing, str):
            wrong[name] = differing
    return wrong
