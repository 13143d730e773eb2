import torch


def main(a, b):
    return (
        torch.cuda.is_available()  # it is there
        and a  # the user wants it
        and b
    )
