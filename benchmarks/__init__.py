"""Speed, accuracy and memory: ``python -m benchmarks`` measures every promised figure.

Each figure is a :class:`~benchmarks.model.Case` in the file of ``cases/`` named after its benchmark: what is measured,
the goal, and the peers (what a user would run instead), timed alternately with ours. No time is asserted.
"""
