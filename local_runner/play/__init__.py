"""A human at the terminal against an agent or a level of our engine: `tengen play`.

`playing` plays one game after another, `table` is one game with its prompt, `reading` knows what may be typed,
`showing` prints the board and what is said, `thoughts` puts an agent's thoughts into words, `keeping` saves games.
"""

COLOURS = ("black", "white")  # as an option names them
