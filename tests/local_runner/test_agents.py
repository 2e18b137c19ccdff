"""Agent specs: what they mean, and what is said of those that mean nothing."""

import pytest

from local_runner.agents import BUILT_INS, OPPONENTS, SUBMISSION, parse_agent, parse_options
from local_runner.errors import AgentError


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {}),
        ("depth=4", {"depth": 4}),
        ("depth=-4,seconds=0.5", {"depth": -4, "seconds": 0.5}),
        ("a=on,b=off,c=true,d=False,e=none", {"a": True, "b": False, "c": True, "d": False, "e": None}),
        ("engine=scorer,book=my book.txt", {"engine": "scorer", "book": "my book.txt"}),
        ("a=1e3,b=", {"a": 1000.0, "b": ""}),
        ("a=1,a=2", {"a": 2}),
    ],
)
def test_options(text, options):
    parsed = parse_options(text)
    assert parsed == options
    assert list(map(type, parsed.values())) == list(map(type, options.values()))


@pytest.mark.parametrize(
    ("text", "path", "options"),
    [
        ("tengen", SUBMISSION, {}),
        ("scorer", SUBMISSION, {"engine": "scorer"}),
        ("scorer:depth=3", SUBMISSION, {"engine": "scorer", "depth": 3}),
        ("tengen:engine=scorer,depth=3", SUBMISSION, {"engine": "scorer", "depth": 3}),
        ("random:seed=7", OPPONENTS / "random.py", {"seed": 7}),
    ],
)
def test_built_ins(text, path, options):
    spec = parse_agent(text)
    assert (spec.name, spec.path, spec.options) == (text, path, options)


@pytest.mark.parametrize("name", BUILT_INS)
def test_built_ins_are_there(name):
    assert BUILT_INS[name].path.is_file()


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("{}/mine", "mine", {}),
        ("{}/mine/submission.py", "mine", {}),
        ("{}/mine/submission.py:depth=4,fast=on", "mine:depth=4,fast=on", {"depth": 4, "fast": True}),
        ("{}/other.py", "other", {}),
    ],
)
def test_paths(text, name, options, tmp_path):
    (tmp_path / "mine").mkdir()
    for file in ("mine/submission.py", "other.py"):
        (tmp_path / file).touch()
    spec = parse_agent(text.format(tmp_path))
    assert (spec.name, spec.options) == (name, options)
    assert spec.path.is_absolute()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tengn", "unknown agent 'tengn'; there are tengen, scorer, seed004, greedy, random, or the path"),
        ("", "unknown agent ''"),
        ("tengen:", "unknown agent 'tengen:'"),
        ("tengen:depth", "options follow as NAME:key=value"),
        ("tengn:depth=3", "unknown agent 'tengn'"),
        ("no/such/file.py", "there is no agent at no/such/file.py"),
        ("file.py:depth=3", "there is no agent at file.py"),
        (r"C:\agents\mine.py", r"there is no agent at C:\agents\mine.py"),
        (r"C:\agents\mine.py:depth=3", r"there is no agent at C:\agents\mine.py"),
        ("{}", "has no submission.py"),
    ],
)
def test_what_there_is_not(text, sentence, tmp_path):
    with pytest.raises(AgentError) as error:
        parse_agent(text.format(tmp_path))
    assert sentence in str(error.value)
