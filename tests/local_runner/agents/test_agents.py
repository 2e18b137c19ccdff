"""Agent specs: names, paths, programs, options, files that cannot be read, and the error messages."""

import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from local_runner.agents import catalogue
from local_runner.agents.catalogue import BUILT_INS, OPPONENTS, SUBMISSION
from local_runner.agents.own_files import changed, copied, taken, write
from local_runner.agents.spec import parse_agent, parse_options, why_unusable
from local_runner.errors import AgentError, RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.processes import interpreters
from local_runner.processes.process import AgentProcess, program_places
from local_runner.upload.check.files import upload_of
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


def test_an_opponent_is_one_file(tmp_path):
    """The catalogue reads the file's text and does not run it: the file would raise an error."""
    (tmp_path / "helper.py").write_text("1 / 0")
    (tmp_path / "added.py").write_text(
        '"""An agent."""\n\nAGENTS = {\n    "added": {"rank": 3, "about": "new", "games": ("reversi",)},\n}\n1 / 0\n'
    )
    found = catalogue.built_ins(tmp_path)
    assert set(found) == {"tengen", "tengen-native", "scorer", "added"}
    assert found["added"] == catalogue.BuiltIn(tmp_path / "added.py", "new", ("reversi",), 3)


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
    ("gomocup:", "gomocup needs a program"),
    ("gomocup:./no/such", "there is no program ./no/such"),
    ("gomocup:no-such-command", "there is no program no-such-command"),
    ("gomocup:'", "cannot read the command"),
    ("gtp:\0", "there is no program"),
    ("gtp:{}/a.py", "chmod +x"),
    ("gomocup:sh:rule=0:rule=1", "given twice"),
    ("gomocup:sh:home=x", "is set by the command"),
])  # fmt: skip
def test_what_there_is_not(text, sentence, tmp_path):
    (tmp_path / "a.py").touch()
    with pytest.raises(AgentError, match=re.escape(sentence)):
        parse_agent(text.format(tmp_path))


# ---- programs of others


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """The path of an executable that no test runs. The commands `run` and `wine` on the PATH are links to the shell."""
    path, other = tmp_path / "brain" / "eng ine", tmp_path / "anywhere"
    for folder in (path.parent, other):
        folder.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    for name in ("run", "wine"):
        (other / name).symlink_to(shutil.which("sh"))
    monkeypatch.setenv("PATH", str(other), prepend=os.pathsep)
    return path


@pytest.mark.parametrize(("command", "options"), [
    ("{0}", {"program": "{0}", "home": "{1}"}), ("{0}:rule=0", {"program": "{0}", "home": "{1}", "rule": 0}),
    ("{0}:max_node=9:rule=0", {"program": "{0}", "home": "{1}", "max_node": 9, "rule": 0}),
    ("{0}:max_node=9,pause=0.1", {"program": "{0}", "home": "{1}", "max_node": 9, "pause": 0.1}),
    ("sh '{0}' -x a:b", {"program": shutil.which("sh"), "arguments": "'{0}' -x a:b", "home": "{1}"}),
    ("run '{0}'", {"program": "{2}/run", "arguments": "'{0}'", "home": "{1}"}),  # as the Python of a conda environment
    ("run", {"program": "{2}/run", "home": "{2}"}),
    ("'{0}.exe' -x:rule=0", {"program": "{2}/wine", "arguments": "'{0}.exe' -x", "home": "{1}", "rule": 0}),
])  # fmt: skip
def test_a_command_and_its_options(command, options, engine):
    engine.with_name("eng ine.exe").write_bytes(b"MZ")  # a Windows program needs no executable bit
    places = (engine, engine.parent, engine.parents[1] / "anywhere")
    spec = parse_agent("gomocup:" + command.format(*places))
    assert spec.is_program and not spec.is_ours and spec.path == OPPONENTS / "gomocup.py"
    assert spec.options == {key: value.format(*places) if isinstance(value, str) else value
                            for key, value in options.items()}  # fmt: skip


def test_a_program_for_windows_needs_wine(tmp_path, monkeypatch):
    (tmp_path / "brain.exe").write_bytes(b"MZ")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AgentError, match="is a program for Windows; install wine, which runs it"):
        parse_agent(f"gomocup:{tmp_path / 'brain.exe'}")


