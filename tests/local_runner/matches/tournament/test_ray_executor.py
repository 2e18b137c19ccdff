"""The parts of the cluster's code that need no ray: which files are sent, what comes back, that games count once."""

import pickle
import platform
import re
import shutil
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from local_runner.agents.catalogue import SUBMISSION
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.commands.cli import app
from local_runner.errors import RunnerError
from local_runner.game.wording import result_text
from local_runner.matches.tournament import ray_worker
from local_runner.matches.tournament.executor import Done, Job
from local_runner.matches.tournament.plan import Pair, fingerprint
from local_runner.matches.tournament.ray_executor import RayExecutor, connect
from local_runner.matches.tournament.ray_worker import Errand, JobResult, identity, pack, play_errand, task, unpack
from local_runner.matches.tournament.run import run
from local_runner.matches.tournament.schedule import Pairing
from local_runner.matches.tournament.store import create
from local_runner.processes.load import Load
from tests.local_runner.matches.tournament.small import outcomes, plan_of, play_all
from tests.local_runner.processes.naughty import path_of


class Here:
    """A cluster in this process. It plays when asked for its slots, and delivers every result `times` times."""

    def __init__(self, times=1, lose=()):
        self.times, self.lose = times, set(lose)
        self.waiting = []

    def slots(self):
        for job, arrived in self.waiting:
            parcels = [pickle.dumps(pack(agent)) for agent in job.fixtures[0].agents]
            result = play_errand(pickle.dumps(Errand(job, "")), parcels)
            for _ in range(self.times):
                arrived(RunnerError("lost") if job.pair.number in self.lose else result)
        self.waiting = []
        return 2

    def start(self, job, arrived):
        self.waiting.append((job, arrived))

    def close(self):
        pass


def test_a_pair_counts_once_and_its_games_are_those_of_one_machine(tmp_path):
    plan = plan_of("greedy", "random", rounds=1)
    with create(tmp_path / "here.db", plan, {}) as store:
        play_all(store)
        expected = outcomes(store)
    for times in (1, 2):
        with create(tmp_path / f"{times}.db", plan, {}) as store, RayExecutor(Here(times)) as executor:
            assert run(store, executor).complete
            assert outcomes(store) == expected


def test_what_the_cluster_cannot_play_is_raised_and_played_when_resumed(tmp_path):
    with create(tmp_path / "t.db", plan_of("greedy", "random", rounds=2), {}) as store:
        with pytest.raises(RunnerError, match="lost"), RayExecutor(Here(lose=[2])) as executor:
            run(store, executor)
        assert [pair.number for pair in store.pairs_left()] == [2]  # what had arrived beside it is kept
        assert run(store, RayExecutor(Here())).complete
        assert len(store.games()) == 4


def job_of(*agents):
    plan = plan_of(*agents)
    pair = Pair(1, 1, Pairing(0, 1), ())
    return Job(pair, pair.fixtures(plan))


def submission(folder):
    """An agent of two Python files and a data file."""
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "weights.txt").write_text("3 1 4")
    shutil.copy(path_of("first_free"), folder / "helper.py")
    (folder / "submission.py").write_text(
        "import os\nfrom helper import my_controller\n"
        "HERE = os.path.dirname(__file__)\n"
        "with open(os.path.join(HERE, 'data', 'weights.txt')) as file: WEIGHTS = file.read()\n"
        "def last_thought(): return {'name': __name__, 'file': __file__, 'weights': WEIGHTS}\n"
    )
    return folder


def played(job, *agents):
    return play_errand(pickle.dumps(Errand(job, "")), [pickle.dumps(pack(parse_agent(agent))) for agent in agents])


def test_agents_are_played_where_their_files_are_not(tmp_path):
    home = submission(tmp_path / "mine")
    agents = (str(home), "greedy")
    job, parcels = job_of(*agents), [pickle.dumps(pack(parse_agent(agent))) for agent in agents]
    shutil.rmtree(home)
    result = play_errand(pickle.dumps(Errand(job, "")), parcels)
    assert result.error is None and [game.number for game in result.games] == [1, 2]
    [thought, *_] = [call.thought for call in result.games[0].details.calls if call.thought]
    assert thought == {"name": "algo.mine.submission", "file": str(home / "submission.py"), "weights": "3 1 4"}


def test_a_traceback_names_the_file_at_home(tmp_path):
    shutil.copy(path_of("raiser"), tmp_path / "mine.py")
    result = played(job_of(str(tmp_path / "mine.py"), "greedy"), str(tmp_path / "mine.py"), "greedy")
    [fault, *_] = [game.result.fault for game in result.games]
    assert f'"{tmp_path / "mine.py"}"' in fault.traceback and "tengen-games-" not in fault.traceback


def test_an_agent_that_cannot_be_played_is_named_as_at_home(tmp_path):
    shutil.copy(path_of("no_controller"), tmp_path / "mine.py")
    result = played(job_of(str(tmp_path / "mine.py"), "greedy"), str(tmp_path / "mine.py"), "greedy")
    said = f"could not be loaded: {tmp_path / 'mine.py'} has no function my_controller"
    assert result.error is None and all(said in result_text(game.result) for game in result.games)


