"""A store's contents as Scores, for every analysis."""

from bakeoff.errors import ScoreError, StoreError
from bakeoff.scores import Scores
from bakeoff.wings.run.design.clusters import clusters_in
from bakeoff.wings.run.design.settings import Statistic
from bakeoff.wings.run.schedulers.score_table import can_be_measured, table_of
from bakeoff.wings.run.store.contents import Contents


def scores_of(contents: Contents, statistic: Statistic | None = None) -> Scores:
    """The finished problems, in the experiment's order; unfinished ones are named in ``.dropped``.

    Cells are means over runs, or values of the experiment's statistic, in which case ``.runs`` is None. ``statistic``
    is needed only if it is a function, which a store does not contain.
    """
    if contents.spec.get("race") is not None:
        raise ScoreError(
            "this store holds a race: eliminated candidates have no scores on later problems, and the survivors were "
            "selected by theirs, so any comparison would be biased. `bakeoff race` shows its result; to compare "
            "candidates, run them on other problems (bakeoff run)"
        )
    done = [i for i in contents.instances if i.done]
    if not done:
        raise ScoreError("no problem of this experiment is finished yet: there are no scores to compare")
    used = statistic or stored_statistic(contents)
    values = contents.values()
    usable = [i for i in done if can_be_measured(used, values[i.position])]
    usable = usable or done  # if none, the error below says what fails
    kept = {i.position for i in usable}
    inside = clusters_in(contents.spec)
    return table_of(
        [values[i.position] for i in usable],
        [i.name for i in usable],
        contents.algorithms,
        used,
        contents.spec["better"],
        (*contents.unfinished, *(i.name for i in done if i.position not in kept)),
        None if inside is None else [inside[i.name] for i in usable],
    )


def stored_statistic(contents: Contents) -> Statistic:
    repetitions = contents.spec["repetitions"]
    name = "mean" if repetitions is None else repetitions["statistic"]
    if name == "mean" or name == "median":
        return "mean" if name == "mean" else "median"
    raise StoreError(
        f"this experiment compares {name!r}, a function that the store does not hold; use Python, "
        "bo.run(experiment, store=...).scores, which repeats no finished run"
    )
