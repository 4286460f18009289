from ._race import RaceStudy as RaceStudy, race as race
from ._race_errors import RaceErrors as RaceErrors, race_errors as race_errors
