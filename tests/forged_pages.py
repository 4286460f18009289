"""Random changes of an HTML report: of what it shows, of the JSON that it carries, and of both alike."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import bakeoff as bo
import forging

DATA = re.compile(r'(<script type="application/json" id="bakeoff-data">)(.*?)(</script>)', re.DOTALL)
CALLS: dict[str, Callable[[bo.Scores], bo.Comparison]] = {
    "compare": bo.compare,
    "compare with a control": lambda scores: bo.compare(scores, control=scores.algorithms[0], margin="5%"),
    "evaluate": lambda scores: bo.evaluate(scores),
    "leaderboard": lambda scores: bo.leaderboard(scores),
    "sensitivity": lambda scores: bo.sensitivity(scores, resamples=20),
    "bayes": lambda scores: bo.bayes.overview(scores, n_draws=200),
    "iqm": lambda scores: bo.interquartile_mean(scores, resamples=100),
}


class Forgery(NamedTuple):
    """``contradicts``: the page says two things, so that it can be found without another table."""

    what: str
    page: str
    contradicts: bool


def original(name: str, folder: Path) -> tuple[str, Path]:
    """A report, and the table that it was made from."""
    table = folder / f"{name}.csv"
    scores = bo.datasets.load("demsar_2006")
    rows = [
        ["problem", *scores.algorithms],
        *([p, *r] for p, r in zip(scores.problems, scores.values.tolist(), strict=True)),
    ]
    table.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    page = folder / f"{name}.html"
    CALLS[name](bo.read_scores(table, "higher")).save(page)
    return page.read_text(encoding="utf-8"), table


def forged(page: str, name: str, folder: Path, rng: random.Random) -> Forgery:
    """One random change that changes what a reader is told."""
    change = rng.choice(CHANGES)
    while True:
        made = change(page, rng) if change is not rewritten else rewritten(page, rng, name, folder)
        if made is not None and made.page != page:
            return made


def _of_one(page: str, pattern: str, rng: random.Random, made: Callable[[re.Match[str]], str], what: str) -> Forgery:
    """One place of those that match, outside the JSON, changed."""
    found = rng.choice(list(re.finditer(pattern, DATA.sub("", page), re.DOTALL)))
    return Forgery(f"{what}: {found[0][:60]}", page.replace(found[0], made(found), 1), True)


def _another_digit(text: str, rng: random.Random) -> str:
    at = rng.choice([m.start() for m in re.finditer(r"\d", text)])
    return f"{text[:at]}{rng.choice([d for d in '0123456789' if d != text[at]])}{text[at + 1 :]}"


def cell(page: str, rng: random.Random) -> Forgery:
    return _of_one(page, r"<td[^>]*>[^<]*\d[^<]*</td>", rng, lambda m: _digit_in_text(m[0], rng), "number in a table")


def _digit_in_text(element: str, rng: random.Random) -> str:
    start, end = element.index(">") + 1, element.rindex("<")
    return element[:start] + _another_digit(element[start:end], rng) + element[end:]


def name_in_table(page: str, rng: random.Random) -> Forgery:
    return _of_one(
        page, r'<(td|th scope="row")[^>]*>C4\.5[^<]*</t[dh]>', rng, lambda m: m[0].replace("C4.5", "C5.0"), "name"
    )


def verdict(page: str, rng: random.Random) -> Forgery:
    other = rng.choice(["C4.5+m is better than all others.", "No difference was shown.", ""])
    return _of_one(page, r"<h1>.*?</h1>", rng, lambda m: f"<h1>{other}</h1>", "verdict")


def sentence(page: str, rng: random.Random) -> Forgery:
    pattern = r"<(?:p|span|caption|summary|li)(?: [^>]*)?>[^<]*\d[^<]*</(?:p|span|caption|summary|li)>"
    return _of_one(page, pattern, rng, lambda m: _digit_in_text(m[0], rng), "count in a sentence")


def drawing(page: str, rng: random.Random) -> Forgery:
    return _of_one(page, r"<text[^>]*>[^<]+</text>", rng, lambda m: m[0].replace(">", ">1", 1), "label of a drawing")


def moved(page: str, rng: random.Random) -> Forgery:
    def turned(found: re.Match[str]) -> str:
        rows = re.findall(r"<tr.*?</tr>", found[0], re.DOTALL)
        body = found[0]
        return body.replace(rows[0], rows[0] + rows[-1], 1) if rng.random() < 0.5 else body.replace(rows[0], "", 1)

    return _of_one(page, r"<tbody>.*?</tbody>", rng, turned, "row moved, twice, or left out")


ADDED = (
    ("</style>", 'h1::after { content: " (p < 0.001)" }</style>'),
    ("</style>", "section { display: none }</style>"),
    ("</head>", "<style>h1::before { content: 'Reviewed. ' }</style></head>"),
    ("</body>", "<script>document.title = 'x'</script></body>"),
    ("</body>", "<iframe srcdoc='x'></iframe></body>"),
    ("<main>", "<main><!-- a --><p>Approved.</p>"),
    ("<main>", '<main onclick="x()">'),
    ("default-src 'none'", "default-src *"),
    ("style-src 'unsafe-inline'", "style-src 'unsafe-inline' https://example.org"),
    ("</script>\n</body>", ";0</script>\n</body>"),
    ('charset="utf-8"', 'charset="utf-16"'),
    ("<h1>", '<h1 hidden>C4.5 wins.</h1><h1 title="x">'),
    ("</main>", "<svg><text>p = 0.01</text></svg></main>"),
    ("</header>", "<plaintext></header>"),
    ("<body>", '<body style="opacity: 0">'),
)


def added(page: str, rng: random.Random) -> Forgery:
    there, instead = rng.choice(ADDED)
    return Forgery(f"added {instead[:40]}", page.replace(there, instead, 1), True)


def leaf(page: str, rng: random.Random) -> Forgery | None:
    """Of the JSON, any change; of names and units alone a page cannot know that they are others."""
    content = json.loads(DATA.search(page)[2])  # type: ignore[index]
    what, changed = forging.forged(content, rng)
    if forging.true_still(content, changed, True):
        return None
    return Forgery(what, _with(page, changed), not forging.true_still(content, changed, False))


def embedded_score(page: str, rng: random.Random) -> Forgery:
    content = json.loads(DATA.search(page)[2])  # type: ignore[index]
    row = rng.choice(content["scores"]["values"])
    at = rng.randrange(len(row))
    row[at] = row[at] * rng.choice([1.5, 0.5, 0.9]) + rng.choice([0.0, 0.001])
    return Forgery(f"embedded score {at}", _with(page, content), True)


def rewritten(page: str, rng: random.Random, name: str, folder: Path) -> Forgery:
    """Another table analysed in earnest: the page is what its numbers give."""
    scores = bo.datasets.load("demsar_2006")
    values = scores.values.copy()
    values[rng.randrange(14), rng.randrange(4)] *= rng.choice([0.9, 1.05])
    made = folder / "rewritten.html"
    CALLS[name](bo.Scores(values, scores.algorithms, scores.problems, better="higher")).save(made)
    return Forgery("rewritten", made.read_text(encoding="utf-8"), False)


def _with(page: str, content: forging.Json) -> str:
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return DATA.sub(lambda found: found[1] + text + found[3], page)


CHANGES = (
    *(cell, cell, name_in_table, verdict, sentence, sentence, drawing, moved, added, added),
    *(leaf, leaf, embedded_score, rewritten),
)
