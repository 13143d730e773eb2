"""The callbacks get a loss, but read the step's number."""
import torch
from torch import nn

history = []
callbacks = [lambda step, loss: history.append(float(step))]  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
callbacks.append(lambda step, loss: None)


def fit(model, optimizer, steps):
    for step in range(steps):
        x = torch.randn(4, 5, device="cuda")
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for callback in callbacks:
            callback(step, loss)


model = nn.Linear(5, 5).cuda()
fit(model, torch.optim.SGD(model.parameters(), lr=0.01), 20)
print(len(history), history[-1])
