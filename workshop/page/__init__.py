"""Makes the texts and pictures of the page, and measures the page and its server."""
