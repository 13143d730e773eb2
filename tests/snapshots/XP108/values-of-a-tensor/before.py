import torch
from torch import nn

model = nn.Linear(4, 3).cuda()
x = torch.zeros(2, 4).cuda()
labels = model(x).argmax(1)
rows = torch.eye(3).cuda()[torch.cuda.LongTensor(labels.data)]
mask = torch.cuda.FloatTensor(labels == 1)
values = torch.cuda.LongTensor([1, 2])
print(rows, mask, values)
