import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
from torch import nn


def main(index, out):
    model = nn.Linear(4, 2).to(torch_xla.device())
    rank = xr.global_ordinal()
    for epoch in range(3):
        xm.save(model.state_dict(), f"{out}/{epoch}.pt")
        # The last one.
        xm.save(
            {"model": model.state_dict(), "epoch": epoch},
            out, global_master=True,
        )
        xm.save(model.state_dict(), out, global_master=True)
        if epoch % 2 == 0:
            xm.save(model.state_dict(), out, global_master=True)
    xm.save(model.state_dict(), out)
    xm.save(model.bias.data, out)


torch_xla.launch(main, args=("out",))
