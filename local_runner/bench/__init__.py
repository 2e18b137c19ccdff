"""Benchmarks of time and memory; none measures strength.

`speed`: calls in fixed positions. `latency`: all calls of whole games. `gobang`, `reversi`: our engines from inside.
"""
