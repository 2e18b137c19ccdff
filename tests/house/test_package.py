"""The wheel and the sdist: they hold one package and all data, and work in an empty environment without a checkout.

`make release` runs these tests with the files that it has built (`--made FOLDER`).
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import httpx
import pytest

from local_runner.processes import interpreters
from local_runner.processes.sandbox import BUBBLEWRAP
from tests.serving import Serving

MOST_BYTES = 5_000_000  # size limit of the wheel and of the sdist
ROOT = Path(__file__).resolve().parents[2]
OFFLINE = ("NewConnectionError", "Temporary failure in name resolution", "ConnectTimeoutError")


def _run(*command: str | Path, folder: Path) -> str:
    """The output of a command that must not fail. Skips the test if the command needs a package index and has none."""
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    if done.returncode and any(sign in done.stdout + done.stderr for sign in OFFLINE):
        pytest.skip("no package index: the wheel was not installed")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """A folder with the sdist and the wheel of what a user's checkout holds, and of a page of documentation."""
    if given := request.config.getoption("--made"):
        return Path(given).resolve()
    folder = tmp_path_factory.mktemp("tree")
    (folder / "build" / "site" / "en").mkdir(parents=True)
    for page in ("index.html", "en/index.html"):
        (folder / "build" / "site" / page).touch()
    for name in ("submission", "env_adapter", "local_runner", "workshop"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    _run(sys.executable, "-m", "build", "--sdist", "--wheel", "--outdir", "made", ".", folder=folder)
    return folder / "made"


@pytest.fixture(scope="module")
def wheel(made: Path) -> Path:
    [wheel] = made.glob("*.whl")
    return wheel


@pytest.mark.slow
def test_the_wheel_holds_one_package_and_all_data(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    names = archive.namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"tengen"}
    carried = [path for path in (ROOT / "local_runner").rglob("*.*") if path.is_file() and path.suffix != ".py"]
    face = ROOT / "local_runner/python"  # lies elsewhere in the wheel
    data = {path.relative_to(ROOT).as_posix() for path in carried if path.suffix != ".pyc" and face not in path.parents}
    assert {Path(name).suffix for name in data} >= {".html", ".js", ".css", ".svg", ".json", ".mo", ".pos"}
    assert not {f"tengen/{name}" for name in data} - {*names}
    assert "tengen/py.typed" in names and not [name for name in names if "/python/" in name]
    starter = "local_runner/upload/starters/train.py"  # users import their own `submission` in it
    assert archive.read(f"tengen/{starter}").decode() == (ROOT / starter).read_text("utf-8")


@pytest.mark.slow
def test_the_wheel_and_the_sdist_are_fit_for_an_index(made: Path, wheel: Path) -> None:
    _run(sys.executable, "-m", "twine", "check", "--strict", *made.glob("*.whl"), *made.glob("*.tar.gz"), folder=made)
    about = zipfile.ZipFile(wheel).read(f"tengen-{metadata.version('tengen')}.dist-info/METADATA").decode()
    head = about.partition("\n\n")[0]
    assert "License-Expression: MIT" in head and "Classifier: Typing :: Typed" in head and "-Url:" not in head
    [sdist] = made.glob("*.tar.gz")
    assert sdist.stat().st_size < MOST_BYTES and wheel.stat().st_size < MOST_BYTES


def _installed(version: str, folder: Path, *what: str | Path) -> Path:
    """The command `tengen` of a new environment in the folder, with these packages. `version`: "" for this Python."""
    python = interpreters.path_of(f"python{version}") if version else sys.executable
    if python is None:
        pytest.skip(f"no Python {version}")
    _run(python, "-m", "venv", "--without-pip", folder, folder=folder)
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python"]
    _run(*pip, "install", "--no-compile", *what, folder=folder)
    return folder / "bin" / "tengen"


SCRIPT = """
import sys, tengen
assert "submission" not in sys.modules and not [path for path in sys.path if path.endswith("local_runner")]
game = tengen.Game("tictactoe_1v1", "b2a1")
assert game.play("b1").play("c3").play("b3").result.colour == "black"
with tengen.Engine("gobang_1v1") as engine:
    assert engine.think("h8a1h9a2h10a3", depth=4).lines[0].exact.value == "win"
assert tengen.play("greedy", "random", game="tictactoe_1v1", games=2, seed=4).total().score == 2
"""


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.10", "3.13"])
@pytest.mark.parametrize("ending", ["*.whl", "*.tar.gz"])
def test_an_empty_environment_of_the_oldest_and_the_newest_python(
    version: str, ending: str, made: Path, tmp_path: Path
) -> None:
    [package] = made.glob(ending)
    tengen = _installed(version, tmp_path, package, "mypy")
    _run(tengen.with_name("python"), "-c", SCRIPT, folder=tmp_path)
    assert metadata.version("tengen") in _run(tengen, "--version", folder=tmp_path)
    (tmp_path / "script.py").write_text(SCRIPT.replace(".result.colour", ".turn"), "utf-8")
    _run(tengen.with_name("mypy"), "--strict", "script.py", folder=tmp_path)


# A filter for bubblewrap that makes landlock_create_ruleset (call 444) fail with ENOSYS: load the number of the call,
# compare, return.
NO_LANDLOCK = b"".join(struct.pack("HBBI", *each) for each in (
    (0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x0005_0000 | 38), (0x06, 0, 0, 0x7FFF_0000),
))  # fmt: skip


def _as_user(tengen: Path, folder: Path, command: str, code: int = 0, bare: bool = False) -> str:
    """The output of a command by an ordinary user, from whom the checkout is hidden if there is bubblewrap.

    bare: on a machine without /proc, control groups, bubblewrap and Landlock, as macOS is; the checkout is not hidden
    """
    hidden = ["--tmpfs", str(ROOT)]
    reading, writing = os.pipe()
    os.write(writing, NO_LANDLOCK)
    os.close(writing)
    if bare:
        bwrap = os.path.realpath(shutil.which("bwrap") or "")
        hidden = ["--tmpfs", "/proc", "--tmpfs", "/sys", "--ro-bind", "/dev/null", bwrap, "--seccomp", str(reading)]
    user = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--unshare-user", "--uid", "1000", "--gid", "1000",
            "--setenv", "HOME", str(folder), *hidden]  # fmt: skip
    words = [str(tengen), *command.split()] if BUBBLEWRAP.why_not() else [*user, str(tengen), *command.split()]
    done = subprocess.run(words, cwd=folder, pass_fds=[reading], capture_output=True, text=True, timeout=120)
    os.close(reading)
    assert done.returncode == code, (command, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_an_ordinary_user_without_a_clone(version: str, wheel: Path, tmp_path: Path) -> None:
    tengen = _installed(version, tmp_path, wheel)
    (tmp_path / "submission").mkdir()  # a user's own, which ours must not shadow
    for command in ("init mine", "match mine/submission.py random --games 2", "check mine --quick", "bundle"):
        _as_user(tengen, tmp_path, command)
    (tmp_path / "mine.py").write_text("import torch")
    assert "as `tengen docs python37` explains" in _as_user(tengen, tmp_path, "check mine.py --quick", code=1)
    page = _as_user(tengen, tmp_path, "docs --no-open").strip().removeprefix("file://")
    assert Path(page).is_file() and Path(page).is_relative_to(tmp_path)
    shutil.rmtree(Path(page).parents[1])
    assert "`make docs`" in _as_user(tengen, tmp_path, "docs", code=2)


@pytest.mark.slow
@pytest.mark.skipif(bool(BUBBLEWRAP.why_not()), reason="no bubblewrap, which hides /proc from the runner")
def test_a_machine_without_proc_and_sandboxes(tmp_path: Path) -> None:
    """The runner says that there is no sandbox, plays, measures, and ends agents that break a limit."""
    tengen = Path(sys.executable).with_name("tengen")
    found = _as_user(tengen, tmp_path, "doctor", code=1, bare=True)
    assert "bubblewrap is not installed" in found and "have all rights of your user" in found
    match = "match {} random --env tictactoe_1v1 --games 1 --time 5"
    played = _as_user(tengen, tmp_path, match.format("greedy"), bare=True)
    assert "no sandbox here" not in played and "wins after" in played
    eats, sleeps = "kept = bytearray(600_000_000)", "__import__('time').sleep(60)"
    for body, lost in (eats, "MB of 500 MB"), (sleeps, "gave no answer within"):
        (tmp_path / "bad.py").write_text(f"def my_controller(board, action_space, is_act_continuous):\n    {body}\n")
        played = _as_user(tengen, tmp_path, match.format("bad.py"), code=1, bare=True)
        assert lost in played and "no sandbox here" in played


@pytest.mark.slow
def test_the_installed_wheel_plays_checks_and_serves(wheel: Path, tmp_path: Path) -> None:
    tengen = _installed("", tmp_path, f"{wheel}[serve]")
    for command in (
        "tournament tengen:depth=1 random --env tictactoe_1v1 --out t.jsonl", "report t.jsonl --html t.html",
        "bundle --out one.py", "check one.py --env tictactoe_1v1 --quick",
        "run-log --black random --white greedy --env tictactoe_1v1",
    ):  # fmt: skip
        _as_user(tengen, tmp_path, command)
    with Serving(tmp_path, command=str(tengen)) as serving, httpx.Client() as client:
        page = client.get(serving.address, follow_redirects=True)
        assert page.status_code == 200 and "<title>" in page.text
        made = re.findall(r'"(/made/[^"]+)"', page.text)
        assert made and {client.get(serving.root + path).status_code for path in made} == {200}
        assert client.get(f"{serving.root}/docs/index.html").status_code == 200
