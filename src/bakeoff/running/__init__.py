"""Running an experiment: which run next, where it runs, and where its result is kept."""
