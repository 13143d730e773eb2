"""cuda"""


def f():
    "cuda"
