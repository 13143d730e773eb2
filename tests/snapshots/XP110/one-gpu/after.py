def build(model, args):
    if args.gpu:
        model.train()
    return model
