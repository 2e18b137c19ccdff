"""The compiled engine for Linux: answers as the Python engine does, some thirty times as fast.

library.py loads the library, k_in_a_row.py and reversi.py have the positions, search.py the search and the engines. The
C++ sources are in workshop/native/cpp. An upload holds this folder only with `tengen bundle --native`.
"""
