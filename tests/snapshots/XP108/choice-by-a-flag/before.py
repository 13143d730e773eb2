import torch
from torch.autograd import Variable


def main(opt, loader, n):
    Tensor = torch.cuda.FloatTensor if opt.cuda else torch.FloatTensor
    for imgs, _ in loader:
        valid = Variable(Tensor(imgs.shape[0], 1).fill_(1.0), requires_grad=False)
        real = Variable(imgs.type(Tensor))
    return valid, real
