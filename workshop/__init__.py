"""Where data is made that the other folders carry; each module says what it writes, and how to run it."""
