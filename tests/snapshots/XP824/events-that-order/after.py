def run(model, x):
    y = model(x)
    return y
