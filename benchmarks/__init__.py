"""How fast, how exact, how large: ``python -m benchmarks`` measures every figure this package promises.

Each figure is a :class:`~benchmarks.model.Case` in one of the small files of ``cases/``: what is measured, the goal,
and the peers (what a user would pick instead), which are timed in turn with ours. Nothing here asserts a time.
"""
