import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda")


class Crops(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        crops = [torch.rand(3, size, size) for size in (8, 8, 4)]
        return crops


class Labelled(Crops):
    def __getitem__(self, index):
        return super().__getitem__(index), index % 10


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 4, 1)

    def forward(self, crops):
        return torch.cat([self.layer(crop.to(device)).mean((2, 3)) for crop in crops])


net = nn.DataParallel(Net()).to(device)
for crops in DataLoader(Crops(), batch_size=8):
    print(net(crops).sum())
for i, crops in enumerate(DataLoader(Crops(), batch_size=8)):
    output = net(crops)
    print(output[: crops[0].size(0)].sum())
for crops, label in DataLoader(Labelled(), batch_size=8):
    count = crops[0].size(0)
    print(net(crops)[:count].sum(), label)
for i, (crops, label) in enumerate(DataLoader(Labelled(), batch_size=8)):
    joined = torch.cat(crops)
    print(net(crops).sum(), joined.shape, label)
for image in DataLoader(torch.rand(32, 3, 8, 8), batch_size=8):
    print(net(image.to(device)).sum(), image.size(0))
for batch in DataLoader(Labelled(), batch_size=8):
    print(net(crops=batch[0]).sum())
    print(net(**batch).sum())
