import torch
import torch_xla
from torch import nn

model = nn.Linear(4, 3).cuda()
x = torch.zeros(2, 4).cuda()
labels = model(x).argmax(1)
rows = torch.eye(3).cuda()[labels.data.to(torch_xla.device(), torch.int64)]
mask = (labels == 1).to(torch_xla.device(), torch.float32)
values = torch.LongTensor([1, 2]).to(torch_xla.device())
print(rows, mask, values)
