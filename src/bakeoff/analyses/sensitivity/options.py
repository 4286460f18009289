"""The options of ``bakeoff sensitivity`` as arguments."""

from typing import Any

from bakeoff.analyses.compare.options import compared
from bakeoff.cli.call import Call


def examined(call: Call) -> Any:
    """Compare with the options of ``compare``, and examine the verdicts."""
    import bakeoff as bo

    own = {name: call.arguments.pop(name) for name in ("n_resamples", "rng") if name in call.arguments}
    return bo.sensitivity(compared(call), **own, progress=call.progress)
