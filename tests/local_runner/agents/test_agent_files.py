"""An agent's file that cannot be read, or is no Python, is refused by one sentence before any game is played."""

import os
import tempfile
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.errors import AgentError, RunnerError
from local_runner.processes.process import AgentProcess
from local_runner.upload.check.files import upload_of

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
