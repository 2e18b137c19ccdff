"""Files, packages, plots and facts of this machine."""
