"""Live tables on stderr while an experiment or a race runs."""
