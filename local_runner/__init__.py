"""The runner: matches and tournaments between agents in processes of their own, and a twin of the platform's run_log.

Start reading in `cli.py` (the commands), then `session.py` (one game) and `processes/process.py` (one agent's process).
`env_adapter` is the referee. Agents, also ours, are files that are loaded by path; the runner never imports them.
"""
