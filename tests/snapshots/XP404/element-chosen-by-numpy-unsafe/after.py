"""A view that NumPy chooses, by its number or of an array of numbers; and choices that give no number."""

import numpy as np
import torch
import torch_xla

device = torch_xla.device()
poses = torch.rand(20, 4, 4).to(device)
numbers = np.arange(20)
kinds = ["a", "b", "c", "d", "e", "f"]
net = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(100):
    pose = poses[torch.tensor([np.random.choice(numbers)]), :3, :4].squeeze(0)
    other = poses[torch.tensor([np.random.choice(len(poses))])].squeeze(0)
    ordered = poses[torch.tensor([np.random.choice(np.random.permutation(len(poses)))])].squeeze(0)
    several = np.random.choice(numbers, 4)
    kind = np.random.choice(kinds)
    few = poses[np.random.choice(2)]
    loss = net(pose).square().mean() + net(other).mean() + net(few).mean() + net(ordered).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
