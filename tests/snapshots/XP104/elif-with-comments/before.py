import torch


def main(args):
    if args.cpu:
        device = "a"
    elif torch.cuda.is_available():  # there
        device = "b"  # bee
        # end of bee
    else:  # not there
        device = "c"  # sea
    # after
    return device
