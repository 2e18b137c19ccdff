"""Openings: from books or at random, and dealt to the pairs of a match."""
