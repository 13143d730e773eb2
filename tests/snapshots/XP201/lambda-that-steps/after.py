import torch
import torch_xla


def update(model, optimizer, x):
    loss = model(x).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def main(model: torch.nn.Module, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step = lambda x: update(model, optimizer, x)
    for x in batches:
        loss = step(x)
        torch_xla.sync()
        print(loss.item())
