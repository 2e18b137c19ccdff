"""Torture tests of the finished product: what no failure may follow from. `python -m workshop.torture` runs them.

Each module that has a NAME is a test. Its first docstring line says what is done, and it has

    NAME, AMOUNT            name in tables and of the journal; number of trials
    ALLOWED                 what may happen, a few words (optional, "no failure" if missing)
    def trial(number: int, scratch: Path) -> str                        "" if all is well, else one sentence
    BATCH, def batch(first: int, count: int, scratch: Path) -> list[TrialOutcome]
                            instead of `trial`: trials that share a process, at most BATCH, or that measure something

Trials are numbered from 1. The number seeds everything random in a trial, so that a trial can be repeated alone.
`scratch` is an empty folder that is removed afterwards.
"""
