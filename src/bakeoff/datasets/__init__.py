"""The papers' tables as scores, each with its direction and its source.

================  ==================================================  ===========  ========
name              what                                                size         better
================  ==================================================  ===========  ========
derrac_cec2005    mean error of 9 evolutionary and swarm algorithms   25 × 9       lower
                  on the CEC'2005 functions
demsar_2006       AUC of 4 variants of C4.5                           14 × 4       higher
garcia_2010       accuracy of 4 classifiers                           24 × 4       higher
================  ==================================================  ===========  ========

``bo.compare`` and every other function that takes a table reads them by name: ``bo.compare("derrac_cec2005")``.
Where each number comes from, and what was repaired, is told in README.md beside the files.
"""

import lazy_loader

from bakeoff import checks

_load, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = checks.names_suggested(_load, __name__, __all__)


def __dir__() -> list[str]:
    """The functions; the classes of their results are found beside them."""
    return [name for name in __all__ if name.islower()]
