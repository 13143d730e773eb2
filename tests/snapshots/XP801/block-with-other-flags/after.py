def f(x, model):
    return model(x)
