

def main(args):
    pass
