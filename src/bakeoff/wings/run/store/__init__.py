"""The store of runs: one SQLite file, written by the coordinator alone.

``opening``: tables, checksums, connections; ``create``: creating or resuming a store; ``writing``: commits;
``contents``: reading, as Scores too; ``exporting``: CSV and Parquet.
"""

from bakeoff.wings.run.store.create import open_store as open_store
from bakeoff.wings.run.store.writing import CommittedRun as CommittedRun, OpenProblem as OpenProblem, Store as Store
