import torch

device = torch.device("tpu")
for x in range(3):
    # the step
    y = torch.zeros(1, device=device)
    with torch.no_grad():
        y = y + x


@torch.no_grad()
def step(x):
    return x + 1


z = step(y)
