import torch
from torch import nn

device = torch.device("cuda")


class Averages:
    def __init__(self, model):
        self.means = [p.detach().clone() for p in model.parameters()]


class Buffer:
    def __init__(self):
        self.states = torch.zeros(8, 4, device=device)


model = nn.Linear(4, 2).to(device)
torch.save(Averages(model), "averages.pt")
torch.save(Buffer(), "buffer.pt")
print(torch.load("averages.pt", map_location="cpu").means, torch.load("buffer.pt", map_location="cpu").states)
