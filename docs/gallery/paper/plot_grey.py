"""
Emphasis, grey print, dark slides
=================================

A figure must survive a grey printer, and a dark slide. Emphasis is by weight and colour together, verdicts by shape.
"""

import bakeoff as bo

result = bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE")
drawing = bo.diagram(result, highlight="SaDE")
bo.diagram(result, highlight="SaDE")


# %%
# The same through a grey printer: nothing is lost.


class Filtered:
    """An SVG with a filter of CSS, for browsers and slides in HTML."""

    def __init__(self, filter: str) -> None:
        self.filter = filter

    def _repr_svg_(self) -> str:
        return drawing._repr_svg_().replace("<svg ", f'<svg style="filter: {self.filter}" ', 1)


Filtered("grayscale(1)")

# %%
# On a dark slide: lightness turned round, hues kept.

Filtered("invert(1) hue-rotate(180deg)")
