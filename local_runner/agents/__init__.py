"""Agents: how they are named, found and described, and the opponents that come with the package."""
