

def main(model):
    model.half()
