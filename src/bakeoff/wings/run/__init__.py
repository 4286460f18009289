"""Running an experiment: which run comes next, where it runs, and where its result is kept.

The floors, each importing only from those before it: ``commands`` (foreign programs), ``design``, ``schedulers``,
``executors``, ``store``, ``sequential``, ``analysis``; above them ``loop``, ``verification``, ``_run`` and ``_race``.
Nothing is imported here: a worker process loads only what performs a run.
"""
