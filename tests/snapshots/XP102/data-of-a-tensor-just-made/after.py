import torch
from torch import nn
from torch.autograd import Variable

use_gpu = torch.cuda.is_available()
device = torch.device("cuda")
words = list("abcdef")
model = nn.Embedding(len(words), 4).to(device)

first = Variable(torch.rand(1, 1).mul(len(words)).long())
if use_gpu:
    first = first.to(device)
print(model(first).sum().item())

second = torch.zeros(3, dtype=torch.long)
second = second.to(device)
print(model(second).sum().item())
