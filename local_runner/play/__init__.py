"""Play on standard input and output: `tengen play` for a human, `tengen gtp` and `tengen gomocup` for other programs.

For a human, `playing` plays one game after another, and `table` plays and saves one game. `prompt` asks for lines and
reads them, and `showing` prints the game. For programs, `gtp` and `gomocup` answer the commands of their
protocol, and `engine_side` has our engine, and reads and writes the lines.
"""

COLOURS = ("black", "white")  # the values of the option --colour
