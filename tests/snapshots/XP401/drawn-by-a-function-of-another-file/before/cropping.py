import random


def cut(length):
    return random.randint(1, length)
