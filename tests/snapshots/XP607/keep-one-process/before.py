import torch
import torch_xla


def train(rank, device):
    model = torch.nn.Linear(4, 1).to(device)
    if rank == 0:
        print(model(torch.zeros(1, 4).to(device)))


train(0, torch_xla.device())
