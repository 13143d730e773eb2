"""What a TPU would make of the graphs of a run: whether its compiler takes them, whether they fit, how fast at best.

The compiler of TPUs, libtpu, runs on any Linux machine and compiles for a chip that is not there.
"""
