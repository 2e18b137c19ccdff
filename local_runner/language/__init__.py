"""Translates messages into Chinese, writes amounts in words, and makes text that strangers wrote harmless."""
