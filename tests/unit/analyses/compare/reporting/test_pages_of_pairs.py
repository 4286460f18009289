"""What a reader meets in the tables of pairs and groups: differences that are positive, and every group."""

import numpy as np

import bakeoff as bo
from bakeoff.analyses.compare.reporting import document as comparison_document
from document_tables import table_in

VALUES = np.random.default_rng(11).normal(size=(30, 6)) + np.array([0.0, 0.1, 0.2, 2.0, 4.0, 4.1])


def test_undecided_pairs_are_listed_so_that_the_difference_is_positive():
    """They stood in the order of the columns: "SVM – Ours −0.028"."""
    found = bo.compare(bo.Scores(VALUES, better="higher"))
    table = table_in(comparison_document.REPORT.document(found), "pairs")
    place = [column.key for column in table.columns].index("effect")
    undecided = [row.cells for row in table.rows if "no difference shown" in row.cells]
    assert len(undecided) > 1
    assert [cells for cells in undecided if cells[place].startswith("−")] == []
    for cells in undecided:  # wins and losses, and the names, are turned with it
        pair = found.pair(cells[0], cells[1])
        assert f"{pair.wins} / {pair.ties} / {pair.losses}" in cells


def test_every_group_of_the_ranking_is_named():
    """The letter of an algorithm that differs from all others was missing below "Groups not shown to differ"."""
    found = bo.compare(bo.Scores(VALUES, better="higher"))
    section = comparison_document.REPORT.document(found).section("groups")
    items = [item for block in section.blocks for item in block.items]
    assert [term for term, _, _ in items] == list("abcdefgh"[: len(found.groups)])
    assert [text for _, text, _ in items if text.endswith(" alone")]
