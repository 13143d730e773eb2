"""Comments stay; what is entered later switches nothing before."""

import torch


def run(model, x, training, args):
    with torch.inference_mode(
        # Gradients are needed to train alone.
        mode=not training,  # of the epoch
    ):
        model(x.cuda())
    with torch.inference_mode(
        True  # as in the paper
    ):
        model(x.cuda())
    later = torch.inference_mode(args.fast)
    y = model(x.cuda())
    with later:
        return model(y)


@torch.inference_mode(
    False,  # it is called while others evaluate
)
def tune(model, x):
    return model(x.cuda())


@(
    torch.inference_mode  # since 1.9
    if torch.__version__ >= "1.9"
    else torch.no_grad
)()
def evaluate(model, x):
    return model(x.cuda())
