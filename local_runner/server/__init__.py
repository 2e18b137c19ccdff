"""The local server of the page in the browser."""
