import torch
from tools import dropped


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, inputs, rate=None):
        outputs = self.layer(inputs)
        if rate:
            outputs = dropped(outputs, p=rate, training=self.training)
        return outputs + inputs


class Net(torch.nn.Module):
    def __init__(self, options):
        super().__init__()
        self.options = options
        self.blocks = torch.nn.ModuleList(Block() for _ in range(4))

    def forward(self, inputs):
        for number, block in enumerate(self.blocks):
            rate = self.options.rate
            if rate:
                rate *= number / len(self.blocks)
            inputs = block(inputs, rate=rate)
        return inputs


def train(options, loader):
    device = torch.device("xla")
    model = Net(options).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs in loader:
        loss = model(inputs.to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
