"""``bo.run_part``: the share of one of several machines."""

import os
from typing import Any

from bakeoff.errors import ParameterError
from bakeoff.wings.run._run import make_runs
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.parts import ExperimentPart
from bakeoff.wings.run.executors.protocol import Executor
from bakeoff.wings.run.progress import Listener
from bakeoff.wings.run.store.opening import store_path
from bakeoff.wings.run.store.status import StoreStatus, read_status


def run_part(
    experiment: Experiment,
    part: str,
    store: str | os.PathLike[str],
    executor: str | Executor = "serial",
    workers: int | None = None,
    progress: Listener | None = None,
    *,
    accept_changed: bool = False,
    **options: Any,
) -> StoreStatus:
    """Has each of several machines its own share of an experiment? Make the runs of one share.

    For the jobs of an array, which need no connection to each other: each has a store of its own, and
    ``bo.merge_stores`` puts them together. The scores are those of ``bo.run``. A part has every N-th problem in the
    order drawn, so N is at most the number of problems. Not for races and sequential experiments, which stop by the
    runs of all problems.

    Parameters
    ----------
    experiment : Experiment
        What to run, the whole of it.
    part : str
        ``"3/40"``: part 3 of 40.
    store : path
        The SQLite file of this part; created if absent, otherwise resumed.
    executor : {"serial", "processes", "command", "dask"} or Executor, optional
        Where runs happen, as in ``bo.run``.
    workers : int, optional
        How many runs at a time.
    progress : callable, optional
        Called about ten times a second with a ``Progress``.
    accept_changed : bool
        Resume although code or problems have changed; a caution says so.
    **options
        Of the executor, and ``stop_within``.

    Returns
    -------
    StoreStatus
        ``.state`` is "finished"; ``.n_problems``, ``.n_runs`` and ``.n_conflicts`` are those of the part.

    Raises
    ------
    ParameterError
        There is no such part, or the experiment cannot be divided.
    StoreError, RunFailedError, KeyboardInterrupt
        As from ``bo.run``. The store holds another part.

    Examples
    --------
    >>> import tempfile, bakeoff as bo
    >>> algorithms = {"a": lambda p, rng: p + rng.normal(), "b": lambda p, rng: p}
    >>> e = bo.Experiment(algorithms, [1.0, 2.0, 3.0], better="lower", seed=1, runs=5)
    >>> part = bo.run_part(e, "1/2", f"{tempfile.mkdtemp()}/part-1.sqlite")
    >>> part.state, part.n_problems, part.n_runs
    ('finished', 2, 20)
    """
    own = ExperimentPart.from_text(part)
    path = store_path(store)
    if path is None:
        raise ParameterError("must be a file; the parts are merged from files", parameter="store")
    make_runs(experiment, path, executor, workers, progress, options, accept_changed, own)
    return read_status(path)
