"""NumPy has float16, and no bfloat16."""

import numpy as np
import torch
from torch.cuda.amp import autocast

model = torch.nn.Linear(4, 2).cuda()
outs = []


def predicted(x):
    with autocast():
        y = model(x.cuda())
    return y.cpu().numpy()


def classes(x):
    with autocast():
        y = model(x.cuda())
    return y.argmax(1).cpu().numpy()


def widened(x):
    with torch.autocast("cuda", dtype=torch.float16):
        y = model(x.cuda())
        z = y.softmax(1)
    return np.asarray(z.float().cpu())


def taken(x):
    with torch.autocast("cuda", dtype=torch.float16):
        y = model(x.cuda())
        z = y + 1
    return np.asarray(z.detach().cpu())


def products(x):
    with torch.autocast("cuda", dtype=torch.float16):
        y = model(x.cuda())
    scores = (10 * y @ y.T).softmax(-1)
    return np.asarray(y @ y.T), scores.squeeze().detach().cpu().numpy(), x.numpy()
