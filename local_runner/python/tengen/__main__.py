"""The command `tengen`, also as `python -m tengen`."""

from local_runner.__main__ import main

if __name__ == "__main__":
    main()
