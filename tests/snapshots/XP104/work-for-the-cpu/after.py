def configure(args, model):
    if False:
        args.model = model.quantize()
    return args
