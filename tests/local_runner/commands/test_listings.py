"""`--json` of the commands that list something: the JSON follows its schema, which docs/ has."""

import json

import msgspec
import pytest

from env_adapter import names
from local_runner.agents.catalogue import BUILT_INS
from local_runner.command_line import listings
from local_runner.processes import doctor
from local_runner.processes.doctor import Finding
from local_runner.processes.engine.levels import LEVELS
from workshop.page import doc_tables

FINDINGS = [Finding("bubblewrap", False, "not installed", decides=False), Finding("an agent", True, "has no network")]


@pytest.fixture(autouse=True)
def examined(monkeypatch):
    monkeypatch.setattr(doctor, "examine", lambda: FINDINGS)


@pytest.mark.parametrize("name", listings.LISTINGS)
def test_json_follows_its_schema_and_may_go_into_a_file(name, tengen, tmp_path):
    code, out, err = tengen(name, "--json")
    assert (code, err) == (0, "")
    msgspec.json.decode(out, type=listings.LISTINGS[name])
    code, table, err = tengen(name, "--json", "all.json")
    assert (code, err) == (0, "") and (tmp_path / "all.json").read_text() == out
    assert table == tengen(name)[1]
    assert tengen("--lang", "zh", name, "--json")[1] == out


def test_what_they_list(tengen):
    found = json.loads(tengen("opponents", "--json")[1])
    assert [each["name"] for each in found["agents"]] == list(BUILT_INS) and len(found["levels"]) == len(LEVELS)
    assert found["agents"][0]["games"] == names() and found["agents"][0]["options"]["depth"] is None
    games = {each["name"]: each for each in json.loads(tengen("games", "--json")[1])["games"]}
    assert list(games) == names() and games["reversi_1v1"]["in_a_row"] is None
    assert (games["gobang_1v1"]["rows"], games["gobang_1v1"]["in_a_row"], games["gobang_1v1"]["platform"]) == (
        15,
        5,
        "jidi",
    )
    assert json.loads(tengen("doctor", "--json")[1]) == {"good": True, "findings": [vars(each) for each in FINDINGS]}


def test_doctor_fails_by_what_decides(tengen, monkeypatch):
    monkeypatch.setattr(doctor, "examine", lambda: [*FINDINGS, Finding("an agent", False, "has no network")])
    code, out, _ = tengen("doctor", "--json")
    assert code == 1 and json.loads(out)["good"] is False


def test_the_schemas_in_docs_are_those_of_the_code():
    made = doc_tables.schemas()
    assert {path.name: path.read_text("utf-8") for path in doc_tables.SCHEMAS.iterdir()} == made
