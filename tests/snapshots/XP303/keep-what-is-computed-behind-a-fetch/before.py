# Beside what was fetched lies what nothing is known of: all of it is computed on the host.
import helpers  # not in the project
import numpy as np
import torch
from torch import nn

net = nn.Conv2d(3, 2, 3).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
errors, far = [], []
for image, truth in helpers.scenes():
    out = net(image.cuda())
    loss = out.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    depth = out.detach().cpu()
    error = torch.sum((depth - truth) ** 2, dim=1).sqrt()
    size = torch.sum(truth**2, dim=1).sqrt()
    errors.append(error.view(-1).numpy())
    far.append((((error / size) > 0.1) & (error > truth.max())).float().cpu().numpy())
print(np.mean(np.concatenate(far)), np.mean(np.concatenate(errors)))
