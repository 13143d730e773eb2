def main(args, model):
    if args.distributed:
        model.spread()
    else:
        model.go()
