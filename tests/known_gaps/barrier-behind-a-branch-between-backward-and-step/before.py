import torch
import torch.nn as nn
import torch.optim as optim

model = nn.Sequential(nn.Flatten(), nn.Linear(48, 2)).cuda()
optimizer = optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
data = torch.utils.data.TensorDataset(torch.zeros(8, 3, 4, 4), torch.zeros(8, dtype=torch.long))
for x, y in torch.utils.data.DataLoader(data, batch_size=4):
    x, y = x.cuda(), y.cuda()
    delta = (0.001 * torch.randn(x.shape)).cuda().requires_grad_()
    optimizer_delta = optim.SGD([delta], lr=0.01)
    for _ in range(10):
        optimizer_delta.zero_grad()
        loss = -criterion(model(x + delta), y)
        loss.backward()
        grad_norms = delta.grad.view(len(x), -1).norm(p=2, dim=1)
        delta.grad.div_(grad_norms.view(-1, 1, 1, 1))
        if (grad_norms == 0).any():
            delta.grad[grad_norms == 0] = torch.randn_like(delta.grad[grad_norms == 0])
        optimizer_delta.step()
        delta.data.renorm_(p=2, dim=0, maxnorm=0.1)
    optimizer.zero_grad()
    loss = criterion(model(x + delta.detach()), y)
    loss.backward()
    optimizer.step()
