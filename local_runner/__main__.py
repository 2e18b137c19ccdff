"""The start of `tengen` and of `python -m local_runner`: Ctrl-C ends every command with exit code 130.

Ctrl-C during the imports ends the process at once, without a message. Later, the command itself says which results it
has saved. After the command, while Python shuts down, Ctrl-C has no effect.
"""

import os
import signal
import sys

INTERRUPTED = 130  # as terminal.output.ExitCode.INTERRUPTED, whose import would take too long here
WINDOWS = """tengen: Windows cannot run this; WSL can: docs/en/how-to/windows.md
tengen：这些命令不能直接在 Windows 上运行，请用 WSL：docs/zh/how-to/windows.md"""


def main() -> None:
    """Import the command line, run it, and exit."""
    if os.name == "nt":
        sys.exit(WINDOWS)
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # nohup and `&` in scripts ignore Ctrl-C
    try:
        if heeded:
            signal.signal(signal.SIGINT, _leave)
        from local_runner.command_line.commands import cli  # here, because the import takes most of the start

        if heeded:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        cli.main()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        exec("")  # after an interrupted exec of a text, as in dataclasses, Python would end by SIGINT; this prevents it
        if heeded:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C must not change the exit code any more


def _leave(*_signal: object) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
