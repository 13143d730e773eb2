import numpy as np
import torch
from labels import BACKENDS, COLORS, FOLDER, TITLE, Kernel, render, save
from plots import Plot, draw


class Model(torch.nn.Module):
    device = None

    def place(self, language):
        return self.to(self.device)


def show(kind, device):
    print(kind)
    return torch.zeros(3).to(device)


render(device="cuda")
draw(device="cuda")
Plot(device="cuda")
save("out", "cuda")
show("cuda", None)
Model().place("cuda")
np.array(["cuda"])
print(COLORS["cuda"], BACKENDS, TITLE, Kernel().language, Kernel.device)
open(FOLDER)
for label in BACKENDS:
    print(label == "cuda")


def shadowed(TITLE):
    return torch.zeros(3).to(TITLE)


def other(Kernel):
    return torch.zeros(3).to(Kernel.device)
