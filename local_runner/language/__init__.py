"""English and Chinese, amounts in words, and text that strangers wrote, made inert."""
