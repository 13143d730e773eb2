def configure(args):
    if args.device == "cuda":
        args.device = "xla"
    return args
