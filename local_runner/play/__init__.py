"""`tengen play`: a human at the terminal plays against an agent or a level of our engine.

`playing` plays one game after another, and `table` plays one game. `prompt` asks for lines and reads them,
`showing` prints the game, and `keeping` saves games.
"""

COLOURS = ("black", "white")  # the values of the option --colour
