"""Makes the weights of Reversi from games of the engine against itself."""
