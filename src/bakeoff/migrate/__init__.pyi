from . import aeon as aeon, baycomp as baycomp, orange as orange, scikit_posthocs as scikit_posthocs
from ._autorank import RankResult as RankResult, autorank as autorank
from .aeon import plot_critical_difference as plot_critical_difference
from .baycomp import two_on_multiple as two_on_multiple, two_on_single as two_on_single
from .delivery import MigrationWarning as MigrationWarning
from .orange import compute_CD as compute_CD, graph_ranks as graph_ranks
from .scikit_posthocs import (
    critical_difference_diagram as critical_difference_diagram,
    posthoc_conover_friedman as posthoc_conover_friedman,
    posthoc_demsar as posthoc_demsar,
    posthoc_durbin as posthoc_durbin,
    posthoc_miller_friedman as posthoc_miller_friedman,
    posthoc_nemenyi_friedman as posthoc_nemenyi_friedman,
    posthoc_quade as posthoc_quade,
    posthoc_siegel_friedman as posthoc_siegel_friedman,
    posthoc_wilcoxon as posthoc_wilcoxon,
)
