import torch as t


def run(model, x, training, args):
    with t.set_grad_enabled(training):
        y = model(x.cuda())
    with t.set_grad_enabled(mode=not args.fast):
        y = model(x.cuda())
    with t.no_grad():
        y = model(x.cuda())
    with t.enable_grad():
        y = model(x.cuda())
    return y
