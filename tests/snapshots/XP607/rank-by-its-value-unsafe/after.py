"""What a condition asks for is seen in what its name was given, not in the name alone."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr


def train(index):
    number = xr.global_ordinal()
    model = torch.nn.Linear(2, 2).to(torch_xla.device())
    loss = model(torch.zeros(1, 2).to(torch_xla.device())).mean()
    if number == 0:
        print(loss)
    talks = xm.is_master_ordinal()
    if talks:
        xm.rendezvous("done")


torch_xla.launch(train)
