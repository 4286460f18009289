"""The search of ``bakeoff docs`` and of the documentation site: one index of the pages in Markdown, one ranking.

A script of the site has the index; ``docs/_static/find.js`` has the ranking, and a test compares it with this one.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff.dataclass import dataclass, field

KINDS = {"key": 100.0, "synonym": 100.0, "title": 90.0, "heading": 60.0, "function": 250.0}
"""What a phrase is, and how much it counts if it is what was typed; who types ``bo.compare`` wants the function."""
FULL_TEXT = 30.0
"""So much counts a passage in which each word is frequent."""
ROOMS = {
    **dict.fromkeys(("how-to", "guides", ""), 1.0),
    **dict.fromkeys(("start", "understand", "papers"), 0.95),
    "methods": 0.85,
    "trust": 0.75,
    "reference": 0.65,
    "examples": 0.5,
    "reference/python": 0.5,
    "understand/names": 0.8,
    "understand/cautions": 0.65,
    "trust/errata": 0.65,
    "atlas": 0.5,
    "index": 0.5,
    **dict.fromkeys(("methods/index", "trust/performance", "trust/calibration", "methods/bibliography"), 0.5),
}
"""Pages that tell how to do something come before methods, and these before the reference; lists come last."""
_STOP_WORDS = (
    "a an and are as at be by can do does for from has have how i if in into is it its me my of on or our that the "
    "their there this to we what when where which why with you your"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())
_LIGATURES = {"×": "x", "’": "'", "‘": "'", "ł": "l", "ø": "o"}


def folded(text: str) -> list[str]:
    """Its words without case, accents, hyphens, and endings of a plural or genitive; ``optimize`` is ``optimise``."""
    text = "".join(_LIGATURES.get(sign, sign) for sign in text.lower())
    text = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    text = re.sub(r"\b([a-z])\+(?!\w)", r"\1plus", re.sub(r"'s\b|(?<=[a-z])_(?=\d\b)", "", text))  # R+, n_0
    return [_singular(word) for word in re.findall(r"[a-z0-9α-ω]+", text)]


def _singular(word: str) -> str:
    word = word.replace("iz", "is")
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


class Hit(NamedTuple):
    """A page, the best heading on it ("" is all of it), and how well it fits."""

    page: str
    heading: str
    score: float
    section: int


@dataclass(kw_only=True)
class Index:
    """What is searched.

    ``pages``: name, title, weight. ``sections``: number of the page, heading, address in a site.
    ``phrases``: folded words, kind, section. ``words``: word -> section, count, section, count, …
    """

    pages: list[tuple[str, str, float]] = field(default_factory=list)
    sections: list[tuple[int, str, str]] = field(default_factory=list)
    phrases: list[tuple[str, str, int]] = field(default_factory=list)
    words: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Index:
        """The index of a site."""
        data = json.loads(path.read_text(encoding="utf-8").partition("=")[2])
        lists = {name: [tuple(entry) for entry in data[name]] for name in ("pages", "sections", "phrases")}
        return cls(**lists, words=data["words"])

    def script(self) -> str:
        """For a site, whose pages may be read from a disk, where only scripts are loaded."""
        rules = {"kinds": KINDS, "full_text": FULL_TEXT, "stop_words": sorted(STOP_WORDS)}
        data = rules | {name: getattr(self, name) for name in ("pages", "sections", "phrases", "words")}
        return f"bakeoffWords = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n"

    def add_page(self, name: str, title: str) -> int:
        room = name if name in ROOMS else name.rpartition("/")[0]
        self.pages.append((name, title, ROOMS.get(room, 0.5)))
        return len(self.pages) - 1

    def add_section(self, page: int, heading: str, address: str, text: str) -> int:
        number = len(self.sections)
        self.sections.append((page, heading, address))
        for word, count in Counter(folded(text)).items():
            self.words.setdefault(word, []).extend((number, count))
        return number

    def add_phrase(self, text: str, kind: str, section: int) -> None:
        phrase = (" ".join(folded(text)), kind, section)
        if phrase[0] and phrase not in self._known:
            self._known.add(phrase)
            self.phrases.append(phrase)

    def is_name(self, text: str, section: int) -> bool:
        """Is it what the page, caution, procedure or command of this section is called?"""
        name = "".join(folded(text))
        return any(kind == "key" and place == section and p.replace(" ", "") == name for p, kind, place in self.phrases)

    @cached_property
    def _known(self) -> set[tuple[str, str, int]]:
        return set(self.phrases)

    @cached_property
    def _lengths(self) -> list[float]:
        """How long each section is, in that of the mean one."""
        lengths = [0.0] * len(self.sections)
        for places in self.words.values():
            for number, count in zip(places[::2], places[1::2], strict=True):
                lengths[number] += count
        mean = sum(lengths) / max(1, len(lengths))
        return [length / mean for length in lengths]

    @cached_property
    def _split(self) -> list[tuple[str, list[str], str, int]]:
        """The phrases without spaces, and their words that tell something."""
        every = [(phrase.split(" "), kind, section) for phrase, kind, section in self.phrases]
        return [("".join(words), _telling(words), kind, section) for words, kind, section in every]

    @cached_property
    def _vocabulary(self) -> dict[str, set[int]]:
        """The sections that have a word, in their text or in a phrase."""
        vocabulary = {word: set(places[::2]) for word, places in self.words.items()}
        for phrase, _, section in self.phrases:
            for word in phrase.split(" "):
                vocabulary.setdefault(word, set()).add(section)
        return vocabulary

    def _spellings(self, word: str) -> set[str]:
        """The word itself; if it is nowhere, those that share its beginning, at least two thirds of it."""
        if word in self._vocabulary or len(word) < 4:
            return {word}
        for length in range(len(word), max(4, (2 * len(word) + 2) // 3 - 1), -1):
            if known := {each for each in self._vocabulary if each.startswith(word[:length])}:
                return known
        return {word}

    def found(self, text: str) -> list[Hit]:
        """The pages on some words, best first."""
        every = folded(text)
        spelt = {word: self._spellings(word) for word in dict.fromkeys(_telling(every))}
        rarity = {word: self._rarity(ones) for word, ones in spelt.items()}
        total = sum(rarity.values())
        named, texts = self._by_phrases(every, spelt, rarity, total), self._by_text(spelt, rarity, total)
        best: dict[int, list[tuple[float, float, int]]] = {}
        for section in named.keys() | texts.keys():
            scores = (named.get(section, 0.0), texts.get(section, 0.0))
            best.setdefault(self.sections[section][0], []).append((*scores, section))
        hits = [self._hit(page, sections) for page, sections in best.items()]
        return sorted(hits, key=lambda hit: (-round(hit.score, 6), hit.section))

    def _rarity(self, spellings: set[str]) -> float:
        """A word that is nowhere counts as half of one that is in one place."""
        places = len(set().union(*(self._vocabulary.get(one, set()) for one in spellings)))
        return math.log(1 + len(self.sections) / places) if places else 0.5 * math.log(1 + len(self.sections))

    def _hit(self, page: int, sections: Sequence[tuple[float, float, int]]) -> Hit:
        """The page counts by its best name and its best passage; where it opens, both count together."""
        name, _, weight = self.pages[page]
        score = max(named for named, _, _ in sections) + max(text for _, text, _ in sections)
        section = min(sections, key=lambda each: (-round(each[0] + each[1], 6), each[2]))[2]
        return Hit(name, self.sections[section][1], weight * score, section)

    def _by_phrases(
        self, every: list[str], spelt: Mapping[str, set[str]], rarity: Mapping[str, float], total: float
    ) -> dict[int, float]:
        scores: dict[int, float] = {}
        compact = "".join(every)
        for each, own, kind, section in self._split:
            score = KINDS[kind] * (1.0 if each == compact else _likeness(own, spelt, rarity, total))
            if score > scores.get(section, 0.0):
                scores[section] = score
        return scores

    def _by_text(self, spelt: Mapping[str, set[str]], rarity: Mapping[str, float], total: float) -> dict[int, float]:
        shares: dict[int, list[float]] = {}
        for word, ones in spelt.items():
            counts: Counter[int] = Counter()
            for places in (self.words.get(one, []) for one in sorted(ones)):
                for section, count in zip(places[::2], places[1::2], strict=True):
                    counts[section] += count
            for section, count in counts.items():
                weight = count / (count + 0.4 + 0.8 * self._lengths[section])
                share = shares.setdefault(section, [0.0, 0.0])
                share[0] += rarity[word] * weight / total
                share[1] += rarity[word] / total
        return {section: FULL_TEXT * weighed * covered for section, (weighed, covered) in shares.items()}


def _likeness(own: list[str], spelt: Mapping[str, set[str]], rarity: Mapping[str, float], total: float) -> float:
    """How well a phrase fits: by the share of the words that it has, and of its own among them; 1 is for the same."""
    matches = {word: _match(word, ones, own) for word, ones in spelt.items()}
    if not any(matches.values()):
        return 0.0
    covered = sum(rarity[word] * match for word, match in matches.items()) / total
    return 0.75 * covered**2 * (0.4 + 0.6 * min(1.0, sum(matches.values()) / len(own)))


def _telling(words: list[str]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS] or words


def _match(word: str, spellings: set[str], own: list[str]) -> float:
    if word in own:
        return 1.0
    return 0.7 if any(each in spellings or (len(word) > 3 and each.startswith(word)) for each in own) else 0.0


# The index of a folder of pages in Markdown.


class PagePart(NamedTuple):
    """A heading of a page, its level, and the text below it."""

    level: int
    heading: str
    text: str


def parts(text: str) -> list[PagePart]:
    """A page by its headings; a comment in a block of code is none. What stands before the first has level 0."""
    fence, made = "", [(0, "")]
    lines: list[list[str]] = [[]]
    for line in text.splitlines():
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (match := re.match(r"(#{1,6}) +(.+?)\s*$", line)):
            made.append((len(match[1]), match[2]))
            lines.append([])
            continue
        lines[-1].append(line)
    return [PagePart(level, name, "\n".join(body)) for (level, name), body in zip(made, lines, strict=True)]


def page_title(page: str, text: str) -> str:
    return next((part.heading for part in parts(text) if part.level == 1), page).replace("`", "")


def page_texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.md"))
        if path.relative_to(folder).parts[0] not in ("examples", "gallery", "generate")
    }


def index_of(folder: Path) -> Index:
    """Gather names, titles, headings, what each page explains, synonyms and words of a folder of pages."""
    index = Index()
    by_heading: dict[tuple[str, str], int] = {}
    for page, text in page_texts(folder).items():
        number = index.add_page(page, page_title(page, text))
        first = len(index.sections)
        for part in parts(_without_head(text)):
            if part.level < 2 and len(index.sections) > first:
                section = first
                for word, count in Counter(folded(part.text)).items():
                    index.words.setdefault(word, []).extend((section, count))
            else:
                section = index.add_section(number, part.heading if part.level > 1 else "", "", part.text)
            by_heading.setdefault((page, part.heading if part.level > 1 else ""), section)
            for phrase, kind in _phrases(page, part):
                index.add_phrase(phrase, kind, section)
        for name in _page_names(page, text):
            index.add_phrase(name, "key", first)
    for phrase, place in synonyms():
        page, _, heading = place.partition("#")
        if (page, heading) in by_heading:
            index.add_phrase(phrase, "synonym", by_heading[page, heading])
    return index


def _without_head(text: str) -> str:
    return re.sub(r"\A---\n.*?\n---\n+", "", text, flags=re.DOTALL)


def _page_names(page: str, text: str) -> list[str]:
    """What opens the page: its own name, and the procedures that it explains."""
    head = re.match(r"---\n.*?^records: \[(.*?)\]", text, re.DOTALL | re.MULTILINE)
    records = re.split(r",\s*", head[1]) if head else []
    own = page.removesuffix("/index").rpartition("/")[2]
    return [page, own, *(name.partition("/")[2] or name for name in records)]


SECTIONS_OF_METHODS = frozenset(
    {"Question", "When to use it", "Formula", "Assumptions", "Exactness, ties, missing scores", "Cost", "Call"}
    | {"Example", "Paper", "More"}
)
"""Headings that say nothing about the page."""


def _phrases(page: str, part: PagePart) -> Iterator[tuple[str, str]]:
    """What a heading says: in all, without what is in parentheses, and that alone; the name of a caution, a command."""
    heading = part.heading.replace("`", "")
    if not heading:
        return
    whole = re.fullmatch(r"`([\w -]+)`", part.heading)
    if whole and page == "understand/cautions":
        yield whole[1], "key"
    elif whole and page == "reference/cli" and whole[1].startswith("bakeoff "):
        yield whole[1], "key"
        yield whole[1].removeprefix("bakeoff "), "key"
    kind = "title" if part.level == 1 else "heading"
    if page.startswith("methods/") and part.heading in SECTIONS_OF_METHODS:
        return
    yield heading, kind
    inside = re.findall(r"\(([^()]*)\)", heading)
    if inside:
        yield re.sub(r"\s*\([^()]*\)", "", heading), kind
        for each in ",".join(inside).split(","):
            yield each, kind


def synonyms() -> list[tuple[str, str]]:
    """(what a reader types, the page and perhaps ``#`` and the heading), of the file beside this one."""
    data: dict[str, Any] = tomllib.loads(files(__package__).joinpath("synonyms.toml").read_text(encoding="utf-8"))
    return [(phrase, place) for place, phrases in data.items() for phrase in phrases]
