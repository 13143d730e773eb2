"""Comments stay; what is entered later switches nothing before."""

import torch


def run(model, x, training, args):
    with torch.set_grad_enabled(
        # Gradients are needed to train alone.
        mode=training,  # of the epoch
    ):
        model(x.cuda())
    with torch.set_grad_enabled(
        False  # as in the paper
    ):
        model(x.cuda())
    later = torch.no_grad() if args.fast else torch.enable_grad()
    y = model(x.cuda())
    with later:
        return model(y)


@torch.set_grad_enabled(
    True,  # it is called while others evaluate
)
def tune(model, x):
    return model(x.cuda())


@(
    torch.no_grad  # since 1.9
    if torch.__version__ >= "1.9"
    else torch.no_grad
)()
def evaluate(model, x):
    return model(x.cuda())
