import torch
import torch.nn as nn
import torch.nn.functional as F
import torch_xla


def attack(model, X, y, iters, restarts):
    most = torch.zeros(len(y)).cuda()
    for _ in range(restarts):
        delta = torch.zeros_like(X).uniform_(-0.1, 0.1)
        delta.requires_grad = True
        for _ in range(iters):
            output = model(X + delta)
            index = torch.where(output.max(1)[1] == y)[0]
            if len(index) == 0:
                break
            loss = F.cross_entropy(output, y)
            loss.backward()
            d = torch.clamp(delta + 0.01 * torch.sign(delta.grad.detach()), -0.1, 0.1)
            delta.data[index] = d[index]
            delta.grad.zero_()
            torch_xla.sync()
        most = torch.max(most, F.cross_entropy(model(X + delta), y, reduction='none').detach())
    return most


model = nn.Linear(4, 2).cuda()
model.eval()
data = torch.utils.data.TensorDataset(torch.zeros(8, 4), torch.zeros(8, dtype=torch.long))
total = 0
for X, y in torch.utils.data.DataLoader(data, batch_size=4):
    X, y = X.cuda(), y.cuda()
    total += attack(model, X, y, 50, 10).sum().item()
    torch_xla.sync()
print(total)
