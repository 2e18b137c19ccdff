"""`tengen play`: a human at the terminal plays against an agent or a level of our engine.

`playing` plays one game after another, and `table` plays one game. `reading` reads typed lines, `showing` prints the
game, `thoughts` puts an agent's thoughts into words, and `keeping` saves games.
"""

COLOURS = ("black", "white")  # the values of the option --colour
