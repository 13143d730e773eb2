import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
from torch import nn


def main(index, out):
    model = nn.Linear(4, 2).to(torch_xla.device())
    rank = xr.global_ordinal()
    for epoch in range(3):
        if xm.is_master_ordinal():
            xm.save(model.state_dict(), f"{out}/{epoch}.pt")
        if xm.is_master_ordinal(local=False):
            # The last one.
            xm.save(
                {"model": model.state_dict(), "epoch": epoch},
                out,
            )
        if rank == 0:
            xm.save(model.state_dict(), out)
        if epoch % 2 == 0 and rank == 0:
            xm.save(model.state_dict(), out)
    if not xr.local_ordinal():
        xm.save(model.state_dict(), out)
        xm.save(model.bias.data, out)


torch_xla.launch(main, args=("out",))
