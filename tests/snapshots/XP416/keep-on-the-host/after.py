import copy

import torch
from torch import nn

model = nn.Linear(4, 4).to("cuda")
x = torch.rand(4, 4)
print(x.data_ptr(), x.stride(), x.storage(), x.share_memory_())
window = torch.kaiser_window(8).to("cuda")
named = torch.zeros(2, 3, names=("rows", "columns"))
other = torch.from_dlpack(x)
again = copy.copy(x), copy.copy([x])
buffer = model(x.to("cuda")).cpu().data_ptr()
