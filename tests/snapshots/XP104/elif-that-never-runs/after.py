def place(name, x):
    if name == "cpu":
        return x
    elif name == "mps":
        return x * 2
    if name == "a":
        x = x + 1
    else:
        x = x + 2
    if name == "b":
        x = x + 1
    return x
