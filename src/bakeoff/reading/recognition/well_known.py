"""Names that everybody uses for a problem, or for an algorithm: they tell which way round a table is."""

import re
from collections import Counter
from collections.abc import Sequence


def _listed(names: str) -> frozenset[str]:
    return frozenset(names.split())


PROBLEMS = _listed(
    """aime alpacaeval arc arcc arcchallenge arce arceasy bbh boolq chartqa cmmlu commonsenseqa crowspairs docvqa gpqa
    gsm8k hellaswag hotpotqa humaneval ifeval lambada livecodebench longbench math500 mathqa mathvista mbpp medqa mgsm
    mixeval mmlu mmlupro mmmu mrpc msmarco mtbench multirc musr narrativeqa naturalquestions nq openbookqa obqa piqa
    pubmedqa qasper qnli qqp sciq siqa socialiqa squad squadv2 sst2 stsb superglue swebench textvqa triviaqa truthfulqa
    vqav2 wic winogrande winograd wnli wsc xnli
    caltech101 caltech256 cifar10 cifar100 cityscapes celeba ade20k fashionmnist imagenet mnist stl10 svhn tinyimagenet
    abalone adult australian balancescale breastcancer covertype diabetes ecoli germancredit glass haberman heart
    hepatitis ionosphere iris letter mushroom newthyroid pageblocks pendigits pima segment sonar soybean spambase
    tictactoe vehicle vowel wdbc winequality yeast zoo
    ackley alpine1 griewank levy michalewicz rastrigin rosenbrock schwefel zakharov
    alien amidar asterix asteroids beamrider breakout centipede enduro frostbite gravitar hero kangaroo montezumarevenge
    mspacman pong qbert riverraid roadrunner seaquest spaceinvaders venture videopinball cartpole halfcheetah hopper
    humanoid lunarlander mountaincar pendulum swimmer walker2d
    electricity etth1 etth2 ettm1 ettm2 exchangerate m4 tourism traffic weather
    """
)
ALGORITHMS = _listed(
    """adaboost bagging bayesnet c45 catboost decisiontree elasticnet extratrees gaussiannb gradientboosting gbdt gbm
    j48 knn lasso lda lgbm lightgbm lightgbmxt linearregression linearsvc logisticregression logreg mlp mlpclassifier
    naivebayes perceptron qda randomforest randomforestclassifier rf ridge ripper svc svm svr tabnet tabpfn xgb xgboost
    autogluon autosklearn autoweka flaml h2oautoml tpot
    alexnet bert cnn deberta densenet121 efficientnet electra gru inceptiontime lstm mobilenet minirocket resnet18
    resnet34 resnet50 resnet101 roberta rocket transformer unet vgg16 vgg19 vit
    a2c a3c c51 ddpg ddqn dqn dreamer dreamerv3 impala iqn muzero ppo qrdqn rainbow reinforce sac td3 trpo
    abc aco bipopcmaes bobyqa bohb cmaes cuckoosearch differentialevolution ga gwo hyperband jade lshade moead
    neldermead nsga2 nsgaii nsgaiii pso randomsearch sade shade simulatedannealing smac smac3 spea2 tpe woa
    cadical cbc clasp coinor cplex cvc4 cvc5 glpk glucose gurobi highs kissat lingeling maplesat minisat mosek ortools
    scip soplex xpress yices z3
    gpt4 gpt4o claude gemini llama mistral mixtral qwen
    arima autoarima autoets deepar ets nbeats patchtst prophet sarima seasonalnaive tft
    """
)
ENOUGH = 0.25
"""Share of the names from which the known ones speak for all."""

_MARKS, _BETWEEN = re.compile(r"[\W_]+"), re.compile(r"[\s_\-(/:,.]+")


def known_side(names: Sequence[str]) -> str | None:
    """What two known names or more say of all: ``problems``, ``algorithms``; None where they disagree."""
    sides = Counter(filter(None, map(_side, names[:1000])))
    if len(sides) != 1:
        return None
    [(side, count)] = sides.items()
    return side if count >= max(2, ENOUGH * min(len(names), 1000)) else None


def _side(name: str) -> str | None:
    """By the whole name, or its first part: ``ARC-C (25-shot)``, ``SVM (RBF)``."""
    lower = name.lower()
    if lower.isalnum():
        return "problems" if lower in PROBLEMS else "algorithms" if lower in ALGORITHMS else None
    for word in (_MARKS.sub("", lower), _BETWEEN.split(lower.strip(), maxsplit=1)[0]):
        if word in PROBLEMS or word in ALGORITHMS:
            return "problems" if word in PROBLEMS else "algorithms"
    return None
