"""The steps set what it looks at."""

ROWS = []
STEP = 0


def set_step(step):
    global STEP
    STEP = step


def add(value):
    ROWS.append((STEP, round(value, 4)))


def dump():
    print(ROWS)
    ROWS.clear()
