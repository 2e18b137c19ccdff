"""The documentation site: `make docs` builds the pages of docs/ into build/site with Sphinx.

The site has three parts, each with its own menu and search: `zh`, `en` and `developers`. The start page leads to `zh`.
Reading needs no network and no JavaScript; only the search and the buttons use scripts.
"""
