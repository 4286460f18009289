"""One file per foreign result format -> Scores. None yet: CSV, data frames and JSON are read by bakeoff.reading."""
