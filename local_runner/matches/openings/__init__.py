"""Openings from books or at random, and their distribution to the pairs of a match."""
