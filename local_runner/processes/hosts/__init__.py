"""Host scripts: the main programs of processes that hold an agent. Python 3.7 syntax and the standard library only.

What they share with other code is in `local_runner/processes/portable/`; a host loads it by path.
"""
