import numpy as np
import torch
import torch_xla
from torch import nn


def predict(model, batches, truth):
    found, errors = np.array([]), 0.0
    with torch.no_grad():
        for x in batches:
            output = model(x.to("xla"))
            found = np.append(found, output.argmax(1).cpu().numpy())
            torch_xla.sync()
        for x in batches:
            output = model(x.to("xla"))
            errors = torch.sum((output[0].cpu() - truth) ** 2).sqrt()
            torch_xla.sync()
            print(errors)
    return found


predict(nn.Linear(4, 3).to("xla"), [torch.rand(2, 4)] * 3, torch.zeros(3))
