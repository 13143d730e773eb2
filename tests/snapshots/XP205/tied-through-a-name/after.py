import torch
from torch import nn

model = nn.ModuleDict({"emb": nn.Embedding(8, 4), "head": nn.Linear(4, 8)})
w = model["emb"].weight
model["head"].weight = w
model.cuda()
model.head.weight = model.emb.weight
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(torch.zeros(8, dtype=torch.long)):
    optimizer.zero_grad()
    loss = model["head"](model["emb"](x.cuda())).mean()
    loss.backward()
    optimizer.step()
