"""The bibliography: whom to cite for what, as labels, as plain text, and as BibTeX."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass
from bakeoff.errors import UnknownNameError

_ENTRY = re.compile(r"^@(?P<kind>\w+)\{(?P<key>[a-z0-9]+),\n(?P<fields>.*?)^\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (?P<name>\w+) = \{(?P<value>.*)\},$", re.MULTILINE)
_LETTERS = {"Ø": r"{\O}", "ø": r"{\o}", "ı": r"{\i}", "×": r"$\times$"}  # that no accent makes
_COMBINING = {"\u0301": "'", "\u030c": "v", "\u0308": '"', "\u0300": "`", "\u0302": "^", "\u0303": "~", "\u0327": "c"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One work: its BibTeX kind, key, and fields (UTF-8, in order)."""

    kind: str
    key: str
    fields: Mapping[str, str]

    @property
    def surnames(self) -> tuple[str, ...]:
        return tuple(_unbraced(author.split(",")[0]) for author in self.fields["author"].split(" and "))

    @property
    def who(self) -> str:
        """``Bergmann & Hommel``, ``Derrac et al.``"""
        return f"{self.surnames[0]} et al." if len(self.surnames) > 2 else " & ".join(self.surnames)

    @property
    def label(self) -> str:
        """``Bergmann & Hommel, 1988``, for parentheses."""
        return f"{self.who}, {self.fields['year']}"

    def text(self) -> str:
        """The whole entry as one line of a reference list."""
        f = {name: _unbraced(value) for name, value in self.fields.items()}
        place = f.get("journal") or f.get("booktitle") or f.get("school") or f.get("publisher", "")
        if self.kind == "phdthesis":
            place = f"PhD thesis, {place}"
        if self.kind == "incollection":
            place = f"In {place} (eds. {f['editor'].replace(' and ', ', ')}), {f['publisher']}"
        issue = f"({f['number']})" if "number" in f else ""
        volume = f" {f['volume']}{issue}" if "volume" in f else ""
        pages = (", " if not volume else ":") + f["pages"] if "pages" in f else ""
        doi = f" doi:{f['doi']}" if "doi" in f else ""
        authors = f["author"].replace(" and ", "; ")
        title = f["title"] if f["title"].endswith("?") else f["title"] + "."
        return f"{authors} ({f['year']}). {title} {place}{volume}{pages}.{doi}"

    def bibtex(self) -> str:
        """The entry as BibTeX, accents as LaTeX commands so that every BibTeX can read it."""
        fields = "".join(f"  {name} = {{{_latex_accents(value)}}},\n" for name, value in self.fields.items())
        return f"@{self.kind}{{{self.key},\n{fields}}}"


@cache
def bibliography() -> Mapping[str, Reference]:
    """All works by key, in the order of the file."""
    text = Path(__file__).with_name("bibliography.bib").read_text(encoding="utf-8")
    return {
        match["key"]: Reference(kind=match["kind"], key=match["key"], fields=dict(_FIELD.findall(match["fields"])))
        for match in _ENTRY.finditer(text)
    }


def reference(key: str) -> Reference:
    """The work with this key, else an error that names the nearest."""
    works = bibliography()
    if key not in works:
        raise UnknownNameError(f"no reference has the key {key!r}{did_you_mean(key, works)}")
    return works[key]


def software_reference(version: str) -> Reference:
    """bakeoff itself, as used."""
    fields = {
        "author": "{The bakeoff developers}",
        "title": "bakeoff: statistical comparison of algorithms over many problems",
        "note": f"Version {version}",
    }
    return Reference(kind="misc", key="bakeoff", fields=fields)


def bibtex(keys: Iterable[str], version: str) -> str:
    """BibTeX of these works and of bakeoff, ready for a .bib file."""
    entries = [reference(key) for key in dict.fromkeys(keys)]
    return "\n\n".join(entry.bibtex() for entry in [*entries, software_reference(version)]) + "\n"


def _unbraced(text: str) -> str:
    """BibTeX's own marks taken out: braces, ``--``, ``\\&``, quotation marks, math."""
    text = text.replace("\\&", "&").replace("{", "").replace("}", "").replace(" -- ", " – ").replace("--", "–")
    return text.replace("``", "“").replace("''", "”").replace("$", "").strip()


def _latex_accents(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata

    out: list[str] = []
    for character in unicodedata.normalize("NFD", text):
        if character in _COMBINING:
            base = {"i": r"\i"}.get(out[-1], out[-1])
            out[-1] = f"{{\\{_COMBINING[character]}{{{base}}}}}"
        else:
            out.append(_LETTERS.get(character, character))
    return "".join(out)
