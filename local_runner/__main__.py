"""The command line as `python -m local_runner`."""

from local_runner.commands.shared.start import main

if __name__ == "__main__":
    main()
