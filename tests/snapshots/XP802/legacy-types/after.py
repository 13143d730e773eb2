import torch


def main(cuda, imgs):
    Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
    return imgs.type(Tensor)
