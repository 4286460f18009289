"""Simulated races, where the truth is known: whom a rule chooses, and how often it eliminates a best candidate.

``docs/trust/racing.md`` is measured with them, and the cautions of rules without a guarantee.
"""

from benchmarks.races.choosing import RaceStudy as RaceStudy, race as race
from benchmarks.races.errors import RaceErrors as RaceErrors, race_errors as race_errors
