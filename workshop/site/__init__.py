"""The documentation site: `make docs` builds the pages of docs/ into build/site with Sphinx.

The site has three parts, each with its own menu and search: `zh`, `en` and `developers`. The start page leads to `zh`.
Reading needs no network and no JavaScript; only the search and the buttons use scripts.

- parts.py: the parts, their pages in the order of the menu, and the links between the parts
- conf.py: Sphinx's configuration, the same for every part
- chinese_search.py: the words of a Chinese text for the search
- notebooks.py: a notebook as a page
- __main__.py: builds the site, and serves it
"""
