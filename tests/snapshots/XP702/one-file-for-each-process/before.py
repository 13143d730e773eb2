import io

import torch
import torch_xla
import torch_xla.runtime as xr
from torch import nn


def main(index):
    rank = xr.global_ordinal()
    model = nn.Linear(4, 2).to(torch_xla.device())
    torch.save(model.state_dict(), f"model-{rank}.pt")
    path = f"model-{rank}.pt"
    torch.save(obj=model.state_dict(), f=path)
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    send(buffer.getvalue())
    torch.save(model.state_dict(), "model.pt")
    if rank == 1:
        torch.save(model.state_dict(), "second.pt")
    if rank == 0:
        torch.save(model.state_dict(), "first.pt")
    else:
        torch.save(model.state_dict(), "others.pt")


torch_xla.launch(main)
