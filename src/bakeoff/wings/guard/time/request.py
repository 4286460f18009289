"""The order of the commands in the JSON of a timing, every entry checked."""

from bakeoff.report.reading_back import check_object


def check_order(where: str, value: object) -> None:
    """Check the commands of each round in their order."""
    if value is not None:
        check_object(
            where,
            value,
            "a list of names",
            lambda names: isinstance(names, list) and all(isinstance(each, str) for each in names),
        )
