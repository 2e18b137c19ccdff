"""A human at the terminal against an agent or a level of our engine: `tengen play`.

`playing` plays the games of an evening, `table` is one game with its prompt, `reading` knows what may be typed,
`showing` prints the board and what is said, `opinion` puts the engine's values into words, `keeping` saves games.
"""
