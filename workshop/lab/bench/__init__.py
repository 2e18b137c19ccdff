"""Benchmarks of our engines from inside: nodes per second, depth and signature in fixed positions, on every Python.

The positions come from self-play of an early engine, and must not change: the signatures depend on them. A line of a
file holds the moves from the start, two letters each: row and column.

    gobang_midgame.txt     50 positions of 8 to 20 stones in which a search gives neither side a large value
    vcf_positions.txt      200 positions won by fours alone (VCF), each with the number of fours of its shortest win
    reversi_games_*.txt    100 games without passes, up to 10 empty cells; cut anywhere, the mover has two moves or more
"""
