"""The page that the server shows in the browser, and the reports of tournaments as HTML files."""
