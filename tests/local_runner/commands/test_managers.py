"""Command lines of c-gomoku-cli: what means the same is translated, everything else is refused in one sentence."""

import shlex

import pytest

from local_runner.commands.shared.managers import translated
from local_runner.errors import RunnerError

TWO = "-engine name=A cmd=./a -engine cmd=./b"
BASE = "-each tc=0/5 " + TWO + " -repeat -games 2"
TOLD = "timeout_turn=5000,max_memory=367001600"
AGENTS = [f"gomocup:./a:{TOLD}", f"gomocup:./b:{TOLD}", "--names", "A,"]


def ours(text, command="tournament"):
    """The translated arguments: the agents, and the options with their values."""
    words = translated(shlex.split(text), command)
    at = next(at for at, word in enumerate(words) if word.startswith("--"))
    return words[:at], " ".join(words[at:])


def test_the_defaults_are_those_of_c_gomoku_cli():
    assert ours(BASE) == (AGENTS[:2], "--names A, --time 8 --rounds 1 --rules stated --jobs 1 --openings start")


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("-games 4 -rounds 3", "--rounds 6"),
        ("-concurrency 8", "--jobs 8"),
        ("-boardsize 20", "--board-size 20"),
        ("-gauntlet", "--schedule gauntlet"),
        ("-recover", "--recover"),
        ("-rule 0", "--rules stated"),
        ("-openings file=b.txt type=pos order=random srand=7", "--openings b.txt --seed 7"),
        ("-openings file=b.txt", "--in-order --openings b.txt"),
        ("-pgn games.pgn", "--out games.db --pgn games.pgn"),
        ("-sgf games.sgf --out mine.db", "--sgf games.sgf --out mine.db"),
        ("--time 2 --env gobang_1v1", "--time 2 --env gobang_1v1"),
    ],
)
def test_options_that_mean_the_same(given, found):
    assert found in ours(f"{BASE} {given}")[1]


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        ("depth=5 nodes=1000 thread=2", "max_depth=5,max_node=1000,thread_num=2"),
        ("maxmemory=1000000 option.rule=4 option.folder=x", "max_memory=1000000,rule=4,folder=x"),
    ],
)
def test_options_of_engines_become_info_lines(engine, options):
    agents, rest = ours(BASE.replace("name=A", engine))
    given = dict(pair.split("=") for pair in agents[0].split(":", 2)[2].split(","))
    assert given.items() >= dict(pair.split("=") for pair in options.split(",")).items()
    assert "--names" not in rest and "--memory" not in rest


def test_each_overrides_and_limits_follow():
    agents, rest = ours(BASE.replace("tc=0/5", "tc=0/0.5 tolerance=0 maxmemory=2000000000 name=x"))
    assert agents[0] == "gomocup:./a:timeout_turn=500,max_memory=2000000000"
    assert rest.startswith("--names x,x --time 0.5 --memory 2400 ")


def test_a_test_of_two_engines():
    found = ours(BASE + " -gauntlet -sprt elo0=0 elo1=5 alpha=0.1", "sprt")[1]
    assert found.endswith("--elo0 0 --elo1 5 --alpha 0.1") and "--schedule" not in found


REFUSED = [
    ("-draw 10 5", "-draw has no counterpart here: games are played to their end; leave it out"),
    ("-log", "-log has no counterpart here: the tournament's file keeps every game with"),
    ("-rule 4", "-rule 4 has no counterpart here; leave it out"),
    ("-openings file=b type=epd", "-openings type=epd has no counterpart"),
    ("-openings file=b plies=4", "-openings plies has no counterpart"),
    ("-variant renju", "-variant has no counterpart"),
    ("-engine cmd=x proto=ugi", "-engine proto has no counterpart"),
    ("-engine name=x", "-engine needs cmd=COMMAND"),
    ("-engine cmd=x,y name=a,b", "the name 'a,b' has a comma"),
    ("-engine cmd", "-engine takes key=value, not 'cmd'"),
    ("-sprt elo1=5", "-sprt is another command here: tengen sprt"),
    ("-games 3", "give -repeat and an even number of -games"),
    ("-games x", "-games needs a number from 1 on, not 'x'"),
    ("-concurrency", "-concurrency needs one value, not 0"),
    ("-repeat 2", "-repeat takes no value"),
    ("-engine cmd=x tolerance=1", "all engines have one tc here, not 6, 8; give it by -each"),
]


@pytest.mark.parametrize(("given", "sentence"), REFUSED)
def test_everything_else_is_refused(given, sentence):
    with pytest.raises(RunnerError) as error:
        translated(shlex.split(f"{BASE} {given}"), "tournament")
    assert sentence in str(error.value)


@pytest.mark.parametrize("each", ["tc=180/30", "tc=10", "tc=0/5+1", "depth=3", "tc=0/0"])
def test_only_a_limit_for_each_move_is_translated(each):
    with pytest.raises(RunnerError, match="write tc=0/SECONDS"):
        translated(shlex.split(f"-each {each} {TWO} -repeat -games 2"), "tournament")


def test_openings_in_one_colour_are_refused():
    with pytest.raises(RunnerError, match="give -repeat"):
        translated(shlex.split(f"-each tc=0/5 {TWO} -games 2"), "tournament")


@pytest.mark.parametrize("words", [["a", "b", "--rounds", "2"], ["-h"], ["a", "--each", "nodes=2"]])
def test_our_own_command_lines_stay_as_they_are(words):
    assert translated(words, "tournament") == words
    assert translated(["-engine"], "match") == ["-engine"]


def test_a_whole_command_line_ends_in_one_sentence(tengen):
    code, out, err = tengen("tournament", *shlex.split(BASE))
    assert (code, out) == (2, "") and err.startswith("tengen: the games need a file: give --out FILE, or go on with")
