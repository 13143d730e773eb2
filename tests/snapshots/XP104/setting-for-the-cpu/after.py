def configure(args):
    return args
