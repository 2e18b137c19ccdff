"""Builds the compiled engine: the engines of submission/ again in C++17. The Python engine is the reference.

See docs/developers/engine/12-compiled-engine.md. submission/native/ has the built libraries and their Python side.
"""
