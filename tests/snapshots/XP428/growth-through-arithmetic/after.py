import torch
import torch_xla

device = torch_xla.device()
net = torch.nn.Linear(4, 4).to(device)
mean, scale = torch.zeros(4, device=device), torch.ones(4, device=device)
states = torch.zeros(1, 4, device=device)


def act(past, count):
    past = past.reshape(1, -1, 4)
    return net(past[:, -min(count, past.size(1)):])[:, -1]


def mixed(past, count):
    weights = torch.ones(4, past.size(0), device=device) @ past
    return net(weights[:, -count:])[-1:]


for step in range(100):
    new = act((states.to(dtype=torch.float32) - mean) / scale, 5) + mixed(states, 4)
    states = torch.cat([states, new], dim=0)
    torch_xla.sync()
