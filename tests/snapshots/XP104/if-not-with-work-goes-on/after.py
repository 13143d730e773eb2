def main(model):
    if False:
        model.shrink()
    return model
