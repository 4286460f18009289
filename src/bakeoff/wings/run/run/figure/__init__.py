"""Layout of the diagrams of an experiment's report."""
