

def configure(args, model):
    return args
