"""What is said while an experiment or a race runs: on a terminal, by ``bakeoff status``, and on the local page."""
