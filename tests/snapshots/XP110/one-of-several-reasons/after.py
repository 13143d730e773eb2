def build(model, args):
    if args.parallel:
        model = args.wrap(model)
    return model
