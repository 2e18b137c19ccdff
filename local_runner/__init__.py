"""The match runner: plays games and tournaments between agents, and copies the platform's program `run_log.py`.

Each agent runs in a process of its own.

Start reading in `command_line/commands/cli.py` (the command line), then `game/session.py` (one game) and
`processes/process.py` (one agent's process).
`env_adapter` is the referee. Agents, ours included, are files that their processes load by path. The runner itself
never imports an agent.
"""
