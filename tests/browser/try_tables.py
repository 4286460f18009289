"""Tables for try.html, what it shows of them in any browser, and what ``bakeoff compare`` says of them."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
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
        "long": ("problem,algorithm,score\n" + long, "lower", False),
        "two algorithms": (as_text(names[:2], problems, [row[:2] for row in cells]), "lower", True),
        "one algorithm": (as_text(names[:1], problems, [row[:1] for row in cells]), "lower", False),
        "percentages": (plain.replace("\n", "%\n"), "lower", False),
        "an average below": (plain + "Average," + ",".join(["0.5"] * 5) + "\n", "lower", False),
        "a column of sizes": (as_text(["n_features", *names[1:]], problems, cells), "lower", False),
        "columns of measures": (measures, "lower", False),
        "columns of runs": (as_text([f"fold{i}" for i in range(5)], problems, cells), "lower", False),
        "rows in time": (as_text(names, [f"2024-{i + 1:02d}" for i in range(12)], cells), "lower", False),
        "clusters": (plain.replace("problem,", "cluster,").replace("p", "c"), "lower", False),
        "hostile names": (as_text(hostile, problems, cells, "\t"), "lower", False),
        "hostile rows": (as_text(names, [f"{i}{HOSTILE[i % 2]}" for i in range(12)], cells, "\t"), "lower", False),
        "look-alikes": (as_text(["CART", "C\u0410RT", *names[2:]], problems, cells), "lower", False),
        "ragged": (plain + "p99,1\n", "lower", False),
        "JSON": ('[{"problem": "p", "algorithm": "a", "score": 1}]', "lower", False),
        "nothing": ("\n", "lower", False),
    }  # fmt: skip


def shipped() -> list[tuple[Path, str]]:
    directions = {"demsar_2006": "higher", "derrac_cec2005": "lower", "garcia_2010": "higher"}
    return [(DATASETS / f"{name}.csv", better) for name, better in directions.items()]


def wrong_seeds(page: Page, seeds: range) -> tuple[dict[int, list[str] | str], int]:
    """Random tables on which page and program differ, and how many the page answered."""
    found = {seed: disagreeing(page, *random_table(seed)) for seed in seeds}
    answers = {seed: one for seed, one in found.items() if not isinstance(one, str)}
    return {seed: one for seed, one in answers.items() if one}, len(answers)


def wrong_tables(page: Page) -> dict[str, list[str] | str]:
    """Those of the named tables on which page and program differ, or that are answered, or not, against their list."""
    wrong = {}
    for name, (text, better, is_answered) in named_tables().items():
        found = disagreeing(page, text, better)
        if found if is_answered else not isinstance(found, str):
            wrong[name] = found
    return wrong
