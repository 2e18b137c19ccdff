"""Benchmarks of an agent's time and memory, not of its strength.

`speed` measures calls in fixed positions, `latency` all calls of whole games. workshop/lab/bench measures the parts of
our engines.
"""
