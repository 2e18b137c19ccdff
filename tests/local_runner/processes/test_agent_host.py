"""The host script, loaded into this process: how it loads agents, reads answers, compares boards and tells errors."""

import contextlib
import json
import pickle
import sys
from array import array
from collections import deque
from functools import reduce

import numpy
import pytest

from local_runner.game.codec import as_json
from local_runner.game.faults import Fault, FaultKind
from local_runner.processes.agent_side import launcher, loading
from local_runner.processes.child import MAX_REPLY, reply_body
from local_runner.processes.process import HOST, checked_reply
from tests.local_runner.processes.naughty import path_of

ONE = [1, 0, 0]


@pytest.fixture(scope="module")
def host():
    before = sys.path[:]
    yield launcher.run(str(HOST), "agent_host_under_test", load_beside=launcher.load_beside)
    sys.path[:] = before


def made(base, **methods):
    """A class with these methods."""
    return type("Liar", (base,), methods)


def raises(*_):
    raise RuntimeError("do not look at me")


def changing():
    """A list that is different at each reading."""
    seen = []
    return made(list, __iter__=lambda self: iter([int(i == seen.append(0) or len(seen) % 3) for i in range(3)]))(ONE)


LOOP = []
LOOP += [LOOP, LOOP]
NEVER = made(object, __eq__=raises)()
SEEN_ONCE = made(object, __len__=lambda self: 3, index=lambda self, entry: 2)()
# Name, the agent's answer, and the expected cell, kind of fault, or exception that the answer itself raises. A cell and
# a kind: only the stated rules refuse the answer.
ANSWERS = [
    ("lists", [ONE, [0, 0, 1]], [0, 2]),
    ("tuples", ((0, 1, 0), (1, 0, 0)), [1, 0]),
    ("booleans", [[True, False, False], ONE], [0, 0]),
    ("numpy integers", [list(numpy.array(ONE)), ONE], [0, 0]),
    ("a dict", {0: ONE, 1: ONE}, [0, 0]),
    ("deques", deque([deque(ONE), deque([0, 0, 1])]), ([0, 2], "row type")),
    ("bytes", [bytes(ONE), bytearray(ONE)], ([0, 0], "row type")),
    ("a range and an array", [range(-1, 2), array("d", ONE)], ([2, 0], "row type")),
    ("an index", [ONE, SEEN_ONCE], ([0, 2], "column type")),
    ("functions", [print, print], "no pair"),
    ("generators", (iter(int, 1), (entry for entry in ONE)), "no pair"),
    ("a length below zero", made(list, __len__=lambda self: -1)(), ValueError),
    ("a class with a long name", type("x" * 2_000_000, (), {})(), "no pair"),
    ("a long repr", [made(object, __repr__=lambda self: "x" * (60 << 20))()] * 2, "no pair"),
    ("a list that holds itself", LOOP, "row length"),
    ("a short row", [[1, 0], ONE], "row length"),
    ("a giant row", [[0] * 3_000_000, ONE], "row length"),
    ("a short column", [ONE, [1, 0]], "column length"),
    ("an array", numpy.array([ONE, ONE]), "row type"),
    ("a false class", [made(object, __class__=property(lambda _: list), __len__=lambda _: 3)(), ONE], "row values"),
    ("zeros", [[0, 0, 0], ONE], "row values"),
    ("zero bytes", [bytes(3), ONE], "row values"),
    ("two ones", [ONE, [0, 1, 1]], ([0, 1], "column values")),
    ("other numbers", [[5, 1, 0], ONE], ([1, 0], "row values")),
    ("an index that is off", [ONE, made(deque, index=lambda *_: 3)(ONE)], "column values"),
    ("a false length", [made(list, __len__=lambda self: 3)(), ONE], "row values"),
    ("equal to everything", [[made(object, __eq__=lambda self, other: True)()] * 3, ONE], ([0, 0], "row values")),
    ("touchy behind the 1", [[1, NEVER, NEVER], ONE], ([0, 0], "row values")),
    ("a false count", [made(list, count=lambda self, n: 2 - n, index=lambda *_: -5)([0, 0, 0]), ONE], "row values"),
    ("changing", [changing(), ONE], ([0, 0], "row values")),
    ("touchy", [[NEVER] * 3, ONE], RuntimeError),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "expected"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_answers_are_read_as_the_platform_reads_them(answer, expected, host):
    if isinstance(expected, type):
        with pytest.raises(expected):
            host.judge(answer, 3, 3)
        return
    found = host.judge(answer, 3, 3)
    cell, kind = {list: (expected, None), str: (None, expected)}.get(type(expected), expected)
    assert found.get("cell") == cell
    if kind is None:
        assert "bad_form" not in found
    else:
        assert len(found["bad_form"]["fields"]["answer"]) < 250
        reply = checked_reply(json.dumps(found).encode(), (3, 3))
        assert reply.bad_form.kind is FaultKind(kind)


@pytest.mark.parametrize(("change", "wrote"), [
    (lambda board: None, False), (lambda board: board.update(state_map=board["state_map"]), False),
    (lambda board: board["state_map"][0][0].append(1), True), (lambda board: board.clear(), False),
    (lambda board: board["state_map"].append(made(object, __eq__=raises)()), True),
])  # fmt: skip
def test_writing_into_the_board_is_noticed(change, wrote, host):
    board, untouched = ({"state_map": [[[0]]], "chess_player_idx": 1} for _ in range(2))
    live = host.live_parts(board)
    change(board)
    assert host.differ(live, host.live_parts(untouched)) == wrote


CIRCLE = ValueError("circle")
CIRCLE.__cause__ = CIRCLE.__context__ = CIRCLE


@pytest.mark.parametrize(("error", "line"), [
    (ValueError("no idea"), "ValueError: no idea"), (SystemExit(3), "SystemExit: 3"),
    (KeyboardInterrupt(), "KeyboardInterrupt"), (ValueError("x" * (50 << 20)), "ValueError: xxx"),
    (CIRCLE, "ValueError: circle"), (made(Exception, __str__=raises)(), "Liar"),
], ids=lambda value: value[:20] if isinstance(value, str) else "")  # fmt: skip
def test_an_error_is_told_in_one_line_and_with_a_traceback(error, line, host):
    try:
        raise error
    except BaseException as raised:
        told = host.describe(raised)
    said = told["fields"]["error"]
    assert line in said and len(said) <= 500 and len(told["traceback"]) <= host.MAX_TEXT


GOOD = {"cell": [0, 0]}
FAULT = {"kind": "no pair", "fields": {"answer": "7"}}


@pytest.mark.parametrize(("kind", "replies"), [
    (None, [
        GOOD, {**GOOD, "thought": {"depth": 3, "nodes": 10**30, "?": "五"}, "inner_faults": 2}, {"bad_form": FAULT},
        {"error": {"kind": "raised", "fields": {"error": "KeyError"}, "traceback": ""}},
        {**GOOD, "names": ["x"] * 1000},
    ]),
    (FaultKind.FORGED, [
        {}, {**GOOD, "cpu": 10**20}, {**GOOD, "cell": [3, 0]}, {**GOOD, "cell": [True, 0]}, {**GOOD, "winner": 1},
        {**GOOD, "inner_faults": -1}, {**GOOD, "thought": {"x": "y" * 100_000}}, {**GOOD, "siblings": ["x"] * 1001},
        *({"bad_form": {"kind": "no pair", "fields": fields}} for fields in ({}, {"n": 3})),
        {"bad_form": {"kind": "raised", "fields": {"error": "7"}}},
    ]),
    (FaultKind.GARBAGE, [
        b'{"cpu": -Infinity, "cell": [0, 0]}', b'{"thought": {"x": "\\ud800"}, "cell": [0, 0]}', pickle.dumps(None),
        b'{"thought": ' + b'{"x": ' * 100_000,
    ]),
])  # fmt: skip
def test_a_forged_reply_is_noticed(kind, replies):
    for reply in replies:
        body = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
        found = checked_reply(body, (3, 3))
        assert (found.kind if isinstance(found, Fault) else None) is kind, body[:60]


@pytest.mark.parametrize("levels", [400, 900, 9000])
def test_a_thought_that_is_read_can_be_written(levels):
    """Also 200 calls deeper."""
    found = checked_reply(b'{"cell": [0, 0], "thought": %s0%s}' % (b'{"": ' * levels, b"}" * levels), (3, 3))
    assert reduce(lambda call, _: lambda: call(), range(200), lambda: json.dumps(as_json(found)))()


@pytest.mark.parametrize(("data", "reply"), [
    (b"", None), (b"7", None), (b'7 {"a": 1}', None), (b'7 {"a": 1}\n', b'{"a": 1}'), (b"x", ValueError),
    (b'6 {"a": 1}\n', ValueError), (b'77 {"a": 1}\n', ValueError), (b'7 {"a": 1}\nx', ValueError),
    (b"7 " + b"x" * MAX_REPLY, ValueError),
], ids=lambda value: str(value)[:20])  # fmt: skip
def test_a_reply_is_believed_when_it_is_whole(data, reply):
    with pytest.raises(ValueError) if reply is ValueError else contextlib.nullcontext():
        assert reply_body(data, 7) == reply


def test_a_lone_surrogate_is_written_as_a_question_mark(host, tmp_path):
    with open(tmp_path / "pipe", "wb", buffering=0) as file:
        host.write_reply(file.fileno(), 7, {**GOOD, "thought": {"\ud800": "\udfff"}})
    body = reply_body((tmp_path / "pipe").read_bytes(), 7)
    assert checked_reply(body, (3, 3)).thought == {"?": "?"}


@pytest.mark.usefixtures("forgotten")
class TestLoading:
    """Agents loaded into this process, as `tengen run-log` does."""

    def test_names(self):
        names = {"/a/my_agent/submission.py": "my_agent", "/a/my-agent 2/submission.py": "my_agent_2",
                 "/a/my_agent/other.py": "other", "/submission.py": "agent"}  # fmt: skip
        assert {path: loading.module_name(path) for path in names} == names

    @pytest.mark.parametrize("init", [True, False], ids=["a package", "a plain folder"])
    def test_as_on_the_platform(self, init, tmp_path):
        folder = tmp_path / "mine"
        (folder / "parts").mkdir(parents=True)
        (folder / "parts" / "deep.py").write_text("from ..shallow import VALUE\n")
        (folder / "shallow.py").write_text("VALUE = 5\n")
        if init:
            (folder / "__init__.py").write_text("READY = True\n")
        path = folder / "submission.py"
        path.write_text("from .parts.deep import VALUE\nimport algo.mine.shallow as it\ndef my_controller(o): pass\n")
        module = loading.load_agent(str(path), "mine", {})
        assert (module.__name__, module.__package__) == ("algo.mine.submission", "algo.mine")
        assert (module.VALUE, module.it.VALUE, module.__file__) == (5, 5, str(path)) and str(folder) not in sys.path
        assert getattr(sys.modules["algo.mine"], "READY", False) is init

    def test_options_that_are_refused(self):
        for option, kind in (("answers", FaultKind.UNKNOWN_OPTION), ("answer", FaultKind.OPTION_REFUSED)):
            with pytest.raises(loading.Unusable) as refused:
                loading.load_agent(path_of("answering"), "answering", {option: "unknown"})
            assert FaultKind(refused.value.kind) is kind
