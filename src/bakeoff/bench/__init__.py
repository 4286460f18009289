"""How fast, how exact, how large: ``python -m bakeoff.bench`` measures every figure this package promises.

Each figure is a :class:`~bakeoff.bench.model.Case` in one of the small files of ``cases/``: what is measured, the goal,
and the peers (what a user would pick instead), which are timed in turn with ours. Nothing here asserts a time.
"""
