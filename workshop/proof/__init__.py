"""The proof that Black wins gobang: see docs/en/explanation/proof.md."""
