"""The command `tengen`, also as `python -m tengen`."""

from local_runner.commands.shared.start import main

if __name__ == "__main__":
    main()
