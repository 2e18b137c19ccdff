"""Results are stored whole or not at all, and only for the same options."""

import os

import pytest

from local_runner.errors import RunnerError
from workshop.lab.study.journal import open_journal

TERMS = {"seed": 1, "names": ["a"]}


def kept(path):
    with open_journal(path, TERMS) as journal:
        return dict(journal.results)


def test_results_come_back(tmp_path):
    path = tmp_path / "new" / "results.jsonl"
    with open_journal(path, TERMS) as journal:
        journal.add(("a", 1), {"nodes": 3})
        journal.add(("b", 2), {"nodes": 4.5})
        assert len(path.read_text().splitlines()) == 3  # written at once
        assert journal.head["terms"] == TERMS and journal.head["header"]["python"]
        head = journal.head
    assert kept(path) == {("a", 1): {"nodes": 3}, ("b", 2): {"nodes": 4.5}}
    with open_journal(path, TERMS) as journal:
        assert journal.head == head


@pytest.mark.parametrize("lost", [1, 20, 35])
def test_a_line_without_its_end_is_cut_off(lost, tmp_path):
    path = tmp_path / "results.jsonl"
    with open_journal(path, TERMS) as journal:
        journal.add(("a", 1), {"nodes": 3})
        journal.add(("b", 2), {"nodes": 12345678})
    os.truncate(path, path.stat().st_size - lost)
    assert kept(path) == {("a", 1): {"nodes": 3}}
    with open_journal(path, TERMS) as journal:
        journal.add(("b", 2), {"nodes": 5})
    assert kept(path) == {("a", 1): {"nodes": 3}, ("b", 2): {"nodes": 5}}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"header": {}, "terms": {"seed": 2}}\n', "holds results with other options"),
        ("nonsense\n", "not the file of a study"),
        ('{"a": 1}\n', "not the file of a study"),
        ('{"terms": {"seed": 1, "names": ["a"]}}\n{"nodes": 3}\n', "not the file of a study"),
        ("[1]\n[2]\n", "not the file of a study"),
    ],
)
def test_other_files_are_refused_and_left_alone(text, sentence, tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text(text)
    with pytest.raises(RunnerError, match=sentence):
        kept(path)
    assert path.read_text() == text


def test_what_is_known_is_not_measured_again(tmp_path):
    """A task may use the results before it."""
    measured = []

    def tasks(journal, most):
        for number in range(most):
            before = journal.results[number - 1,]["sum"] if number else 0
            yield (number,), lambda number=number, before=before: measured.append(number) or {"sum": before + number}

    for most in (3, 5):
        with open_journal(tmp_path / "results.jsonl", TERMS) as journal:
            journal.measure(tasks(journal, most), most, "sums")
            assert [result["sum"] for result in journal.results.values()] == [0, 1, 3, 6, 10][:most]
    assert measured == [0, 1, 2, 3, 4]
