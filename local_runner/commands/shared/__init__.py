"""Shared by commands: the parser, the help page, options, and the end at Ctrl-C."""
