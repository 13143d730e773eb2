"""NumPy has float16, and no bfloat16."""

import numpy as np
import torch

model = torch.nn.Linear(4, 2).cuda()
outs = []


def predicted(x):
    with torch.autocast("xla", dtype=torch.bfloat16):
        y = model(x.cuda())
    return y.cpu().float().numpy()


def classes(x):
    with torch.autocast("xla", dtype=torch.bfloat16):
        y = model(x.cuda())
    return y.argmax(1).cpu().numpy()


def widened(x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        y = model(x.cuda())
        z = y.softmax(1)
    return np.asarray(z.float().cpu())


def taken(x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        y = model(x.cuda())
        z = y + 1
    return np.asarray(z.detach().cpu().float())


def products(x):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        y = model(x.cuda())
    scores = (10 * y @ y.T).softmax(-1)
    return np.asarray((y @ y.T).float()), scores.squeeze().detach().cpu().float().numpy(), x.numpy()
