"""A human at the terminal against an agent or a level of our engine: `tengen play`.

`playing` plays one game after another, and `table` is one game with its prompt. `reading` reads typed lines, `showing`
prints the game, `thoughts` puts an agent's thoughts into words, and `keeping` saves games.
"""

COLOURS = ("black", "white")  # as an option names them
