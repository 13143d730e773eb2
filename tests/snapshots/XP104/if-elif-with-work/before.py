import torch


def main(x):
    if torch.cuda.is_available():
        x.one()
    elif x.two():
        x.three()
    else:
        x.four()
