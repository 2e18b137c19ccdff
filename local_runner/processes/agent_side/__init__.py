"""Code that runs under an agent's own Python, 3.7 or newer: standard library only, no import of the project.

`launcher.py` starts the host scripts (`*_host.py`, `doctor_probe.py`), the main programs of processes that hold an
agent. The hosts load the other modules by their path.
"""
