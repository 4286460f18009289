"""Results that can be reported: ``save``, ``to_dict`` and ``to_frame`` for every kind of result.

A result lies far below the report that renders it. It asks for the writer that the package root installs, so that no
module of the package has to import upwards, or by name. Imports nothing: the package root loads it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Any, ClassVar, Protocol

    from bakeoff.framed import FramedPage

    class Writer(Protocol):
        """The part of ``bakeoff.report`` that results call."""

        def save(self, result: Any, path: str | os.PathLike[str], command: str | None = None) -> None: ...

        def to_dict(self, result: Any, command: str | None = None) -> dict[str, Any]: ...

        def pairs_frame(self, result: Any) -> Any: ...

        def verdict(self, result: Any) -> str: ...

        def estimand(self, result: Any) -> str: ...

        def page(self, result: Any) -> str: ...

        def fragment(self, result: Any) -> str: ...

        def render(self, result: Any, format: str, command: str | None = None) -> str: ...

        def methods_paragraph(self, result: Any, key: str = "methods") -> str: ...

        def explore(self, result: Any, height: int = 640) -> FramedPage: ...

        def plot(self, result: Any, ax: Any = None, **options: Any) -> Any: ...


LONGEST = 100  # characters of a verdict in a repr

_writer: Callable[[], Writer] | None = None


def install(writer: Callable[[], Writer]) -> None:
    """Called once, by the package root, with a function that loads the report."""
    global _writer
    _writer = writer


def _installed() -> Writer:
    assert _writer is not None, "bakeoff/__init__.py installs the writer"
    return _writer()


class Reportable:
    """A result with a report. ``kind`` is the folder of ``bakeoff.report`` that describes it."""

    __slots__ = ()
    kind: ClassVar[str]

    @property
    def verdict(self) -> str:
        """The sentence to remember, as every report begins."""
        return _installed().verdict(self)

    @property
    def estimand(self) -> str:
        """What the numbers are about and what counts equally, as the second line of every report says it."""
        return _installed().estimand(self)

    @property
    def decision(self) -> str | None:
        """A word for scripts: "difference", "equal", "not worse", "none" or "cannot tell"; None: nothing is decided."""
        return None

    def __str__(self) -> str:
        """The page that the command line prints, 80 columns wide."""
        return _installed().page(self)

    def __repr__(self) -> str:
        words = " ".join(self.verdict.split())
        return f"<{type(self).__name__}: {words if len(words) <= LONGEST else words[: LONGEST - 1] + '…'}>"

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, the diagram and the tables of the page."""
        return _installed().fragment(self)

    def to_frame(self) -> Any:
        """One row per pair, or candidate of a race, as a data frame (pandas if installed, else polars)."""
        return _installed().pairs_frame(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, strings and lists, as written by ``--json``: never NaN or infinity."""
        return _installed().to_dict(self)

    @property
    def methods(self) -> str:
        """The paragraph for a paper that says how it was computed, citations written out; empty where there is none."""
        return _installed().methods_paragraph(self)

    @property
    def in_short(self) -> str:
        """The same in some sixty words, with the verdict; empty where there is none."""
        return _installed().methods_paragraph(self, "in-short")

    def to_latex(self) -> str:
        """The report as LaTeX: figures, tables and the methods paragraph, to be read by ``\\input``."""
        return _installed().render(self, "tex")

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Draw the diagram into Axes of matplotlib, new ones without ``ax``, and return them.

        ``options`` are those of ``bo.diagram``, which returns the drawing itself.
        """
        return _installed().plot(self, ax, **options)

    def explore(self, height: int = 640) -> FramedPage:
        """The report with its check and its "what if", for a notebook; ``.save(path)`` writes it for a browser.

        ``height`` is that of the frame, in pixels. The frame is sandboxed: names in the table run nothing.
        """
        return _installed().explore(self, height)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a report, the diagram, or a table of the pairs; the suffix of ``path`` picks the format."""
        _installed().save(self, path)
