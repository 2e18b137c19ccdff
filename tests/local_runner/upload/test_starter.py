"""`tengen init`: texts in both languages, legal games, and files that are never overwritten."""

import base64
import importlib.util
import random
import shlex
import sys
import zlib

import numpy as np
import pytest
from typer.testing import CliRunner

from env_adapter import STATED, make
from local_runner.command_line.commands import cli
from local_runner.language.languages import speaking
from local_runner.upload.check import check
from local_runner.upload.check.report import Verdict
from local_runner.upload.starter import STARTERS, TEXT, Start, starter, write_starter


def init(*arguments):
    return CliRunner().invoke(cli.app, ["init", *map(str, arguments)])


def loaded(path, monkeypatch):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", [path.stem for path in STARTERS.glob("*.py")])
def test_only_texts_are_translated(name):
    english = starter(name)
    with speaking("zh"):
        chinese = starter(name)
    assert TEXT.sub("", chinese) == TEXT.sub("", english)
    assert len(TEXT.findall(chinese)) == len(TEXT.findall(english)) > 10
    assert "，" in chinese and "，" not in english


def test_the_games_of_env_are_declared(tmp_path):
    for start in (Start.MINIMAL, Start.SEARCH):
        [main, *_others] = write_starter(tmp_path / start.value, start, ["gobang_1v1", "reversi_8x8_1v1"])
        assert '\nGAMES = ("gobang_1v1", "reversi_8x8_1v1",)\n' in main.read_text(encoding="utf-8")


def test_the_next_commands_name_the_files(tmp_path):
    said = init(tmp_path / "a b").output.splitlines()
    at = said.index("Next:")
    main, search = (str(tmp_path / "a b" / name) for name in ("submission.py", "with_search.py"))
    assert [shlex.split(line)[:4] for line in said[at + 1 :]] == [
        ["tengen", "match", main, "random"], ["tengen", "match", main, search], ["tengen", "check", main]]  # fmt: skip


def test_the_network_comes_with_its_training(tmp_path):
    main, train = (str(tmp_path / name) for name in ("submission.py", "train.py"))
    said = init(tmp_path, "--from", "network", "--env", "reversi_1v1").output.splitlines()
    assert said == [f"written: {main}", f"written: {train}", "Next:",
                    f"  tengen match {main} greedy --env reversi_1v1 --games 4", f"  tengen check {main}",
                    f"  python {train}"]  # fmt: skip


def test_the_network_knows_the_rules_and_its_weights(tmp_path, monkeypatch):
    agent = loaded(write_starter(tmp_path, Start.NETWORK, [])[0], monkeypatch)
    weights = zlib.decompress(base64.b85decode(agent.PACKED))
    assert agent.WEIGHTS.tolist() == np.frombuffer(weights, "<f2").tolist() and agent.WEIGHTS.size == 30 * 3**6
    assert agent.POWERS.sum(axis=0).tolist() == [(3**6 - 1) // 2] * len(agent.FIRST)  # six cells at each place
    referee, rng = make("reversi_1v1", STATED), random.Random(1)
    for _ply in range(30):
        board, player = [list(row) for row in referee.stones()], referee.chess_player
        assert agent.moves(board, player) == referee.legal_moves()
        move = rng.choice(referee.legal_moves())
        referee.play(move)
        assert agent.after(board, player, move) == [list(row) for row in referee.stones()]


def test_the_network_values_a_full_board_by_its_discs(tmp_path, monkeypatch):
    agent = loaded(write_starter(tmp_path, Start.NETWORK, [])[0], monkeypatch)
    for most, result in ((2, 1), (1, -1)):
        board = [[2, 1, 1, 1, 1, 1, 1, 1, 1, 0], *([most] * 10 for _ in range(9))]
        assert agent.search(board, 2, 1) == agent.search(board, 2, 3) == {(0, 9): result}
    assert agent.choose(board, 1) is None


@pytest.mark.parametrize(("options", "sentence"), [
    ("", "exists already"), ("--env tictactoe_1v1", "plays gobang and Reversi"),
    ("--from network --env gobang_1v1", "plays Reversi 10x10, not gobang_1v1"),
])  # fmt: skip
def test_what_is_refused_writes_nothing(options, sentence, tmp_path):
    (tmp_path / "with_search.py").write_text("mine")
    result = init(tmp_path, *options.split())
    assert result.exit_code and sentence in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["with_search.py"]


@pytest.mark.slow
@pytest.mark.parametrize("start", Start)
def test_a_starter_passes_the_check_as_it_is(start, tmp_path):
    report = check(write_starter(tmp_path, start, [])[0], quick=start is not Start.MINIMAL)
    verdicts = {row.verdict for row in report.rows if row.name != "time"}  # the time is unreliable on a busy machine
    assert report.good and (verdicts == {Verdict.PASSED} or start is Start.NETWORK)  # Python 3.7 may lack numpy


@pytest.mark.slow
def test_training_is_repeatable_and_makes_another_agent(tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    main, program = write_starter(tmp_path, Start.NETWORK, [])
    agent, text = loaded(main, monkeypatch), main.read_text("utf-8")
    train = loaded(program, monkeypatch)
    monkeypatch.setattr(train, "BOARDS", 4)
    made = []
    for _time in range(2):
        network = torch.nn.EmbeddingBag(agent.WEIGHTS.size, 1, mode="sum")
        torch.nn.init.zeros_(network.weight)
        assert list(train.train(network, 2, seed=1)) == [1, 2]
        made.append(network.weight.detach().numpy()[:, 0])
    assert made[0].tolist() == made[1].tolist() and made[0].any()
    train.pack(made[0])
    again = loaded(main, monkeypatch)
    assert again.WEIGHTS.tolist() == made[0].astype("<f2").tolist() != agent.WEIGHTS.tolist()
    before, after = (each.partition("PACKED = (")[0] for each in (text, main.read_text("utf-8")))
    assert before == after and train.measure("random", 2) in ([2, 0, 0], [1, 0, 1], [1, 1, 0], [0, 0, 2], [0, 1, 1])
