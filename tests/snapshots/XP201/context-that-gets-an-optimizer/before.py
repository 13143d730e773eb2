import torch
import torch.nn as nn
import apex.amp as amp

model = nn.Linear(4, 2).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
model, opt = amp.initialize(model, opt, opt_level='O1')
criterion = nn.CrossEntropyLoss()
data = torch.utils.data.TensorDataset(torch.zeros(8, 4), torch.zeros(8, dtype=torch.long))
for X, y in torch.utils.data.DataLoader(data, batch_size=4):
    X, y = X.cuda(), y.cuda()
    delta = torch.zeros_like(X)
    delta.requires_grad = True
    for _ in range(7):
        loss = criterion(model(X + delta), y)
        with amp.scale_loss(loss, opt) as scaled_loss:
            scaled_loss.backward()
        grad = delta.grad.detach()
        delta.data = torch.clamp(delta + 0.01 * torch.sign(grad), -0.03, 0.03)
        delta.grad.zero_()
    delta = delta.detach()
    loss = criterion(model(X + delta), y)
    opt.zero_grad()
    with amp.scale_loss(loss, opt) as scaled_loss:
        scaled_loss.backward()
    opt.step()
