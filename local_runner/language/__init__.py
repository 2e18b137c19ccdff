"""Translates messages into Chinese, words amounts, and neutralises text that strangers wrote."""
