"""A brain of the Gomocup that misbehaves: brain.py MODE. Its moves are the free cells in order."""

import os
import sys
import time

mode = sys.argv[1] if len(sys.argv) > 1 else "plain"
taken, size = set(), 15


def say(text):
    print(text, flush=True)


def move():
    if mode == "silent":
        time.sleep(60)
    if mode == "late":
        time.sleep(1.0)
    if mode == "dies":
        os._exit(3)
    if mode == "big":
        global held
        held = bytearray(300_000_000)
        time.sleep(1.0)
    if mode == "floods":
        while True:
            sys.stdout.write("x" * 100000)
    if mode == "off":
        say("77,3")
        return
    cell = next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)
    taken.add(cell)
    say("MESSAGE Depth: 3-9 EV -12 N 4.5K PV h8 [7,6]")
    say("DEBUG nothing")
    say(f"{cell[0]},{cell[1]}")


if mode == "dead":
    sys.exit(4)
if mode == "slow start":
    time.sleep(60)
while True:
    words = sys.stdin.readline().split()
    if not words or words[0] == "END":
        if mode == "stays":
            time.sleep(60)
        break
    if words[0] == "START":
        taken, size = set(), int(words[1])
        say("OK")
    elif words[0] == "BEGIN":
        move()
    elif words[0] == "TURN":
        taken.add(tuple(map(int, words[1].split(","))))
        move()
    elif words[0] == "BOARD":
        taken = set()
        for line in iter(lambda: sys.stdin.readline().strip(), "DONE"):
            taken.add(tuple(map(int, line.split(",")[:2])))
        move()
    elif words[0] == "ABOUT":
        say('name="brain"')
    elif words[0] == "INFO" and mode == "plain":
        say("UNKNOWN")
