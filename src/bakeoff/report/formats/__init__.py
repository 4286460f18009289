"""One writer per format; each renders the same Document."""
