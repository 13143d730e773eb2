def main(args):
    if args.cpu:
        return 1
    else:
        return 2
