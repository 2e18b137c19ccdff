"""An engine for Reversi that misbehaves: reversi_engine.py gtp|nboard MODE. Its only move is D3."""

import os
import sys
import time

protocol, mode = sys.argv[1:3]
MOVES = {"garbage": "hello", "pass": "PASS", "off": "z9"}


def move():
    if mode == "silent":
        time.sleep(60)
    if mode == "late":
        time.sleep(1.0)
    if mode == "dies":
        os._exit(3)
    return MOVES.get(mode, "D3")


if mode == "dead":
    sys.exit(4)
if mode == "slow start":
    time.sleep(60)
for line in sys.stdin:
    words = line.split()
    if "quit" in words:
        break
    if protocol == "nboard":
        if words[0] == "ping":
            print("pong", words[1], flush=True)
        elif words[0] == "go":
            print("===", move(), flush=True)
    elif words[1] == "genmove":
        print(f"={words[0]} {move()}\n", flush=True)
    else:
        print(f"={words[0]} \n", flush=True)
