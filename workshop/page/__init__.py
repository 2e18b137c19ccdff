"""Makes the texts and pictures of the page, and measures its server."""
