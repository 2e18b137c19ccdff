"""Everything that runs games: matches between agents in processes of their own, and the twin of the platform's run_log.

Start reading in `cli.py` (the commands), then `session.py` (one game) and `processes/process.py` (one agent's process).
The referee comes from `env_adapter`; agents, ours among them, are files that are loaded by path, never imported here.
"""
