"""Write try.html, the page that compares a table without an installation, from src/bakeoff/wings/page/script.

python docs/generate/try_page.py           writes the page, and its SHA-256 into docs/how-to/try.md
python docs/generate/try_page.py --check   exits 1 if they are not current

The script is that of reports with what reads a plain table (``explore.script``). The words by which tables are read,
the sentences of cautions and of the methods paragraph, and what is cited are data of the program, which this script
writes into the page: the page has no copy of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import explore
import page_command

from bakeoff.adjusting import PAIRWISE_METHODS
from bakeoff.analyses.compare.reporting import effects, methods
from bakeoff.analyses.compare.statistics import catalogue
from bakeoff.cautions import explanations
from bakeoff.effects import EFFECTS
from bakeoff.omnibus import OMNIBUS
from bakeoff.posthoc import PAIR_TESTS
from bakeoff.procedures import Term
from bakeoff.ranks.cautions import IMPLIED
from bakeoff.reading import selection
from bakeoff.reading.number_parsing import MISSING
from bakeoff.reading.recognition import column_names
from bakeoff.report.references import reference
from bakeoff.report.sentences import templates
from bakeoff.scores import read_as
from bakeoff.scores.design import Estimand
from bakeoff.words import pattern, read_words, tiers, word_set

ROOT = Path(__file__).resolve().parents[2]
PAGE = explore.FOLDER / "try.html"
HOW_TO = ROOT / "docs" / "how-to" / "try.md"
MOST = 150_000  # bytes of the page
EXAMPLE = ROOT / "src" / "bakeoff" / "datasets" / "garcia_2010.csv"

CAUTIONS = (
    *("out-of-reach (problems)", "omnibus-alone", "omnibus-not-rejected", "rough (f)", "scales-differ (problems)"),
    *("nothing-differs (scores)", "perfect-agreement", "too-few (problems)", "one-stem", "ties (scores)"),
    *("ties (rounded-scores)", "near-ties", "interval-below-level (hodges-lehmann)"),
    *("interval-below-level (unbounded)", "effect-against-verdict", "too-few (differing-problems)"),
)
"""Those that a plain table may need; a table that needs another one is left to the command."""
_RESERVED = (
    *(
        ("truth", "certain"),
        ("truth", "perhaps"),
        ("prediction", "names"),
        ("average", "columns"),
        ("average", "ranks"),
    ),
    *(("time", "names"), ("status", "words"), ("status", "endings"), ("fold", "names"), ("fold", "certain")),
    *(("run", "names"), ("order", "names"), ("rows", "problems"), ("rows", "algorithms")),
)
_RUNS = (("fold", "names"), ("fold", "certain"), ("run", "names"))
_SETTINGS = (("part", "names"), ("counter", "first"), ("description", "letters"))
_FOLDS = "fold|split|cv|resample|seed|trial"
_INSIDE = re.compile(rf"(?i){_FOLDS}|\b(scores?|values?)(?=\b|_)|^#|(^|[\s_.-])ids?$|(id|no|nr)$|[|\\/]|[<>=±↑↓%]")


def _sorted(*sets: frozenset[str]) -> list[str]:
    return sorted(frozenset().union(*sets))


def _regex(compiled: re.Pattern[str]) -> dict[str, str]:
    """A regular expression of the program as JavaScript has it."""
    source = compiled.pattern.removeprefix("(?i)")
    assert not re.search(r"\(\?[^:=!<]|\(\?<(?![=!])|[*+?}]\+|\\[AZ]", source), (
        f"JavaScript has no such pattern: {source}"
    )
    return {"source": source, "flags": "i" if compiled.flags & re.IGNORECASE else ""}


def _programs() -> list[dict[str, str]]:
    """What the first lines of other programs' files hold."""
    programs = read_words("programs.toml")
    marks = [re.compile(re.sub(r"^\\A", "^", each["mark"].replace("\n", ""))) for each in programs["known"]]
    results = [_regex(re.compile(programs["results"][form].replace("\n", ""))) for form in ("text", "json")]
    return [*({**mark, "flags": "m"} for mark in results), *map(_regex, marks)]


def reading() -> dict[str, Any]:
    """The words and patterns by which columns and rows are told apart."""
    words = read_words()
    roles = {role: frozenset().union(*tiers(role)) for role in words["role"]}
    about = [_regex(pattern(section, key)) for section, key in (("description", "pattern"), ("counter", "budget"))]
    about += [_regex(pattern("question", key)) for key in ("questions", "tasks", "groups")]
    statistics = [_regex(pattern("statistic", key)) for key in ("pattern", "timing")]
    return {
        "problem": _sorted(roles["problem"]),
        "reserved": _sorted(*roles.values(), *(word_set(*place) for place in _RESERVED)),
        "splits": sorted(column_names.SPLITS),
        "runs": _sorted(roles["run"], *(word_set(*place) for place in _RUNS)),
        "settings": _sorted(*(word_set(*place) for place in _SETTINGS)),
        "missing": sorted(MISSING),
        "direction": {key: _sorted(word_set("direction", key)) for key in ("higher", "lower", "around", "otherwise")},
        "known": {side: _sorted(word_set("known", side)) for side in ("problems", "algorithms")},
        "sides": {f"{role}s": _sorted(roles[role], word_set("rows", f"{role}s")) for role in ("problem", "algorithm")},
        "patterns": {
            "whole": [
                *about,
                *statistics,
                _regex(pattern("description", "raw")),
                _regex(column_names._COMPARED),
                _regex(column_names._SPREAD_OF),
            ],
            "measures": statistics,
            "inside": [_regex(_INSIDE)],
            "summaries": _regex(pattern("average", "rows")),
            "telling": _regex(selection._TELLING),
            "numbered": _regex(column_names._NUMBERED),
            "run": _regex(read_as._RUN),
            "labels": _regex(pattern("order", "labels")),
            "programs": _programs(),
        },
    }


