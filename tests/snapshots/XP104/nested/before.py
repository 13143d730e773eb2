import torch


def main(model, args):
    if torch.cuda.is_available():
        if args.fast:
            if torch.cuda.is_available():
                model.one()
        model.two()
