def main(model, args):
    if args.fast:
        model.one()
    model.two()
