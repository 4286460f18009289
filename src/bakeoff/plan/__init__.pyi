from ._check import CheckPlan as CheckPlan, PlannedPairs as PlannedPairs, check as check
from ._curve import PowerCurve as PowerCurve, curve as curve
from ._instances import InstancePlan as InstancePlan, instances as instances
from ._power import detectable as detectable, power as power, significance as significance
from ._question_variance import QuestionVariance as QuestionVariance, question_variance as question_variance
from ._questions import QuestionPlan as QuestionPlan, questions as questions
from ._repetitions import RepetitionPlan as RepetitionPlan, repetitions as repetitions
from ._variance_components import VarianceComponents as VarianceComponents, variance_components as variance_components
