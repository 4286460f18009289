"""NumPy with one thread of linear algebra, for commands that compute in this process."""

import os
import sys

_OPENBLAS = "OPENBLAS_NUM_THREADS"
_SAID = (_OPENBLAS, "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def load_numpy() -> None:
    """Load NumPy with one thread of OpenBLAS, unless the user has said how many.

    To start the other threads takes a third of the time of ``import numpy``. No command multiplies matrices so large
    that they would save as much. OpenBLAS reads the variable while NumPy is loaded. It is gone afterwards, so that a
    program that a command runs or times never inherits it.
    """
    if "numpy" in sys.modules or any(name in os.environ for name in _SAID):
        return
    os.environ[_OPENBLAS] = "1"
    try:
        import numpy  # noqa: F401
    finally:
        del os.environ[_OPENBLAS]
