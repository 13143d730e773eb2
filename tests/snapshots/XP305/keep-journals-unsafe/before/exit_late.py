"""The program may end before a barrier, which would run the closure."""

ROWS = []


def add(key, value):
    ROWS.append((key, value))


def dump():
    print(ROWS)
    ROWS.clear()
