"""The bibliography: complete, well formed, and there for everything that is cited."""

import re
from pathlib import Path

import pytest

import bakeoff.report.references as references
from bakeoff.analyses.compare.reporting.citations import citations, known_names
from bakeoff.errors import UnknownNameError

FILE = Path(references.__file__).with_name("bibliography.bib")


def test_every_entry_of_the_file_is_read() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(references.bibliography()) == len(re.findall(r"^@", text, re.MULTILINE)) >= 30
    fields = sum(len(work.fields) for work in references.bibliography().values())
    assert fields == len(re.findall(r"^  \w+ = ", text, re.MULTILINE))


def test_every_work_has_what_a_reader_needs() -> None:
    for work in references.bibliography().values():
        assert {"author", "title", "year"} <= set(work.fields), work.key
        assert re.fullmatch(r"\d{4}", work.fields["year"])
        assert work.key.endswith(work.fields["year"])
        assert re.fullmatch(r"10\.\d{4,5}/\S+", work.fields.get("doi", "10.1000/x"))
        assert not set("{}\\") & set(work.text() + work.label), work.key


def test_everything_the_procedures_cite_exists() -> None:
    for name in known_names():
        assert citations(name)
        for key in citations(name) or ():
            assert references.reference(key).key == key


def test_labels() -> None:
    assert references.reference("friedman1937").label == "Friedman, 1937"
    assert references.reference("bergmannhommel1988").label == "Bergmann & Hommel, 1988"
    assert references.reference("derrac2011").label == "Derrac et al., 2011"
    assert references.reference("student1908").label == "Student, 1908"


def test_a_line_of_a_reference_list() -> None:
    assert references.reference("holm1979").text() == (
        "Holm, Sture (1979). A simple sequentially rejective multiple test procedure. "
        "Scandinavian Journal of Statistics 6(2):65–70."
    )
    assert "In Multiple Hypotheses Testing (eds. Bauer, Peter" in references.reference("bergmannhommel1988").text()


def test_bibtex_is_ascii_balanced_and_without_repeats() -> None:
    text = references.bibtex([*references.bibliography(), "holm1979"], "1.2.3")
    assert text.isascii()
    assert text.count("{") == text.count("}")
    assert text.count("@article{holm1979,") == 1
    assert r"Dem{\v{s}}ar, Janez" in text
    assert r"Garc{\'{\i}}a" in text
    assert "Version 1.2.3" in text


def test_an_unknown_key_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'holm1979'"):
        references.reference("holm1978")
