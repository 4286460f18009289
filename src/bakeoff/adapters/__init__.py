"""Results as other programs wrote them -> Scores.

``sources`` lists the files, ``formats`` recognises each by its signature, a file per format yields a ``measurement``
after another, ``measurements`` gathers them and chooses the metric, ``cells`` makes the table.
"""

from bakeoff.adapters._read_results import ONE, read_results, results_scores
from bakeoff.adapters.formats import FORMATS
from bakeoff.adapters.measurements import Measurements, read_measurements

__all__ = ["FORMATS", "ONE", "Measurements", "read_measurements", "read_results", "results_scores"]
