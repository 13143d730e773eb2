def build(model):
    return model
