"""The match runner: games and tournaments between agents, each in its own process, and a copy of the site's run_log.

Start reading in `commands/cli.py` (the command line), then `game/session.py` (one game) and `processes/process.py` (one
agent's process).
`env_adapter` is the referee. Agents, ours included, are files that are loaded by path; the runner never imports them.
"""
