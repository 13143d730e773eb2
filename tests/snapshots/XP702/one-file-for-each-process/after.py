import io

import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
from torch import nn


def main(index):
    rank = xr.global_ordinal()
    model = nn.Linear(4, 2).to(torch_xla.device())
    xm.save(model.state_dict(), f"model-{rank}.pt", master_only=False)
    path = f"model-{rank}.pt"
    xm.save(data=model.state_dict(), file_or_path=path, master_only=False)
    buffer = io.BytesIO()
    xm.save(model.state_dict(), buffer, master_only=False)
    send(buffer.getvalue())
    xm.save(model.state_dict(), "model.pt")
    if rank == 1:
        xm.save(model.state_dict(), "second.pt", master_only=False)
    if rank == 0:
        xm.save(model.state_dict(), "first.pt")
    else:
        xm.save(model.state_dict(), "others.pt", master_only=False)


torch_xla.launch(main)
