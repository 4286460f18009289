"""For sphinx-gallery: what ``bo.diagram`` returns at the end of a block becomes the picture of the block."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx_gallery.scrapers import figure_rst


def scraper(block: tuple[Any, ...], block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """The drawing that is the block's last expression, as an SVG file; reStructuredText that shows it, or nothing."""
    del block
    names = block_vars["example_globals"]
    shown = names.get("___")
    names["___"] = None  # sphinx-gallery keeps it when the next block ends with a statement
    if not hasattr(shown, "_repr_svg_"):
        return ""
    path = Path(next(block_vars["image_path_iterator"])).with_suffix(".svg")
    path.write_text(enlarged(shown._repr_svg_()), encoding="utf-8")
    described = getattr(shown, "title", "") or Path(block_vars["src_file"]).stem.removeprefix("plot_")
    return str(figure_rst([str(path)], gallery_conf["src_dir"], fig_titles=described))


def enlarged(svg: str, factor: float = 1.4) -> str:
    """Type of 7 points, made for print, at a size for the screen."""
    head, _, rest = svg.partition(">")
    wider = re.sub(r'\b(width|height)="([\d.]+)', lambda found: f'{found[1]}="{float(found[2]) * factor:.6g}', head)
    return f"{wider}>{rest}"


def _get_sg_image_scraper() -> Any:
    """How sphinx-gallery finds it: ``image_scrapers = ("drawings",)`` with this folder on the path."""
    return scraper
