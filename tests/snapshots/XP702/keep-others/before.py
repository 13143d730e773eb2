import pickle

import torch
from torch import nn

import storage

model = nn.Linear(4, 2).cuda()


class Saver:
    def save(self, state, path):
        pickle.dump(state, path)


storage.save(model.state_dict(), "model.pt")
Saver().save(model.state_dict(), "model.pt")
torch.jit.save(torch.jit.script(model), "model.pt")
"torch.save(model.state_dict(), path)"
