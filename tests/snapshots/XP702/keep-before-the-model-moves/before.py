import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, 2)

    def forward(self, x):
        return self.layer(x)


def export(model, path):
    weights = model.state_dict()
    torch.save(weights, path)


def filled(state_dict, values):
    for name in values:
        state_dict[name] = torch.from_numpy(values[name])
    return state_dict


def main(values):
    net = Net(4)
    state_dict = net.state_dict()
    state_dict = filled(state_dict, values)
    net.load_state_dict(state_dict)
    torch.save({"net": state_dict}, "net.pt")
    export(net, "weights.pt")
    net = net.to("cuda")
    print(net(torch.zeros(2, 4).to("cuda")))


main({})
