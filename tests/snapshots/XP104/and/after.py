def main(args):
    use_cuda = not args.no_cuda
    return use_cuda
