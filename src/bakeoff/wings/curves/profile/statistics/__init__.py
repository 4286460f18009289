"""Performance and data profiles: on which share of the problems is each algorithm how near to the best?

``distances`` has how far each score is from the best of its problem, ``curves`` the step functions of these, their
simultaneous bands and the test of two, ``_profile`` the pairs whose order depends on a third.
"""

from bakeoff.wings.curves.profile.statistics._profile import (
    OrderFlip as OrderFlip,
    Profile as Profile,
    profile as profile,
)
from bakeoff.wings.curves.profile.statistics.curves import SwapTest as SwapTest
