import torch
import torch_xla.core.xla_model as xm
from accelerate import notebook_launcher


def train(index):
    model = torch.nn.Linear(2, 2)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.ones(2, 2)).sum().backward()
        xm.optimizer_step(opt)


notebook_launcher(train, num_processes=8)
