# The last batch of an epoch is smaller, and comes out of a loader that sends ahead.
# says: images: f32[8,8] became f32[6,8]
# says: , the last batch of the loader (70 samples in batches of 8); labels too
import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.randn(70, 8), torch.randint(0, 2, (70,))), batch_size=8, shuffle=True)


def train():
    for images, labels in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()


train()
train()
