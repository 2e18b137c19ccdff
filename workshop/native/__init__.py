"""The compiled engine: the engines of submission/ again in C++17, for experiments that need thirty times the speed.

It reads the parameters and data files of the Python engines and answers the same: evaluation, threats, move order and,
at fixed nodes, the same search node for node. Python is the product and the reference; where the two differ, this one
is wrong. Users need neither it nor a compiler. See docs/engine/12-compiled-engine.md.
"""
