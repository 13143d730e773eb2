import torch


def main(a, b):
    return (
        a  # the user wants it
        and torch.cuda.is_available()  # and it is there
        and b
    )
