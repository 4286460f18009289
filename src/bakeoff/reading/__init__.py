"""Files and data frames -> Scores.

``number_parsing`` decides what a number is, ``text`` reads delimited text with line numbers, ``columns`` typed columns,
``files`` picks the format, ``layout`` arranges columns as cells, ``missing`` applies ``missing=``.
"""

from bakeoff.packages import make_frame
from bakeoff.reading._read_scores import read_scores

__all__ = ["make_frame", "read_scores"]
