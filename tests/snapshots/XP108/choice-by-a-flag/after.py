import torch
import torch_xla
from torch.autograd import Variable


def main(opt, loader, n):
    device = torch_xla.device() if opt.cuda else torch.device("cpu")
    for imgs, _ in loader:
        valid = Variable(torch.empty(imgs.shape[0], 1, device=device).fill_(1.0), requires_grad=False)
        real = Variable(imgs.to(device, torch.float32))
    return valid, real
