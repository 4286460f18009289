"""Diagrams of results: critical difference diagrams, ranked lists, posteriors, races, power curves.

``diagram`` lays out shapes; ``to_svg`` and ``to_tikz`` write them as text, ``save`` as a file. matplotlib is imported
only to save a .png or .pdf, and to draw into Axes.
"""

from bakeoff.figures._diagram import Drawing as Drawing, diagram as diagram
from bakeoff.figures.backends.svg import to_svg as to_svg
from bakeoff.figures.backends.tikz import to_tikz as to_tikz
from bakeoff.figures.writing import SUFFIXES as SUFFIXES, file_content as file_content, save as save
