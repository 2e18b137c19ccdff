"""The proof that Black wins gobang: see docs/proof.md."""
