import numpy as np
import torch
import torch_xla
from torch.autograd import Variable

cuda = True
generator = torch.nn.Linear(2, 2)
if cuda:
    generator.to(torch_xla.device())
device = torch_xla.device() if cuda else torch.device("cpu")


def sample(n):
    return Variable(torch.FloatTensor(np.random.normal(0, 1, (n, 2))).to(device)), Variable(torch.LongTensor(np.arange(n)).to(device))
