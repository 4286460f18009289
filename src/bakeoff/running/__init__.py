"""Running an experiment: which run next, where it runs, and where its result is kept.

Nothing is imported here: a worker process loads only what performs a run.
"""
