# Only the evaluation has a last batch that is smaller.
# says: images: f32[8,8] became f32[5,8]
# says: , the last batch of the loader (37 samples in batches of 8)
import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,))), batch_size=8, drop_last=True)
held_out = DataLoader(TensorDataset(torch.randn(37, 8), torch.randint(0, 2, (37,))), batch_size=8)


@torch.no_grad()
def evaluate():
    right = torch.zeros((), device=device)
    for images, labels in held_out:
        right += (model(images.to(device)).argmax(1) == labels.to(device)).sum()
        torch_xla.sync()
    return right.item()


for epoch in range(2):
    for images, labels in train:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images.to(device)), labels.to(device)).backward()
        optimizer.step()
        torch_xla.sync()
    evaluate()
