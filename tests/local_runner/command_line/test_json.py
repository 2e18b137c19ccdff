"""The output of `--json` follows the JSON Schemas in docs/, and is English in every language."""

import json

import jsonschema
import msgspec
import pytest
from typer.main import get_command

from env_adapter import names
from local_runner.agents.catalogue import BUILT_INS
from local_runner.command_line import listings
from local_runner.command_line.commands import cli
from local_runner.game.codec import as_json
from local_runner.processes import doctor
from local_runner.processes.doctor import Finding
from local_runner.processes.engine.levels import LEVELS
from tests.local_runner.processes.naughty import path_of
from workshop.page import doc_tables

GAME = ("--env", "tictactoe_1v1", "--games", 2)
SHORT = ("--env", "tictactoe_1v1", "--rounds", 1, "--quiet")
LATENCY = ("--env", "tictactoe_1v1", "--calls", 2, "--quiet")

COMMANDS = [  # schema, arguments
    ("match", ("match", "tengen:seconds=0.02", "random", *GAME, "--out", "logs")),
    ("match", ("match", path_of("raiser"), "random", "--env", "reversi_8x8_1v1", "--games", 1)),
    ("match", ("match", "greedy", "greedy", *GAME, "--no-limits", "--lenient")),
    ("tournament", ("tournament", "greedy", "random", path_of("first_free"), *SHORT, "--out", "t.jsonl")),
    ("tournament", ("tournament", path_of("raiser"), "random", *SHORT, "--out", "r.jsonl")),
    ("tournament", ("sprt", "greedy", "random", *SHORT, "--out", "s.jsonl")),
    ("check", ("check", path_of("first_free"), "--env", "tictactoe_1v1", "--quick")),
    ("check", ("check", path_of("raiser"), "--env", "tictactoe_1v1", "--quick")),
    ("analyse", ("analyse", "h8i9h9i8h10i10h7i7h6", "--whole", "--seconds", "0.02")),
    ("analyse", ("analyse", "f5d6c3", "--whole", "--seconds", "0.02", "--env", "reversi_8x8_1v1")),
    ("analyse_position", ("analyse", "h8i9h9i8h10i10h7i7", "--seconds", "0.02")),
    ("analyse_position", ("analyse", "f5d6c3", "--seconds", "0.02", "--env", "reversi_8x8_1v1")),
    ("bench", ("bench", "speed", "greedy", "--quick", "--quiet")),
    ("bench", ("bench", "latency", "random", *LATENCY)),
]  # fmt: skip


def test_every_command_with_json_has_a_schema():
    found = set()
    for name, each in get_command(cli.app).commands.items():
        for command in [each, *getattr(each, "commands", {}).values()]:
            if any("--json" in option.opts for option in command.params):
                found.add(name)
    assert found - {"sprt"} == set(doc_tables.RECORDS) - {"analyse_position"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments"), COMMANDS)
def test_what_a_command_writes_follows_its_schema(name, arguments, tengen, tmp_path):
    code, _, err = tengen(*arguments, "--json=found.json")
    assert code in (0, 1), err
    found = json.loads((tmp_path / "found.json").read_text())
    jsonschema.validate(found, json.loads((doc_tables.SCHEMAS / f"{name}.json").read_text()))
    record = msgspec.convert(found, doc_tables.RECORDS[name], dec_hook=lambda kind, given: kind(given))
    assert as_json(record) == found  # nothing is written that the schema does not know
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([], json.loads((doc_tables.SCHEMAS / f"{name}.json").read_text()))


@pytest.fixture
def examined(monkeypatch):
    """The findings of a doctor that has looked at no machine."""
    findings = [Finding("bubblewrap", False, "not installed", decides=False), Finding("an agent", True, "no network")]
    monkeypatch.setattr(doctor, "examine", lambda: findings)
    return findings


@pytest.mark.parametrize("name", listings.LISTINGS)
def test_a_listing_may_go_to_stdout_or_into_a_file(name, tengen, tmp_path, examined):
    code, out, err = tengen(name, "--json")
    assert (code, err) == (0, "")
    msgspec.json.decode(out, type=listings.LISTINGS[name])
    assert tengen(name, "--json", "all.json") == tengen(name) and (tmp_path / "all.json").read_text() == out
    assert tengen("--lang", "zh", name, "--json")[1] == out


def test_what_they_list(tengen, examined):
    found = json.loads(tengen("opponents", "--json")[1])
    assert [each["name"] for each in found["agents"]] == list(BUILT_INS) and len(found["levels"]) == len(LEVELS)
    assert found["agents"][0]["games"] == names() and found["agents"][0]["options"]["depth"] is None
    games = {each["name"]: each for each in json.loads(tengen("games", "--json")[1])["games"]}
    assert list(games) == names() and games["reversi_1v1"]["in_a_row"] is None
    assert [games["gobang_1v1"][key] for key in ("rows", "in_a_row", "platform")] == [15, 5, "jidi"]
    examined.append(Finding("an agent", False, "has no network"))
    code, out, _ = tengen("doctor", "--json")
    assert (code, json.loads(out)) == (1, {"good": False, "findings": [vars(each) for each in examined]})


def test_the_schemas_in_docs_are_those_of_the_code():
    made = doc_tables.schemas()
    assert {path.name: path.read_text("utf-8") for path in doc_tables.SCHEMAS.iterdir()} == made
