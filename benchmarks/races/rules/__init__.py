"""Racing rules that the package does not offer, and docs/trust/racing.md compares with those that it does."""

from collections.abc import Mapping

from bakeoff.wings.run.racing.rules import RULES
from bakeoff.wings.run.racing.rules.rule import Rule
from benchmarks.races.rules.e_rank import RankRace
from benchmarks.races.rules.irace import IteratedRace
from benchmarks.races.rules.wilcoxon import SignedRankRace

STUDIED: Mapping[str, type[Rule]] = {**RULES, **{rule.name: rule for rule in (RankRace, IteratedRace, SignedRankRace)}}
"""Every rule, by name: of the package, and those here."""
