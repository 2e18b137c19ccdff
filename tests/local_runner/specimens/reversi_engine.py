"""A GTP engine for Reversi that misbehaves: reversi_engine.py MODE. Its only move is D3."""

import os
import sys
import time

mode = sys.argv[1]


def move():
    if mode == "silent":
        time.sleep(60)
    if mode == "late":
        time.sleep(1.0)
    if mode == "dies":
        os._exit(3)
    return "z9" if mode == "off" else "D3"


if mode == "dead":
    sys.exit(4)
if mode == "slow start":
    time.sleep(60)
for line in sys.stdin:
    words = line.split()
    if "quit" in words:
        break
    if words[1] == "genmove":
        print(f"={words[0]} {move()}\n", flush=True)
    else:
        print(f"={words[0]} \n", flush=True)
