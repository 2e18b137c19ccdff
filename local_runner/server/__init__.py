"""The local server behind the page in the browser."""
