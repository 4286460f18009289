"""A page shown inside of another one, such as a notebook."""

from __future__ import annotations

import html
import os
from pathlib import Path

from bakeoff.dataclass import dataclass
from bakeoff.files import write_bytes


@dataclass(frozen=True, slots=True, repr=False)
class FramedPage:
    """The result of ``result.explore()``: a notebook shows it, ``save`` writes it for a browser.

    In a notebook the page is in a frame of its own: its script reaches neither the notebook nor the network.
    """

    page: str
    height: int = 640

    def _repr_html_(self) -> str:
        """The page in a frame that may run its script and nothing else."""
        inner = html.escape(self.page, quote=True)
        frame = f'<iframe sandbox="allow-scripts" style="width: 100%; height: {self.height}px; border: 0"'
        return f'{frame} title="Report that can be checked and explored" srcdoc="{inner}"></iframe>'

    def __repr__(self) -> str:
        return f"<FramedPage: {len(self.page)} characters; a notebook shows it, .save('explore.html') writes it>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page, which needs no network: open it in a browser."""
        write_bytes(Path(path), self.page.encode())
