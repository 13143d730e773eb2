"""One of its calls is to stay as it is, so that all of them do."""

ROWS = []


def add(key, value):
    ROWS.append((key, value))


def dump():
    print(ROWS)
    ROWS.clear()
