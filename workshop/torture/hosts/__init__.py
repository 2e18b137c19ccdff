"""What torture tests run under the platform's Python: Python 3.7 and the standard library, numpy where wanted."""
