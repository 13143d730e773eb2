import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])

    @torch.no_grad()
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
