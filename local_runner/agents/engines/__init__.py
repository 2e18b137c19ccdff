"""Programs of others as agents: a module a protocol. An agent's process loads such a module as a submission.py.

Python 3.7 and standard library. A module has `my_controller`, `configure`, `last_thought`, GAMES, and the literal

    PROTOCOL = {"about": ..., "options": {...}}     for `tengen opponents`; spec.py finds the modules by this folder
"""
