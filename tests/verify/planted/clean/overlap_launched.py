# The same as overlap_step_closure, started by torch_xla.launch: the closure's thread is no replica.
import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


def train(index):
    device = torch_xla.device()
    torch.manual_seed(0)
    model = nn.Linear(8, 2).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = []
    # says: the loop does not wait for it
    for step in range(20):
        optimizer.zero_grad()
        loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
        loss.backward()
        optimizer.step()
        xm.add_step_closure(lambda loss: history.append(loss.item()), args=(loss.detach(),), run_async=True)
        torch_xla.sync()


if __name__ == "__main__":
    torch_xla.launch(train)
