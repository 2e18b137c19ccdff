"""What `--json` writes follows the JSON Schemas in docs/."""

import json

import jsonschema
import msgspec
import pytest
from typer.main import get_command

from local_runner.commands import cli
from local_runner.game.codec import as_json
from tests.local_runner.processes.naughty import path_of
from workshop.page import doc_tables

GAME = ("--env", "tictactoe_1v1", "--games", 2)
SHORT = ("--env", "tictactoe_1v1", "--rounds", 1, "--quiet")
LATENCY = ("--env", "tictactoe_1v1", "--calls", 2, "--quiet")

COMMANDS = [  # schema, arguments; the commands without an agent are in test_listings.py
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
