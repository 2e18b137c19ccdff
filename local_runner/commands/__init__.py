"""The command line: one module a group of commands. Each imports the modules that do its work when it runs."""
