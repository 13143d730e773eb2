import torch as t


def run(model, x, training, args):
    with t.inference_mode(not training):
        y = model(x.cuda())
    with t.inference_mode(mode=args.fast):
        y = model(x.cuda())
    with t.inference_mode(True):
        y = model(x.cuda())
    with t.inference_mode(False):
        y = model(x.cuda())
    return y