def test_another_interpreter_is_looked_for_on_the_worker():
    job = job_of("greedy", "random")
    parcels = [pickle.dumps(pack(parse_agent(agent))) for agent in ("greedy", "random")]
    result = play_errand(pickle.dumps(Errand(job, "/nowhere/python3.7")), parcels)
    assert result.games == [] and "/nowhere/python3.7 cannot run agents" in str(result.error)


@pytest.mark.parametrize(("files", "agent", "expected"), [
    ({"a.py", "b.py", "deep/c.py", "notes.txt"}, "a.py", {"a.py", "b.py"}),
    ({"submission.py", "b.py", "deep/c.py", "w.txt", ".git/x", "__pycache__/b.pyc"}, "submission.py",
     {"submission.py", "b.py", "deep/c.py", "w.txt"}),
    ({"__init__.py", "a.py", "deep/c.py", "deep/w.txt"}, "a.py", {"__init__.py", "a.py", "deep/c.py", "deep/w.txt"}),
    ({"agent", "b.py"}, "agent", {"agent", "b.py"}),
])  # fmt: skip
def test_what_travels(files, agent, expected, tmp_path):
    for name in files:
        path = tmp_path / "from" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    spec = AgentSpec("x", tmp_path / "from" / agent, {})
    parcel = pack(spec)
    assert set(parcel.files) == expected
    unpack(parcel, tmp_path / "to")
    assert fingerprint(replace(spec, path=tmp_path / "to" / agent)) == fingerprint(spec)


def test_ours_travels_whole():
    spec = parse_agent("tengen")
    assert {"submission.py", "__init__.py", "k_in_a_row/position.py"} <= set(pack(spec).files)
    assert spec.path == SUBMISSION


@pytest.mark.parametrize("name", ["submission.py", "mine.py"])
def test_links_that_lead_out_do_not_travel(name, tmp_path):
    folder = tmp_path / "agent"
    folder.mkdir()
    for place in (tmp_path / "secret", tmp_path / "secret.py", folder / name, folder / "inside.py"):
        place.write_text("x = 1\n")
    (folder / "weights.txt").symlink_to(tmp_path / "secret")
    (folder / "out.py").symlink_to(tmp_path / "secret.py")
    (folder / "up").symlink_to(tmp_path)
    (folder / "link.py").symlink_to("inside.py")
    (tmp_path / "given.py").symlink_to(folder / name)
    parcel = pack(parse_agent(str(tmp_path / "given.py")))
    assert (parcel.folder, set(parcel.files)) == (str(folder), {name, "inside.py", "link.py"})


def test_too_much_to_travel(tmp_path, monkeypatch):
    monkeypatch.setattr(ray_worker, "MOST_MB", 0.00001)
    (tmp_path / "a.py").write_text("#" * 11)
    with pytest.raises(RunnerError, match="give the agent a folder alone"):
        pack(AgentSpec("x", tmp_path / "a.py", {}))


def test_a_worker_with_other_code_plays_nothing_and_says_so(monkeypatch):
    assert re.fullmatch(r"Python 3\.\d+\.\d+ and tengen \S+ \(\w{8}\)", identity())
    parcels = [pickle.dumps(pack(parse_agent(agent))) for agent in ("greedy", "random")]
    errand = pickle.dumps(Errand(job_of("greedy", "random"), ""))
    assert isinstance(task()(identity(), errand, *parcels), JobResult)
    said = task()("Python 3.9.1 and tengen 0.0.1 (abc)", errand, *parcels)
    assert said == [platform.node(), identity(), "Python 3.9.1 and tengen 0.0.1 (abc)"]
    monkeypatch.setitem(sys.modules, "local_runner.matches.tournament", None)
    assert "no tengen, or an older one" in task()(identity(), b"", b"")[1]


def test_a_sentence_from_a_worker_is_an_error():
    executor = RayExecutor(Here(lose=[1]))
    executor.submit(job_of("greedy", "random"))
    assert executor.slots == 2
    done = executor.next(0)
    assert isinstance(done, Done) and str(done.error) == "lost" and executor.next(0) is None


def test_without_ray_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RunnerError, match=re.escape("pip install 'tengen[cluster]'")):
        connect(None)


def test_a_busy_machine_is_not_to_be_had_elsewhere():
    pytest.importorskip("ray")
    with pytest.raises(RunnerError, match="cannot add the load hog"):
        connect(None, Load.HOG)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--executor", "cloud"], "unknown executor 'cloud'; choose one of: local, ray"),
        (["--address", "127.0.0.1:6379"], "needs --executor ray"),
        (["--executor", "ray", "--jobs", "4"], "--jobs is for one machine"),
    ],
)
@pytest.mark.parametrize("command", [["tournament", "--out", "t.db"], ["tournament", "--resume", "t.db"], ["sprt"]])
def test_options_that_do_not_fit(command, options, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    agents = [] if "--resume" in command else ["greedy", "random"]
    result = CliRunner().invoke(app, [*command, *agents, *options])
    assert isinstance(result.exception, RunnerError) and sentence in str(result.exception)
    assert not any(tmp_path.iterdir())
