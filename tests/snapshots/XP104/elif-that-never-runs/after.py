

def place(name, x):
    if name == "cpu":
        return x
    elif name == "mps":
        return x * 2
    if name == "a":
        x = x + 1
    # no GPU
    else:
        x = x + 2
    if name == "b":
        x = x + 1
    return x
