from ._race import RaceStudy as RaceStudy
from ._race import race as race
from ._race_errors import RaceErrors as RaceErrors
from ._race_errors import race_errors as race_errors
