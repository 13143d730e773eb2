import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader
from tqdm import tqdm

device = torch_xla.device()


def train(model, loader):
    for image, label in pl.MpDeviceLoader(loader, device):
        # the forward pass
        loss = (model(image) - label).sum()
    for step, batch in enumerate(tqdm(pl.MpDeviceLoader(loader, device))):
        loss = model(batch["input"], **batch)
    for batch in pl.MpDeviceLoader(loader, device, loader_prefetch_size=4):
        image, label = batch
        loss = model(image)
    for image, _ in pl.ParallelLoader(loader, [device]).per_device_loader(device):
        loss = model(image)
    loader = pl.MpDeviceLoader(loader, device)
    for (image, label) in loader:
        label = label.to(device)
        loss = model(image) + label
    for batch in pl.MpDeviceLoader(loader, device):
        print(batch["name"], batch["image"].sum())
    for images, _ in pl.MpDeviceLoader(loader, device):
        print([image.mean() for image in images], images.shape)
    for images, _ in pl.MpDeviceLoader(loader, device):
        print([image.mean() for image in images])
    for image, label in pl.MpDeviceLoader(loader, device):
        print(image)
    print(label)
