import os

if list(map(os.remove, ["a.txt"])):
    pass


def speed(seed=0):
    return seed


speed(1)
