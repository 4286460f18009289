"""Where runs are kept: one SQLite file, written by the coordinator alone.

``schema`` the tables, ``opening`` connections, ``beginning`` what a new or an old store needs, ``writing`` the
coordinator's side, ``contents`` what a reader sees,
``verifying`` every decision taken again, ``exporting`` CSV and Parquet.
"""

from bakeoff.running.store.beginning import open_store as open_store
from bakeoff.running.store.writing import Kept as Kept
from bakeoff.running.store.writing import Open as Open
from bakeoff.running.store.writing import Store as Store
