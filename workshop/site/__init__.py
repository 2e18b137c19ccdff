"""The documentation site: `make docs` builds the pages of docs/ into build/site with Sphinx.

The site has three parts, each with its own menu and search: `zh`, `en` and `developers`. The start page leads to `zh`.
Reading needs no network and no JavaScript; only the search and the buttons use scripts.

- pages.py: the parts, their pages in the order of the menu, the links between the parts, notebooks, the Chinese search
- conf.py: Sphinx's configuration, the same for every part
- __main__.py: builds the site, and serves it
"""
