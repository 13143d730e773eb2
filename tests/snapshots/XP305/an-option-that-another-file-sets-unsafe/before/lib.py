def adjust(opt, args):
    args.lr *= 0.9
    for group in opt.param_groups:
        group["lr"] = args.lr
