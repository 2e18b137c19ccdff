"""Benchmarks of our engines from inside: nodes per second, depth and signature in fixed positions, on every Python."""
