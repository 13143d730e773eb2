def main(model):
    model.prepare()
