"""Any source as named columns, before anybody asks what they hold."""

from collections.abc import Mapping
from typing import Any

from bakeoff.errors import WrongTypeError
from bakeoff.reading.columns import frame_table
from bakeoff.reading.files import Digest, no_digest
from bakeoff.reading.lazy_frames import as_lazy, collected
from bakeoff.reading.many_files import source_table
from bakeoff.reading.table import SourceTable
from bakeoff.reading.wrapped_columns import with_combined


def table_of(
    source: Any, named: Mapping[str, str | None], decimal: str = "auto", sheet: str | None = None
) -> tuple[SourceTable, Digest, dict[str, str | None]]:
    """The columns, what gives the sha256 of the files, and which columns hold what; a lazy frame is collected."""
    lazy = as_lazy(source)
    if lazy is not None:
        return with_combined(frame_table(collected(lazy)), named), no_digest, dict(named)
    table, digest, named, _ = source_table(source, named, decimal, sheet)
    if table is None:
        rule = "must be a table with named columns: a file, a data frame, a dict of columns; got an array"
        raise WrongTypeError(rule, parameter="source")
    return with_combined(table, named), digest, dict(named)
