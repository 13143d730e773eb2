import torch


def main(a):
    if(a and torch.cuda.is_available()):
        return(a and torch.cuda.is_available())
