import torch


def main(a, b):
    one = (a and torch.cuda.is_available())
    two = a and (torch.cuda.is_available())
    three = (torch.cuda.is_available()) and a
    four = (a or b) and torch.cuda.is_available()
    five = torch.cuda.is_available() and (a or b)
    six = (torch.cuda.is_available() and a) or b
    return one, two, three, four, five, six
