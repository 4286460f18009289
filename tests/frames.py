"""A table of pandas as each library of data frames holds it."""

from typing import Any

import pandas as pd
import pytest


def in_polars(frame: pd.DataFrame) -> Any:
    import polars

    return polars.from_pandas(frame)


def in_pyarrow(frame: pd.DataFrame) -> Any:
    import pyarrow

    return pyarrow.Table.from_pandas(frame)


FRAMES: list[Any] = [
    lambda frame: frame,
    pytest.param(in_polars, marks=pytest.mark.needs("polars", "pyarrow")),
    pytest.param(in_pyarrow, marks=pytest.mark.needs("pyarrow")),
]
