"""Is a report what its scores give? Everything computed again from the JSON of ``compare`` or ``bayes``, and compared.

``parsing`` reads the JSON, and ``report.repeated`` of the core computes it again; ``tables`` compares two tables of
scores, ``values`` two reports, value by value.
"""
