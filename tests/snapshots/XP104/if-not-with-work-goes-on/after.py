

def main(model):
    return model
