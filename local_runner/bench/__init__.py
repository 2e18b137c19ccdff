"""Benchmarks of time and memory; none measures strength.

`speed`: calls in fixed positions. `latency`: all calls of whole games. Our engines from inside:
workshop/lab/bench.
"""
