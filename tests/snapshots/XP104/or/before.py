import torch


def main(a):
    one = torch.cuda.is_available() or a
    two = a or torch.cuda.is_available()
    three = a() or torch.cuda.is_available()
    return one, two, three
