import torch
import torch_xla


def train(model: torch.nn.Module, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    everything = 0.0
    names = ""
    for step, x in enumerate(loader):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        torch_xla.sync()
        for p in model.parameters():
            everything += p.grad.norm().item()
        largest = 0.0
        for p in model.parameters():
            largest = max(largest, p.grad.abs().max().item())
        shown = 0.0
        for p in model.parameters():
            shown += p.grad.norm().item()
            print(shown)
        twice = 0.0
        for p in model.parameters():
            twice += p.grad.norm().item()
        for p in model.parameters():
            twice += p.norm().item()
        rows = 0.0
        for p in model.parameters():
            rows += p.grad.norm(2, 1).squeeze()
        counts = [0] * 10
        for i in range(4):
            counts[i] += x[i].sum().item()
