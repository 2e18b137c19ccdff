"""What games start from: books of openings and random ones, dealt to the pairs of a match."""
