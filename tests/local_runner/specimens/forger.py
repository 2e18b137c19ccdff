"""Answers instead of the host: writes a body of its options into the pipe, framed as the reply to the first call."""

import contextlib
import os
import struct
import time

BODIES = {
    "empty": b"{}",
    "no_cell": b'{"seconds": 0.1}',
    "texts_for_numbers": b'{"seconds": "soon", "cell": [0, 0]}',
    "not_a_number": b'{"seconds": NaN, "cell": [0, 0]}',
    "huge_number": b'{"seconds": 1' + b"0" * 4000 + b', "cell": [0, 0]}',
    "half_a_cell": b'{"seconds": 0.1, "cell": [0]}',
    "cell_off_board": b'{"seconds": 0.1, "cell": [3, 0]}',
    "no_cell_at_all": b'{"seconds": 0.1, "cell": ["a", {}]}',
    "strange_error": b'{"seconds": 0.1, "error": {"raised": 7}}',
    "strange_field": b'{"seconds": 0.1, "cell": [0, 0], "winner": 1}',
    "nested": b"[" * 500000,
}
_body = [b""]


def configure(body):
    _body[0] = BODIES[body]


def my_controller(observation, action_space, is_act_continuous=False):
    frame = struct.pack(">4sII", b"tgn1", 2, len(_body[0])) + _body[0]
    for fd in range(3, 64):
        with contextlib.suppress(OSError):
            rest = frame
            while rest:
                rest = rest[os.write(fd, rest) :]
    time.sleep(60)  # so that the host's own reply does not follow
