"""Code that all commands use: the parser, the help page, the options, and the work of tournaments and listings."""
