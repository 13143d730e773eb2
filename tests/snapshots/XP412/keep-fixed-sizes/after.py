import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
n = 3


class Places:
    def nonzero(self):
        return [1]

    def unique(self):
        return {1}


for batch in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    x = model(batch.to(device))
    twice = torch.repeat_interleave(x, 2, dim=0)
    thrice = x.repeat_interleave(n, 0)
    chosen = torch.where(x > 0, x, 0.0)
    also = torch.where(condition=x > 0, input=x, other=x * 2)
    merged = x.where(x > 0, x)
    own = Places().nonzero(), Places().unique()
    loss = twice.sum() + thrice.sum() + chosen.sum() + also.sum() + merged.sum() + len(own)
    loss = loss + (x > 0).count_nonzero() + x.topk(2)[0].sum() + x.unfold(0, 2, 1).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
