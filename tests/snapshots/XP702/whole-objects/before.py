import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


model = Net().to("cuda")
optimizer = torch.optim.Adam(model.parameters())
torch.save(model, "model.pt")
torch.save({"model": model, "epoch": 3}, "model.pt")
torch.save(model.state_dict(), "model.pt", _use_new_zipfile_serialization=False)
torch.save(optimizer, f="optimizer.pt")
