"""What a reader types finds its page: codes of cautions, procedures, commands, functions.

A search divides words at hyphens; an index entry is compared as a whole and comes first. So each such word becomes an
entry of the index, and with the names of the pages they are written to ``words.json``, where ``bakeoff docs`` looks.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

KINDS = ("page", "caution", "procedure", "command", "function")
"""In the order in which they are offered where a word is several of them."""
Entry = tuple[str, str, str, str]
"""Kind, word, page, anchor."""


def entries(document: nodes.document, page: str, source: Path) -> list[Entry]:
    """The words that one page explains."""
    found: list[Entry] = []
    for section in document.findall(nodes.section):
        title = section.next_node(nodes.title)
        name, anchor = title.astext() if title else "", section["ids"][0]
        whole = title is not None and len(title.children) == 1 and isinstance(title.children[0], nodes.literal)
        if page == "understand/cautions" and whole:
            found.append(("caution", name, page, anchor))
        elif page == "reference/cli" and name.startswith("bakeoff "):
            found.append(("command", name.removeprefix("bakeoff "), page, anchor))
            found.append(("command", name, page, anchor))
    if page.startswith("methods/"):
        head = re.match(r"---\n.*?^records: \[(.*?)\]", source.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        names = {record.partition("/")[2] or record for record in re.split(r",\s*", head[1])} if head else set()
        found += [("procedure", name, page, "") for name in sorted(names)]
    if page.startswith("reference/python/bakeoff."):
        path = page.removeprefix("reference/python/")
        for name in (path, path.replace("bakeoff", "bo", 1), path.rpartition(".")[2]):
            found.append(("function", name, page, path))
    return found


class IndexEntries(SphinxTransform):
    default_priority = 800  # before the entries of all pages are gathered

    def apply(self, **kwargs: object) -> None:
        page = self.env.docname
        found = entries(self.document, page, Path(self.env.doc2path(page)))
        known = self.env.metadata.setdefault(page, {})
        known["words"] = json.dumps(found)
        for kind, word, _, anchor in found:
            if kind == "function":
                continue  # Sphinx finds these as objects
            self.document.append(addnodes.index(entries=[("single", word, anchor, "main", None)]))


def words(env: BuildEnvironment) -> dict[str, list[str]]:
    """Word -> addresses within the site, best first."""
    found: list[Entry] = []
    for page in sorted(env.found_docs):
        found.append(("page", page, page, ""))
        if not page.startswith("examples/"):  # a page's own name is enough, but for groups of the gallery
            found.append(("page", page.removesuffix("/index").rpartition("/")[2], page, ""))
        found += [tuple(entry) for entry in json.loads(env.metadata.get(page, {}).get("words", "[]"))]
    table: dict[str, list[str]] = {}
    for kind, word, page, anchor in sorted(found, key=lambda entry: KINDS.index(entry[0])):
        places = table.setdefault(word.lower(), [])
        place = f"{page}.html{'#' + anchor if anchor else ''}"
        if place not in places:
            places.append(place)
        del kind
    return dict(sorted(table.items()))


def finish(app: Sphinx, error: Exception | None) -> None:
    """Write the words; leave out what differs from build to build or is not read."""
    if error is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for unread in out.rglob("*.map"):  # of the theme's scripts and styles
        unread.unlink()
    (out / "words.json").write_text(json.dumps(words(app.env), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(IndexEntries)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
