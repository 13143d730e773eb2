import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)


def parameters_of(state):
    return [state[name] for name, _ in model.named_parameters()]


average = parameters_of(torch.load("ema.pt", map_location=device))
for mean, parameter in zip(average, model.parameters()):
    mean.mul_(0.999).add_(parameter.detach(), alpha=0.001)
