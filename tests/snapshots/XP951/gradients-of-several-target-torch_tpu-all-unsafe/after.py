import torch
import os
import torch_xla.core.xla_model as xm


def train(index):
    model = torch.nn.Linear(2, 2).to(torch.accelerator.current_accelerator())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.zeros(1, 2).to(torch.accelerator.current_accelerator())).sum().backward()
        xm.optimizer_step(optimizer)


train(int(os.environ.get("RANK", "0")))
