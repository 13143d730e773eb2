import torch
import torch_xla

import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
from torch import nn


def main(index):
    device = torch_xla.device()
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for n in range(4):
        loss = model(torch.ones(4, 8).to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
        if xr.global_ordinal() == 0:
            xm.save(model.state_dict(), "model.pt", master_only=False)
        torch_xla.sync()


if __name__ == "__main__":
    torch_xla.launch(main)
