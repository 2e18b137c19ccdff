"""The command line: one module for each command of `tengen`. A command imports its other modules only when it runs."""
