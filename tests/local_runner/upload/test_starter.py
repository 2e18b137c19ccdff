"""`tengen init`: the same code in both languages, legal games, and files that are never overwritten."""

import ast
import shlex

import pytest
from typer.testing import CliRunner

from local_runner.commands import cli
from local_runner.language.languages import LANGUAGES, speaking
from local_runner.upload.check import check
from local_runner.upload.check.report import Verdict
from local_runner.upload.starter import STARTERS, Start, write_starter


def init(*arguments):
    return CliRunner().invoke(cli.app, ["init", *map(str, arguments)])


def code(language, start):
    """The syntax tree of a starter without its docstrings."""
    tree = ast.parse((STARTERS / language / f"{start.value}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            node.body[0].value.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize("start", Start)
def test_the_code_is_the_same_in_both_languages(start):
    assert len({code(language, start) for language in LANGUAGES}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_comments_are_in_the_users_language(language, tmp_path):
    with speaking(language):
        main, search = write_starter(tmp_path / "new" / "folder", Start.MINIMAL, [])
    for path in (main, search):
        assert ("平台" in path.read_text(encoding="utf-8")) == (language == "zh")


def test_the_games_of_env_are_declared(tmp_path):
    for start in Start:
        [main, *_others] = write_starter(tmp_path / start.value, start, ["gobang_1v1", "reversi_8x8_1v1"])
        assert '\nGAMES = ("gobang_1v1", "reversi_8x8_1v1",)\n' in main.read_text(encoding="utf-8")


def test_the_next_commands_name_the_files(tmp_path):
    said = init(tmp_path / "a b").output.splitlines()
    at = said.index("Next:")
    main, search = (str(tmp_path / "a b" / name) for name in ("submission.py", "with_search.py"))
    assert [shlex.split(line)[:4] for line in said[at + 1 :]] == [
        ["tengen", "match", main, "random"], ["tengen", "match", main, search], ["tengen", "check", main]]  # fmt: skip


def test_a_file_is_never_overwritten(tmp_path):
    (tmp_path / "with_search.py").write_text("mine")
    result = init(tmp_path)
    assert result.exit_code and "exists already" in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["with_search.py"]


def test_another_game_is_refused(tmp_path):
    result = init(tmp_path, "--env", "tictactoe_1v1")
    assert result.exit_code and "plays gobang and Reversi" in str(result.exception)


@pytest.mark.slow
@pytest.mark.parametrize("start", Start)
def test_a_starter_passes_the_check_as_it_is(start, tmp_path):
    report = check(write_starter(tmp_path, start, [])[0], quick=start is Start.SEARCH)
    assert report.good and {row.verdict for row in report.rows} == {Verdict.PASSED}
