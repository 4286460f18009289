"""What a reader types finds its page: codes of cautions, procedures, commands, functions.

A search divides words at hyphens; an index entry is compared as a whole and comes first. So each such word becomes an
entry of Sphinx's index. The index of ``bakeoff docs``, with the addresses of this site, is written to
``_static/words.js``: ``find.js`` ranks by it on the page that searches, and ``bakeoff docs`` opens what it finds.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

from bakeoff.cli.searching import Index, index_of

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
        known["words"] = json.dumps([entry for entry in found if entry[0] == "function"])
        known["anchors"] = json.dumps(headings(self.document))
        for kind, word, _, anchor in found:
            if kind == "function":
                continue  # Sphinx finds these as objects
            self.document.append(addnodes.index(entries=[("single", word, anchor, "main", None)]))


def headings(document: nodes.document) -> list[str]:
    """The anchor of every section, in the order of the page."""
    return [section["ids"][0] for section in document.findall(nodes.section)]


def index_of_site(env: BuildEnvironment) -> Index:
    """That of ``bakeoff docs``, with addresses, and with the pages that Sphinx writes: functions, the gallery."""
    index = index_of(Path(env.srcdir))
    seen: Counter[int] = Counter()
    for number, (page, heading, _) in enumerate(index.sections):
        name = index.pages[page][0]
        anchors = json.loads(env.metadata.get(name, {}).get("anchors", "[]"))
        place = f"#{anchors[seen[page]]}" if heading and seen[page] < len(anchors) else ""
        index.sections[number] = (page, heading, f"{name}.html{place}")
        seen[page] += 1
    known = {name for name, _, _ in index.pages}
    for name in sorted(env.found_docs - known):
        title = env.titles[name].astext()
        section = index.add_section(index.add_page(name, title), "", f"{name}.html", "")
        index.add_phrase(title, "heading", section)
        for _, word, _, anchor in json.loads(env.metadata.get(name, {}).get("words", "[]")):
            index.sections[section] = (index.sections[section][0], "", f"{name}.html#{anchor}")
            whole = "." in word  # and is found as a whole only
            text = re.sub(r"[._]", "", word) if whole else word
            index.add_phrase(text, "function" if whole else "heading", section)
    return index


def finish(app: Sphinx, error: Exception | None) -> None:
    """Write the index; leave out what differs from build to build or is not read."""
    if error is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for unread in out.rglob("*.map"):  # of the theme's scripts and styles
        unread.unlink()
    (out / "_static" / "words.js").write_text(index_of_site(app.env).script(), encoding="utf-8")


def search_ours(app: Sphinx, page: str, *_: object) -> None:
    """The scripts of the page that searches."""
    if page == "search":
        for name in ("words.js", "find.js"):
            app.add_js_file(name, loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(IndexEntries)
    app.connect("html-page-context", search_ours)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
