"""The sandbox: the choice of its kind, and an agent's view of files in each kind."""

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.errors import RunnerError
from local_runner.processes import doctor, sandbox
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import HostScript, SandboxMode, SandboxWarning
from tests.local_runner.processes.naughty import EMPTY, PATIENT, QUICK, written

HIDDEN = """
def hidden(deed, *arguments):
    try: deed(*arguments)
    except OSError: return True
"""


def agrees(folder, body):
    """Let an agent that has a folder of its own run the lines of `body`, which assert what it sees."""
    agent = replace(parse_agent(written(folder, HIDDEN + body)), alone=False)
    with AgentProcess(agent, folder / "out.txt", PATIENT) as process:
        assert process.start().fault is None
        fault = process.act(EMPTY, 3, 3).fault
    assert fault is None, fault.traceback


class TestChoice:
    """The kind of sandbox chosen, or the reason why no agent can run."""

    @pytest.fixture(params=[True, False], ids=["root", "user"])
    def root(self, request, monkeypatch):
        """A machine without a sandbox."""
        monkeypatch.setattr(sandbox, "is_root", lambda: request.param)
        monkeypatch.setattr(sandbox, "best", lambda: sandbox.NONE)
        monkeypatch.setattr(sandbox, "lacking", lambda: "no bubblewrap; no Landlock")
        return request.param

    def test_which_run_without_a_sandbox(self, root):
        """Our own agents, and all if the mode is OFF; none if it is ON."""
        assert sandbox.chosen(SandboxMode.OFF) is sandbox.chosen(SandboxMode.AUTO, trusted=True) is sandbox.NONE
        for trusted in (True, False):
            with pytest.raises(RunnerError, match=r"no bubblewrap; no Landlock.*apt install bubblewrap"):
                sandbox.chosen(SandboxMode.ON, trusted=trusted)

    def test_strangers_run_only_as_a_user_and_it_is_said_once(self, root):
        if root:
            with pytest.raises(RunnerError, match="must not run as root without a sandbox"):
                sandbox.chosen(SandboxMode.AUTO)
            return
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            assert [sandbox.chosen(SandboxMode.AUTO) for _ in range(3)] == [sandbox.NONE] * 3
        [warning] = caught
        assert warning.category is SandboxWarning
        assert "no bubblewrap" in str(warning.message) and "apt install bubblewrap" in str(warning.message)

    def test_the_best_kind_is_taken(self, kind):
        assert sandbox.chosen(SandboxMode.AUTO) is sandbox.chosen(SandboxMode.ON) is kind

    def test_other_systems_have_none(self, monkeypatch):
        monkeypatch.setattr(sandbox.sys, "platform", "darwin")
        assert sandbox.Bubblewrap.why_not.__wrapped__(sandbox.BUBBLEWRAP) == "bubblewrap needs Linux"


class TestInside:
    """The files, processes and network that an agent can reach, in each kind of sandbox."""

    def test_the_doctors_probe_gets_nothing(self, kind):
        assert doctor._probed() == []

    def test_without_a_sandbox_it_would(self, monkeypatch):
        monkeypatch.setattr(doctor, "MODE", SandboxMode.OFF)
        assert doctor._probed() == list(doctor.ATTEMPTS)

    def test_an_agents_files_and_environment(self, kind, tmp_path, monkeypatch):
        """The agent sees its own folder, read-only, and an empty folder to write into; no environment."""
        monkeypatch.setenv("SECRET_TOKEN", "abc")
        for name in ("mine", "other"):
            (tmp_path / name).mkdir(mode=0o700)
            (tmp_path / name / "data.txt").write_text(name)
            (tmp_path / name / "data.txt").chmod(0o600)
        mine, other = (str(tmp_path / name / "data.txt") for name in ("mine", "other"))
        body = (
            f"assert open({mine!r}).read() == 'mine' and hidden(open, {mine!r}, 'a') and hidden(open, {other!r})\n"
            "assert os.listdir('.') == [] and os.getcwd() == os.environ['HOME'] and 'SECRET_TOKEN' not in os.environ\n"
            "open('note', 'w').write('x')\nassert open('note').read() == 'x'"
        )
        agrees(tmp_path / "mine", body)
        assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == ["data.txt", "out.txt", "written.py"]

    def test_a_home_is_not_shown_with_an_agent_in_it(self, kind, tmp_path, monkeypatch):
        monkeypatch.setattr(Path, "home", lambda: tmp_path)
        (tmp_path / "letters.txt").write_text("dear")
        (tmp_path / ".ssh").mkdir()
        (tmp_path / ".ssh" / "key").write_text("secret")
        (tmp_path / "notes.py").symlink_to(".ssh/key")
        (tmp_path / "all.py").symlink_to("/")
        names = [str(tmp_path / name) for name in ("letters.txt", "notes.py", "all.py/etc/passwd")]
        agrees(tmp_path, f"assert all(hidden(open, name) for name in {names})")

    def test_everything_is_closed_after_the_last_mount(self, tmp_path):
        if why := sandbox.BUBBLEWRAP.why_not():
            pytest.skip(f"NOT TESTED: {why}")
        script = HostScript(tmp_path, sandbox.sys.executable, SandboxMode.ON, readable=(Path("/usr"),))
        command = sandbox.BUBBLEWRAP.interpreter(script)
        mounts, _closed, rest = " ".join(command).partition(" --remount-ro /proc --remount-ro / ")
        assert "--tmpfs /tmp" in mounts and "bind" not in rest and "tmpfs" not in rest
        assert {"--unshare-pid", "--unshare-net", "--unshare-ipc"} <= set(command)


@pytest.mark.slow
@pytest.mark.parametrize("imported", ["from . import mine", "import mine"])
def test_an_agent_that_is_named_by_its_file_imports_the_module_beside_it(kind, imported, tmp_path):
    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / "secret.txt").write_text("secret")
    (folder / "mine.py").write_text("CELL = 4\n")
    (folder / "agent.py").write_text(f"""{imported}
import os
def my_controller(observation, action_space, is_act_continuous=False):
    try:
        open(os.path.join(os.path.dirname(__file__), "secret.txt")).read()
    except OSError:
        return [[0, 1, 0], [int(i == mine.CELL % 3) for i in range(3)]]
""")
    with AgentProcess(parse_agent(str(folder / "agent.py")), tmp_path / "printed.txt", QUICK) as agent:
        assert agent.start().fault is None
        assert agent.act(EMPTY, 3, 3).cell == (1, 1)
