import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
from torch import nn


def main(index):
    model, other = nn.Linear(4, 2).to(torch_xla.device()), nn.Linear(2, 1).to(torch_xla.device())
    if xr.global_ordinal() == 0:
        # both of them
        xm.save(model.state_dict(), "model.pt")
        xm.save(
            {
                "other": other.state_dict(),
            },
            "other.pt",
        )


torch_xla.launch(main)
