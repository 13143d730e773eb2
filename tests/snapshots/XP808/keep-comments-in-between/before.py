import torch


def run(model, x, args):
    later = torch.inference_mode(
        args.fast,  # only if it is asked for
    )
    with later, torch.inference_mode(
        not (  # as long as nobody trains
            args.train
        )
    ):
        return model(x.cuda())
