"""`python -m local_runner` does the same as the console command `tengen`."""

from local_runner.commands.cli import main

if __name__ == "__main__":
    main()
