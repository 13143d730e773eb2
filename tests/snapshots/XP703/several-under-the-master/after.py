import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


def main(index):
    model, other = nn.Linear(4, 2).to(torch_xla.device()), nn.Linear(2, 1).to(torch_xla.device())
    # both of them
    xm.save(model.state_dict(), "model.pt", global_master=True)
    xm.save(
        {
            "other": other.state_dict(),
        },
        "other.pt", global_master=True,
    )


torch_xla.launch(main)
