"""Our engine as a program of other match managers and boards; one module a protocol."""
