"""`bundle` makes the file to upload; `check` checks it."""
