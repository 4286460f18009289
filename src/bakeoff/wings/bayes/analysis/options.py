"""The options of ``bakeoff bayes`` as a call of the library."""

from typing import Any

from bakeoff.checks import choice
from bakeoff.cli.call import Call
from bakeoff.errors import ParameterError


def call_bayes(call: Call) -> Any:
    """Compute the overview or, by ``--method``, the model of rankings; of the folds of one data set their test."""
    if len(names := call.arguments.get("prior", ())) == 1:  # one word, not a ranking
        call.arguments["prior"] = names[0]
    method = choice("method", call.arguments.pop("method", "overview"), ("overview", "plackett-luce"))
    if method == "overview":
        return _overview(call)
    import bakeoff as bo

    for name in ("control", "a", "b", "rope", "prior", "recipe"):
        if name in call.arguments:
            why = "--only NAME compares some algorithms alone" if name in ("control", "a", "b") else "leave it out"
            raise ParameterError(f"--{name} belongs to --method overview; with plackett-luce {why}")
    return call.result(analyse=bo.bayes.plackett_luce)


def _overview(call: Call) -> Any:
    """Read the scores, and select --a and --b if given."""
    arguments = call.arguments
    two = [arguments.pop(name) for name in ("a", "b") if name in arguments]
    if len(two) == 1:
        raise ParameterError("--a and --b name the two algorithms to compare: give both")
    if two and two[0] == two[1]:
        raise ParameterError(f"--a and --b must name two different algorithms; both are {two[0]!r}")
    if two and "control" in arguments:
        raise ParameterError(
            "--control shows pairs of the whole table, --a and --b compare one pair alone; give one of them"
        )
    scores = call.scores()
    if two:
        for name, parameter in zip(two, ("a", "b"), strict=True):
            scores.index(name, parameter)  # names the option of an unknown name
        scores = scores.select(algorithms=two)
    if not scores.is_one_data_set:
        return call.result(scores)
    import bakeoff as bo

    for name in ("prior", "prior_strength", "recipe", "n_draws", "rng"):
        if name in arguments:
            option = {"n_draws": "draws", "rng": "seed"}.get(name, name.replace("_", "-"))
            rule = f"--{option} is of several problems. The folds of one data set have no prior to choose and no draws"
            raise ParameterError(f"{rule}: leave it out")
    return call.result(scores, bo.bayes.folds)
