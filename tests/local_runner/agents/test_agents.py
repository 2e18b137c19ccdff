"""Agent specs: names, paths, options, and the error messages."""

import os

import pytest

from local_runner.agents import catalogue
from local_runner.agents.catalogue import BUILT_INS, OPPONENTS, SUBMISSION
from local_runner.agents.spec import parse_agent, parse_options, why_unusable
from local_runner.errors import AgentError
from local_runner.game.faults import Fault, FaultKind
from tests.local_runner.processes.naughty import ON_LINUX


@pytest.mark.parametrize(("text", "options"), [
    ("", {}),
    ("depth=-4,seconds=0.5", {"depth": -4, "seconds": 0.5}),
    ("a=on,b=off,c=true,d=False,e=none", {"a": True, "b": False, "c": True, "d": False, "e": None}),
    ("engine=scorer,book=my book.txt", {"engine": "scorer", "book": "my book.txt"}),
    ("a=1e3,b=", {"a": 1000.0, "b": ""}),
])  # fmt: skip
def test_options(text, options):
    parsed = parse_options(text)
    assert parsed == options
    assert list(map(type, parsed.values())) == list(map(type, options.values()))


TWICE = "the option depth is given twice; give it once"
UNREAD = "cannot read the option '{}'; write key=value,key=value"


@pytest.mark.parametrize(("text", "sentence"), [
    ("foo", UNREAD.format("foo")), ("depth=3,foo", UNREAD.format("foo")), ("=3", UNREAD.format("=3")),
    ("a=1,=", UNREAD.format("=")), ("depth=3,a=1,depth=3", TWICE),
])  # fmt: skip
def test_options_that_cannot_be_read(text, sentence):
    with pytest.raises(AgentError, match=sentence):
        parse_options(text)


def test_only_our_agents_are_told_which_option_may_be_meant(tmp_path):
    (tmp_path / "agent.py").write_text("")
    fields = {"path": "agent.py", "options": "dept=3", "option": "dept", "known": "book"}
    refused, said = Fault(FaultKind.UNKNOWN_OPTION, fields), "agent.py does not take dept=3: it has no option dept"
    assert why_unusable(parse_agent("tengen:dept=3"), refused) == "unknown option 'dept'; did you mean depth?"
    other = Fault(FaultKind.UNKNOWN_OPTION, {**fields, "option": "xyz"})
    assert "book" in why_unusable(parse_agent("tengen:xyz=3"), other)
    assert why_unusable(parse_agent(f"{tmp_path / 'agent.py'}:dept=3"), refused) == said


def test_an_opponent_is_one_file(tmp_path, monkeypatch):
    """The file is read, not run."""
    (tmp_path / "helper.py").write_text("1 / 0")
    (tmp_path / "added.py").write_text(
        '"""An agent."""\n\nAGENTS = {\n    "added": {"rank": 3, "about": "new", "games": ("reversi",)},\n}\n1 / 0\n'
    )
    monkeypatch.setattr(catalogue, "OPPONENTS", tmp_path)
    found = dict(catalogue._found())
    assert set(found) == {"tengen", "scorer", "added"}
    assert found["added"] == catalogue.BuiltIn(tmp_path / "added.py", 3, "new", ("reversi",))


@pytest.mark.parametrize(("text", "name", "path", "options"), [
    ("tengen", "tengen", SUBMISSION, {}),
    ("scorer:depth=3", "scorer:depth=3", SUBMISSION, {"engine": "scorer", "depth": 3}),
    ("random:seed=7", "random:seed=7", OPPONENTS / "random.py", {"seed": 7}),
    ("{}/mine", "mine", "mine/submission.py", {}),
    ("{}/mine/submission.py", "mine", "mine/submission.py", {}),
    ("{}/mine/submission.py:depth=4,fast=on", "mine:depth=4,fast=on", "mine/submission.py", {"depth": 4, "fast": True}),
    ("{}/other.py", "other", "other.py", {}),
])  # fmt: skip
def test_names_and_paths(text, name, path, options, tmp_path):
    (tmp_path / "mine").mkdir()
    for file in ("mine/submission.py", "other.py"):
        (tmp_path / file).touch()
    spec = parse_agent(text.format(tmp_path))
    assert (spec.name, spec.path, spec.options) == (name, tmp_path / path, options)


@pytest.mark.parametrize("name", ["a:b=c/submission.py", "a:b=c.py", "random:seed=7"])
@pytest.mark.parametrize("options", ["", ":depth=4"])
def test_what_exists_is_a_path_whatever_it_looks_like(name, options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / (name if name.endswith(".py") else f"{name}/submission.py")
    path.parent.mkdir(exist_ok=True)
    path.touch()
    spec = parse_agent(name + options)
    assert (spec.path, spec.options) == (path, {"depth": 4} if options else {})


@pytest.mark.skipif(not ON_LINUX, reason="file names must be valid text elsewhere")
def test_names_can_be_printed(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/na\x1b\nme\xff.py")
    open(path, "w").close()
    spec = parse_agent(path)
    assert (spec.name, os.fspath(spec.path)) == (r"na\x1b\nme\udcff", path)


@pytest.mark.parametrize(("text", "sentence"), [
    ("tengn", "unknown agent 'tengn'; did you mean tengen? (or give the path of a submission.py)"),
    ("level3", "level3, a level of our engine, plays only in match, tournament, sprt and play, without options"),
    ("nobody", f"unknown agent 'nobody'; choose one of: {', '.join(BUILT_INS)} (or give"),
    ("", "unknown agent ''"),
    ("tengen:", "cannot read the options of 'tengen:'; write NAME:key=value,key=value"),
    ("tengen:depth", "the option 'depth' of tengen has no value; write tengen:depth=VALUE"),
    ("montecarlo:seconds=inf", "takes a number for seconds, not 'inf'; such as montecarlo:seconds=0.8"),
    ("tengen:seconds=nan", "takes a number for seconds, not 'nan'"),
    ("tengen:depth=２", "takes a number for depth, not '２'; such as tengen:depth=1"),
    ("tengen:nodes=1_0", "takes a number for nodes, not '1_0'"),
    ("tengen:nodes=1e400", "takes a number for nodes, not '1e400'"),
    ("tengen:nodes=1e3", "takes a whole number for nodes, not 1000.0; such as tengen:nodes=1"),
    ("seed000:depth=2.5", "takes a whole number for depth, not 2.5"),
    ("tengen:depth=99999999999999999999", "takes a whole number for depth, not 1e+20"),
    ("montecarlo:seconds=abc", "takes a number for seconds, not 'abc'; such as montecarlo:seconds=0.8"),
    ("seed002:depth=", "seed002 takes a number for depth, not ''; such as seed002:depth=3"),
    ("tengen:candidates=6,8,11", "and several numbers as 6/8/11"),
    ("tengn:depth", "unknown agent 'tengn:depth'"),
    ("{}/a.py:depth", "cannot read the option 'depth'; write key=value,key=value"),
    ("no/such/file.py", "there is no agent at no/such/file.py"),
    ("file.py:depth=3", "there is no agent at file.py"),
    ("~nobody/file.py", "there is no agent at ~nobody/file.py"),
    (r"C:\agents\mine.py:depth=3", r"there is no agent at C:\agents\mine.py"),
    ("{}", "has no submission.py"),
])  # fmt: skip
def test_what_there_is_not(text, sentence, tmp_path):
    (tmp_path / "a.py").touch()
    with pytest.raises(AgentError) as error:
        parse_agent(text.format(tmp_path))
    assert sentence in str(error.value)
