"""Modules that several commands use: the parser, the help page, common options, and the reaction to Ctrl-C."""
