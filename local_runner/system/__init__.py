"""Writes files, checks for optional packages, defines exit codes, and describes this machine."""
