KEPT = []


def add(key, value):
    KEPT.append((key, value))


def dump():
    print(KEPT)
    KEPT.clear()
