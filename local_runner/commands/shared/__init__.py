"""What commands share: the parser, the help page, options, and how they are interrupted."""
