"""Where a concave function is largest, by Newton's method; several functions at once."""

from collections.abc import Callable

import numpy as np

from bakeoff.scores.cells import Array

NEWTON_STEPS = 100


def find_maximum(
    x: Array, value_and_gradient: Callable[[Array], tuple[Array, Array]], curvature: Callable[[Array], Array]
) -> Array:
    """From (g, d) starting points; a step that does not climb enough is halved. ``curvature`` is minus the Hessian."""
    value, gradient = value_and_gradient(x)
    for _ in range(NEWTON_STEPS):
        step = np.linalg.solve(curvature(x), gradient[..., None])[..., 0]
        climb = (step * gradient).sum(axis=1)
        if (climb < 1e-20).all():
            break
        for _ in range(30):
            new, slope = value_and_gradient(x + step)
            short = ~(new >= value + 1e-4 * climb - 1e-12 * np.abs(value))
            if not short.any():
                break
            step[short] /= 2.0
            climb[short] /= 2.0
        x, value, gradient = x + step, new, slope
    return x
