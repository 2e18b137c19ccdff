"""The compiled engine: the engines of submission/ again in C++17, and experiments that need thirty times the speed.

The compiled engine reads the parameters and data files of the Python engines. Evaluation, threats and move order are
equal. A search with a limit of nodes visits the same nodes. The Python engine is the reference: where the two differ,
the compiled engine is wrong. No user needs a compiler. submission/native/ has the built libraries and their Python
side. See docs/developers/engine/12-compiled-engine.md.
"""
