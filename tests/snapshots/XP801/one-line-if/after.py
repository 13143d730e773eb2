def main(args):
    pass
