"""Options of ``bakeoff run`` and ``bakeoff race``: where runs happen and are stored."""

from bakeoff.parameter import Parameter


def running_options(store: str, independent: str) -> tuple[Parameter, ...]:
    """--store, --workers, --executor, --accept-changed, --fresh, --address; ``store`` is the default path."""
    return (
        Parameter("store", "Where runs are stored", usual=f"{store} beside the file", metavar="PATH"),
        Parameter("workers", f"Runs at a time. Default: 1. {independent} does not depend on it", int),
        Parameter(
            "executor",
            "Where runs happen: processes (default; command where all algorithms are programs), dask, or serial: in "
            "this process",
        ),
        Parameter(
            "accept_changed", "Resume although code or problems changed since the first start; a caution says so", bool
        ),
        Parameter("fresh", "Start with an empty store; an existing one is kept under another name", bool),
        Parameter(
            "stop_within",
            "After Ctrl-C or SIGTERM, wait at most this long for the current runs",
            float,
            usual="until they end",
            metavar="SECONDS",
        ),
        Parameter("address", "Address of a dask scheduler, with --executor dask", metavar="ADDRESS"),
    )
