"""Makes the data of gobang: book, move order, evaluation."""
