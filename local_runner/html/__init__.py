"""HTML that needs nothing else: the page of the browser, and reports of tournaments."""
