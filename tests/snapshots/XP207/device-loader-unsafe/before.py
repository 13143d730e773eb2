import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl


def train(model, optimizer, dataset):
    loader = pl.MpDeviceLoader(torch.utils.data.DataLoader(dataset), torch_xla.device())
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        torch_xla.sync()
        optimizer.step()


model = torch.nn.Linear(4, 1).to(torch_xla.device())
train(model, torch.optim.SGD(model.parameters(), lr=0.1), [])
