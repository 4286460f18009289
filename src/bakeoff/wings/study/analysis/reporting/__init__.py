"""Reports of a simulation study: a row for each method."""
