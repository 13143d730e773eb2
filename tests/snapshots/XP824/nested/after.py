def run(model, x):
    y = model(x)
    z = model(y)
    return y + z
