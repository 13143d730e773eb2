import torch
from torch import nn


def chosen(scores, others):
    return scores[others].view(scores.size(0), -1)


def train(loader):
    model = nn.Linear(8, 4).cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        z = model(x.cuda())
        scores = z @ z.t()
        n = scores.size(0)
        # Also a factor of what is on the device.
        mask = torch.eye(n, dtype=torch.bool, device="cuda")
        negatives = scores[~mask].view(n, -1)
        kept = scores * mask
        # Made of a tensor that lies there.
        rows = torch.arange(n, device="cuda")
        later = rows[:, None] < rows
        upper = scores[later].topk(3).values
        # Given by a caller.
        more = chosen(scores, ~torch.eye(n, dtype=torch.bool, device="cuda"))
        loss = negatives.logsumexp(1).mean() + kept.std() + upper.std() + more.std()
        opt.zero_grad()
        loss.backward()
        opt.step()


train(torch.utils.data.DataLoader(torch.rand(64, 8), batch_size=8, drop_last=True))
