"""Scripts that make the data files of the other folders. Each module says what it writes and how to run it."""
