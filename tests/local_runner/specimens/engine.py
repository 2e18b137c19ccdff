"""An engine that misbehaves, by either protocol: engine.py MODE. A brain plays the free cells in order, GTP only D3."""

import os
import sys
import time

mode = sys.argv[1] if len(sys.argv) > 1 else "plain"
taken, size, held = set(), 15, b""


def say(text):
    print(text, flush=True)


def fail():
    """Misbehave instead of a move."""
    global held
    if mode in ("silent", "late"):
        time.sleep(60 if mode == "silent" else 1.0)
    if mode == "dies":
        os._exit(3)
    if mode == "big":
        held = bytearray(300_000_000)
        time.sleep(1.0)
    while mode == "floods":
        sys.stdout.write("x" * 100000)


def move():
    fail()
    cell = next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)
    taken.add(cell)
    say("MESSAGE Depth: 3-9 EV -12 N 4.5K PV h8 [7,6]")
    say("DEBUG nothing")
    say("77,3" if mode == "off" else f"{cell[0]},{cell[1]}")


if mode == "dead":
    sys.exit(4)
if mode == "slow start":
    time.sleep(60)
for line in sys.stdin:
    words = line.split()
    if words[0].isdigit():
        if words[1] == "genmove":
            fail()
        say(f"={words[0]} {('z9' if mode == 'off' else 'D3') if words[1] == 'genmove' else ''}\n")
    elif words[0] == "START":
        taken, size = set(), int(words[1])
        say("OK")
    elif words[0] in ("TURN", "BOARD"):
        rows = [words[1]] if words[0] == "TURN" else iter(lambda: sys.stdin.readline().strip(), "DONE")
        taken |= {tuple(map(int, row.split(",")[:2])) for row in rows}
    elif words[0] == "ABOUT":
        say('name="brain"')
    elif words[0] == "INFO" and mode == "plain":
        say("UNKNOWN")
    if words[0] in ("BEGIN", "TURN", "BOARD"):
        move()
    if words[0] == "END" or words[-1] == "quit":
        time.sleep(60 if mode == "stays" else 0)
        break
