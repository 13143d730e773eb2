"""What a single read does not run goes on from pass to pass, and grows: each of these keeps its barrier."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
plain = nn.Linear(4, 4).to(device)
normed = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).to(device)
loader = DataLoader(TensorDataset(torch.rand(64, 4), torch.zeros(64)), batch_size=8)


class Remembering(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.mean = torch.zeros(4, device=device)

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        return self.layer(x) - self.mean


remembering = Remembering().to(device)


@torch.no_grad()
def running_statistics():
    for x, y in loader:
        print(normed(x.to(device)).sum().item())


@torch.no_grad()
def in_training_again():
    for x, y in loader:
        normed.eval()
        print(normed(x.to(device)).sum().item())
        normed.train()
        print(normed(x.to(device)).sum().item())


@torch.no_grad()
def numbers_of_the_device():
    for x, y in loader:
        print((plain(x.to(device)) + torch.randn(4, device=device)).sum().item())


@torch.no_grad()
def kept_by_the_model():
    for x, y in loader:
        print(remembering(x.to(device)).sum().item())


@torch.no_grad()
def kept_in_a_list():
    outputs = []
    for x, y in loader:
        output = plain(x.to(device))
        outputs.append(output)
        print(output.max().item())
        del output
    return torch.cat(outputs)


@torch.no_grad()
def added_up():
    total = torch.zeros((), device=device)
    for x, y in loader:
        output = plain(x.to(device))
        total += output.sum()
        print(output.max().item())
        del output
    return total


@torch.no_grad()
def from_pass_to_pass():
    state = torch.zeros(8, 4, device=device)
    for x, y in loader:
        output = plain(x.to(device) + state)
        state = output * 0.5
        print(y.to(device).max().item())


@torch.no_grad()
def read_twice():
    for x, y in loader:
        output = plain(x.to(device))
        print(output.max().item())
        print(output.min().item())
        del output


@torch.no_grad()
def read_piece_by_piece():
    for x, y in loader:
        output = plain(x.to(device))
        for row in output:
            print(row.max().item())
        del output


@torch.no_grad()
def by_something_unseen(meter):
    for x, y in loader:
        output = plain(x.to(device))
        meter.update(output)
        print(output.max().item())
        del output


@torch.no_grad()
def still_named():
    for x, y in loader:
        output = plain(x.to(device))
        print(output.max().item())


running_statistics()
still_named()
in_training_again()
numbers_of_the_device()
kept_by_the_model()
kept_in_a_list()
added_up()
from_pass_to_pass()
read_twice()
read_piece_by_piece()
