import numpy as np
import torch
from torch.autograd import Variable

cuda = True if torch.cuda.is_available() else False
generator = torch.nn.Linear(2, 2)
if cuda:
    generator.cuda()
FloatTensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
LongTensor = torch.cuda.LongTensor if cuda else torch.LongTensor


def sample(n):
    return Variable(FloatTensor(np.random.normal(0, 1, (n, 2)))), Variable(LongTensor(np.arange(n)))
