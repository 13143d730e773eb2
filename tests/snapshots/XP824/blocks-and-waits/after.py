def run(model, x):
    y = model(x)
    y = y + 1
    return y
