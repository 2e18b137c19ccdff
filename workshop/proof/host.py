"""Answers boards with an upload's moves for Black, line by line, from standard input to standard output.

    python host.py dist/submission.py

In: 225 digits (0 free, 1 black, 2 white). Out: Black's cell, the source of the move, CPU seconds. The program runs
under the site's Python 3.7, in a process of its own, and imports nothing of the project.
"""

import importlib.util
import sys
import time

SIZE = 15


class SideOfBoard:
    """The site's action space for one side of the board."""

    n = SIZE


def main() -> None:
    """Answer until the input ends."""
    spec = importlib.util.spec_from_file_location("upload", sys.argv[1])
    assert spec is not None and spec.loader is not None
    upload = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(upload)
    upload.configure(seconds=20, off_turn_seconds=0)  # long, so that a busy machine does not cut a threat search short
    for line in sys.stdin:
        rows = [[[int(stone)] for stone in line[start : start + SIZE]] for start in range(0, SIZE * SIZE, SIZE)]
        began = time.process_time()
        row, col = upload.my_controller(
            {"state_map": rows, "chess_player_idx": 1, "board_width": SIZE, "board_height": SIZE},
            [SideOfBoard(), SideOfBoard()],
            False,
        )
        seconds = time.process_time() - began
        print(row.index(1) * SIZE + col.index(1), upload.last_thought()["source"], seconds, flush=True)


if __name__ == "__main__":
    main()
