def run(model, x, blocks, wanted):
    y = model(x)
    if wanted():
        pass
    else:
        y = y + 1
    if wanted():
        pass
    return y
