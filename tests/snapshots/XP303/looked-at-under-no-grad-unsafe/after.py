import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def cost_of(x):
    with torch.enable_grad():
        return model(x.to(device)).sum()


def train():
    losses, outputs, scores, costs, others = [], [], [], [], []
    for x in loader:
        out = model(x.to(device))
        loss = out.mean()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            # The loss has its history, whatever stands around it; the score has none.
            losses.append(loss.detach())
            outputs.append(out.detach())
            score = out.abs().mean()
            scores.append(score)
            with torch.enable_grad():
                cost = model(x.to(device)).sum()
            costs.append(cost.detach())
            other = cost_of(x)
            others.append(other.detach())
    losses = [loss.item() for loss in losses]
    outputs = [value for out in outputs for value in out.tolist()]
    scores = [score.item() for score in scores]
    costs = [cost.item() for cost in costs]
    others = [other.item() for other in others]
    return losses, outputs, scores, costs, others
