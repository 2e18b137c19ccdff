"""Host scripts: the main programs of processes that hold an agent. Python 3.7 syntax and the standard library only.

Modules that hosts share with other code are in `local_runner/processes/portable/`; a host loads them by path.
"""