def _cited(term: Term) -> str:
    """`` (Friedman, 1937; Iman & Davenport, 1980)``, as reports in text write it."""
    return f" ({'; '.join(reference(key).label for key in term.cite)})" if term.cite else ""


def sentences() -> dict[str, Any]:
    """What is said of a comparison: cautions, names of corrections, the parts of the methods paragraph."""
    known = explanations()
    cautions = {
        name: {key: getattr(known[name], key) for key in ("severity", "text", "reference", "question")}
        for name in CAUTIONS
    }
    implied = {name: sorted({*IMPLIED[name]} & {*CAUTIONS}) for name in CAUTIONS if name in IMPLIED}
    used = {name: PAIRWISE_METHODS[name] for name in ("bergmann-hommel", "shaffer")}
    omnibus, wilcoxon = OMNIBUS["iman-davenport"], PAIR_TESTS["wilcoxon"]
    of_methods, of_effects = (templates(Path(one.__file__).with_suffix(".json")) for one in (methods, effects))
    paragraph = {
        "weights": f"{Estimand(weights='problems').sentence}.",
        "omnibus": of_methods["omnibus"],
        "test": omnibus.phrase,
        "ties": ", corrected for ties",
        "exact": ", with its exact null distribution",
        "agreement": of_methods["agreement"],
        "kendall": f"{EFFECTS['kendall-w'].phrase}{_cited(EFFECTS['kendall-w'])}",
        "all": of_methods["pairs.all"],
        "wilcoxon": f"{catalogue.tests_of_pairs('wilcoxon', 2)}{_cited(wilcoxon)}",
        "corrections": {name: f"{one.phrase}{_cited(one)}" for name, one in used.items()},
        "one": of_methods["pairs.one"],
        "alone": of_methods["pairs.alone"],
        "level": of_methods["pairs.level"],
        "rate": "family-wise error rate",
        "null": of_methods["null.wilcoxon"],
        "transitive": of_methods["transitive"],
        "kinds": {**{kind: of_effects[kind] for kind in effects.CITED}, "mean": of_effects["mean.ties"]},
        "units": of_effects["in.difference"],
        "promise": of_effects["promise.bonferroni"],
        "promise.one": of_effects["promise.one"],
        "marks": {
            "omnibus": _cited(omnibus),
            **{kind: _cited(EFFECTS[name]) for kind, name in effects.CITED.items()},
            "mean": "",
        },
        "biserial": f"{EFFECTS['rank-biserial'].phrase}{_cited(EFFECTS['rank-biserial'])}",
        "software": f"Computed with bakeoff {explore.version()} (its page try.html, in a browser).",
    }
    return {
        "cautions": cautions,
        "implied": implied,
        "corrections": {name: one.short for name, one in used.items()},
        "test": catalogue.word("wilcoxon"),
        "omnibus": omnibus.short,
        "kinds": effects.WORDS,
        "paragraph": paragraph,
    }


def data() -> dict[str, Any]:
    return {"reading": reading(), "sentences": sentences(), "example": EXAMPLE.read_text(encoding="utf-8")}


def page() -> str:
    """One file: nothing is loaded, and the policy lets its own script run, and no other."""
    text = explore.script("page/try.js", MOST, explore.joined)
    policy = b64encode(hashlib.sha256(text.encode()).digest()).decode()
    embedded = json.dumps(data(), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        "POLICY": policy,
        "VERSION": explore.version(),
        "STYLE": (explore.BUILT / "panel.css").read_text(encoding="utf-8"),
        "DATA": embedded,
        "SCRIPT": text,
    }
    frame = (explore.FOLDER / "page" / "try.html").read_text(encoding="utf-8")
    for mark, value in parts.items():
        frame = frame.replace(f"@{mark}@", value)
    assert len(frame.encode()) <= MOST, f"try.html: {len(frame.encode())} bytes, more than {MOST}"
    return frame


def files() -> dict[Path, str]:
    made = page()
    section = page_command.filled(HOW_TO, {"versions": explore.known_versions(made, HOW_TO, "try.html")})
    return {PAGE: made, HOW_TO: section}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/try_page.py", files))