def test_a_program_of_a_virtual_environment_sees_the_project(engine, monkeypatch):
    """The program may also read pyproject.toml beside the packages: under Landlock, an import can list a folder only if
    a file in the folder is allowed.
    """
    root = Path(__file__).parents[3]
    monkeypatch.setattr(interpreters, "folders", lambda python: ())
    assert program_places({"program": str(engine)}, False, "python3") == [engine]
    (engine.parents[1] / "pyvenv.cfg").touch()
    found = program_places({"program": str(engine)}, False, "python3")
    assert {root / "local_runner", root / "submission", root / "pyproject.toml", engine} <= {*found}


def test_a_run_plays_a_copy_of_the_engines_folder(engine, tmp_path):
    (engine.parent / "weights.bin").write_bytes(b"\0\1")
    spec, other = parse_agent(f"gomocup:{engine}"), parse_agent("gomocup:sh")
    files = taken(spec)
    assert {"engine/eng ine", "engine/weights.bin", "gomocup.py", "program.py"} <= {*files.contents}
    assert not any(name.startswith("engine/") for name in taken(other).contents)
    for main in (copied(spec, tmp_path / "copy"), write(files, tmp_path / "stored")):
        assert (main.parent / "engine" / "eng ine").stat().st_mode & 0o111
    (engine.parent / "weights.bin").write_bytes(b"\0\2")
    assert changed(spec, files) == [engine.parent / "weights.bin"]


# ---- files that cannot be read


NOBODY = 65534
CONTROLLER = "def my_controller(observation, action_space, is_act_continuous=False):\n    raise KeyError(0)\n"
CASES = {  # description -> the path given, and a part of the sentence that refuses it
    "a closed file": ("denied.py", "denied.py cannot be read (Permission denied); make it readable (chmod u+r)"),
    "a folder with a closed file": ("shut", "submission.py cannot be read (Permission denied)"),
    "a closed folder": ("closed", "submission.py cannot be reached: a folder above it is closed to you; open it"),
    "a file in a closed folder": ("closed/submission.py", "submission.py cannot be reached"),
    "an empty folder": ("empty", "empty has no submission.py; name the"),
    "a link to nowhere": ("dangling.py", "dangling.py is a link to nowhere.py, which is not there; mend the link"),
    "a folder with such a link": ("lost", "submission.py is a link to nowhere.py, which is not there"),
    "a file by a wrong name": ("shut/submision.py", "shut/submision.py; did you mean"),
    "a pipe": ("pipe.py", "pipe.py is no file that can be read; name a submission.py"),
}


@pytest.fixture
def place():
    """A folder with agents that cannot be read. Root can read all files, so it becomes another user meanwhile."""
    was = os.geteuid()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in ("shut", "closed", "empty", "lost"):
            (folder / name).mkdir()
        for name in ("denied.py", "shut/submission.py", "closed/submission.py"):
            (folder / name).write_text(CONTROLLER)
        (folder / "dangling.py").symlink_to("nowhere.py")
        (folder / "lost" / "submission.py").symlink_to("nowhere.py")
        os.mkfifo(folder / "pipe.py")
        for name in ("denied.py", "shut/submission.py", "closed"):
            (folder / name).chmod(0)
        folder.chmod(0o755)
        if was == 0:
            os.seteuid(NOBODY)
        yield folder
        os.seteuid(was)
        (folder / "closed").chmod(0o700)


@pytest.mark.parametrize("read", [lambda path: parse_agent(str(path)), upload_of], ids=["parse_agent", "upload_of"])
@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_read(case, read, place):
    path, sentence = CASES[case]
    with pytest.raises(RunnerError) as error:
        read(place / path)
    assert sentence in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(("content", "sentence"), [
    (b"\x7fELF\x02\0\0\0\xff\xfe", "mine.py is no Python file: "), (b"pass\0", "mine.py is no Python"),
    (b"# coding: nothing\n", "mine.py is no Python"), (b"\npass this text\n", "mine.py is no Python: line 2: "),
])  # fmt: skip
def test_what_is_no_python(content, sentence, tmp_path, python):
    (tmp_path / "mine.py").write_bytes(content)
    spec = parse_agent(str(tmp_path / "mine.py"))
    with AgentProcess(spec, tmp_path / "out.txt", python=python) as agent, pytest.raises(AgentError) as error:
        agent.start()
    assert sentence in str(error.value) and "\n" not in str(error.value)
