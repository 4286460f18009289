"""Running an experiment: which run comes next, where it runs, and where its result is kept.

The floors, each importing only from those before it: ``racing``, ``design``, ``schedulers``, ``executors``, ``store``,
``sequential``, ``analysis``; above them ``loop``, ``verification``, ``_run``, ``_race`` and the commands.
Nothing is imported here: a worker process loads only what performs a run.
"""
