import torch
import torch_xla
import torch_xla.core.xla_model as xm


def train(index):
    model = torch.nn.Linear(2, 2).to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.zeros(1, 2).to(torch_xla.device())).sum().backward()
        xm.optimizer_step(optimizer)


torch_xla.launch(train)
