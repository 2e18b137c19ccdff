"""Writes files and plots, checks for optional packages, defines exit codes, and describes this machine."""
