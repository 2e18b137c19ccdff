"""Code that all commands use: the parser, the help page, the options, and listings."""
