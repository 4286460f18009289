from ._known_truth import KnownTruth as KnownTruth, known_truth as known_truth
from ._power import PowerStudy as PowerStudy, power as power
from ._race import RaceStudy as RaceStudy, race as race
from ._race_errors import RaceErrors as RaceErrors, race_errors as race_errors
