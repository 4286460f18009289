from ._known_truth import KnownTruth as KnownTruth, known_truth as known_truth
from ._power import PowerStudy as PowerStudy, power as power
