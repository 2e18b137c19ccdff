"""The wheel and the sdist: they hold one package and all data, and work in an empty environment without a checkout."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import httpx
import pytest

from local_runner.processes import interpreters
from tests.serving import Serving

MOST_BYTES = 3_000_000  # size limit of the wheel and of the sdist
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
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of what a user's checkout holds, and with the wheel that is built from the sdist."""
    folder = tmp_path_factory.mktemp("tree")
    for name in ("submission", "env_adapter", "local_runner", "workshop"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    _run(sys.executable, "-m", "build", "--outdir", "made", ".", folder=folder)
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
    _run(sys.executable, "-m", "twine", "check", "--strict", *made.iterdir(), folder=made)
    about = zipfile.ZipFile(wheel).read(f"tengen-{metadata.version('tengen')}.dist-info/METADATA").decode()
    head = about.partition("\n\n")[0]
    assert "License-Expression: MIT" in head and "Classifier: Typing :: Typed" in head and "-Url:" not in head
    [sdist] = made.glob("*.tar.gz")
    assert sdist.stat().st_size < MOST_BYTES and wheel.stat().st_size < MOST_BYTES


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
    if (python := interpreters.path_of(f"python{version}")) is None:
        pytest.skip(f"no Python {version}")
    [package] = made.glob(ending)
    _run(python, "-m", "venv", "environment", folder=tmp_path)
    inside = tmp_path / "environment" / "bin"
    _run(inside / "pip", "install", "--no-compile", package, folder=tmp_path)
    _run(inside / "python", "-c", SCRIPT, folder=tmp_path)
    assert metadata.version("tengen") in _run(inside / "tengen", "--version", folder=tmp_path)
    _run(inside / "pip", "install", "--no-compile", "mypy", folder=tmp_path)
    (tmp_path / "script.py").write_text(SCRIPT.replace(".result.colour", ".turn"), "utf-8")
    _run(inside / "mypy", "--strict", "script.py", folder=tmp_path)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `tengen` of an environment that holds the wheel and the extra `serve`."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python")
    _run(*pip, "install", "--no-compile", f"{wheel}[serve]", folder=folder)
    return folder / "bin" / "tengen"


@pytest.mark.slow
def test_the_installed_wheel_plays_and_checks(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()  # a user's own, which ours must not shadow
    for command in (
        ("match", "tengen:depth=1", "random", "--env", "tictactoe_1v1", "--games", "2"),
        ("tournament", "random", "greedy", "--env", "tictactoe_1v1", "--rounds", "1", "--out", "t.jsonl"),
        ("report", "t.jsonl", "--html", "t.html"),
        ("bundle", "--out", "one.py"),
        ("check", "one.py", "--env", "tictactoe_1v1", "--quick"),
        ("run-log", "--black", "random", "--white", "greedy", "--env", "tictactoe_1v1"),
    ):
        done = subprocess.run([installed, *command], cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])


@pytest.mark.slow
def test_the_installed_wheel_serves_the_page(installed: Path, tmp_path: Path) -> None:
    with Serving(tmp_path, command=str(installed)) as serving, httpx.Client() as client:
        page = client.get(serving.address, follow_redirects=True)
        assert page.status_code == 200 and "<title>" in page.text
        asset = client.get(f"{serving.root}/page/board/board.js")
        assert asset.status_code == 200 and "javascript" in asset.headers["content-type"]
